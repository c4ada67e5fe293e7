import type { ReactNode } from 'react';
import { Alert, messageOf } from './states';
import styles from './ui.module.css';

/** A form that is sent by a script. After an error it keeps what was typed and shows what the gateway said. */
export function Form({ onSubmit, error, children }: { onSubmit(): void; error?: Error | null; children: ReactNode }) {
  return (
    <form
      className={styles['form']}
      noValidate={false}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error && <Alert tone="bad">{messageOf(error)}</Alert>}
    </form>
  );
}
