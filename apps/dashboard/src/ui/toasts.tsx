import { createStore, useStore } from './store';
import styles from './ui.module.css';

const SHOWN_MS = 5_000;

type Toast = { id: number; text: string };
const toasts = createStore<Toast[]>([]);
let last = 0;

/** Shows a short message that disappears by itself; a screen reader announces it. */
export function showToast(text: string): void {
  const toast = { id: (last += 1), text };
  toasts.set([...toasts.get(), toast]);
  setTimeout(() => toasts.set(toasts.get().filter(({ id }) => id !== toast.id)), SHOWN_MS);
}

export function Toasts() {
  return (
    <div className={styles['toasts']} role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text }) => (
        <p key={id} className={styles['toast']}>
          {text}
        </p>
      ))}
    </div>
  );
}
