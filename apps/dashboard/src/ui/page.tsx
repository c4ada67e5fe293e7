import { type ReactNode, useEffect } from 'react';
import styles from './ui.module.css';

type PageProps = {
  title: string;
  /** Shown instead of the title where it holds more than text. */
  heading?: ReactNode;
  /** What the page has, in a few words. */
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** A page: its one `h1`, the title of the window, and its actions. */
export function Page({ title, heading, note, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Clarion`;
  }, [title]);
  return (
    <div className={styles['page']}>
      <header className={styles['pageHead']}>
        <div className={styles['title']}>
          <h1>{heading ?? title}</h1>
          {note}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Controls that narrow a list, in one line. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={styles['filters']}>{children}</div>;
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
