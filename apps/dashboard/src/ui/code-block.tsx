import { CopyButton } from './copy-button';
import styles from './ui.module.css';

/** Text that was sent or that a person will copy. It can be scrolled with the keyboard. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles['codeFrame']}>
      <pre className={styles['code']} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text}>Copy</CopyButton>
    </div>
  );
}
