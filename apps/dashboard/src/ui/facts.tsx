import type { ReactNode } from 'react';
import styles from './ui.module.css';

/** Names with their values. Absent values are left out. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className={styles['facts']}>
      {Object.entries(facts).map(([name, value]) =>
        value === undefined || value === null || value === '' ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
