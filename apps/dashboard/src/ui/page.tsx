import { type ReactNode, useEffect } from 'react';
import styles from './ui.module.css';

/** A page: its one `h1`, the title of the window, and its actions. */
export function Page({
  title,
  heading,
  actions,
  children,
}: {
  title: string;
  /** Shown instead of the title where it holds more than text. */
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Clarion`;
  }, [title]);
  return (
    <div className={styles['page']}>
      <header className={styles['pageHead']}>
        <h1>{heading ?? title}</h1>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Section({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={title}>
      {(title ?? actions) && (
        <div className={styles['sectionHead']}>
          {title && <h2>{title}</h2>}
          {actions && <div className={styles['actions']}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
