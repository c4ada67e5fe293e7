import type { ReactNode } from 'react';
import { CodeBlock } from './code-block';
import styles from './ui.module.css';

/** Nothing to show: says why, and what to do next. `command` is a line that would fill the page. */
export function Empty({ title, command, children }: { title: string; command?: string; children?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children}
      {command && <CodeBlock text={command} label="Command" />}
    </div>
  );
}
