import type { ReactNode } from 'react';
import { classes } from './classes';
import type { Tone } from './status';
import styles from './ui.module.css';

/** A message that a screen reader announces: errors at once, all others when the reader pauses. */
export function Alert({ tone, action, children }: { tone: Tone; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes(styles['alert'], styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      <p>{children}</p>
      {action}
    </div>
  );
}
