import { classes } from './classes';
import { diffLines } from './diff-lines';
import styles from './ui.module.css';

/** Two texts line by line. Added and removed lines are marked with a sign as well as a colour. */
export function Diff({ before, after, label }: { before?: string; after?: string; label: string }) {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === 'same')) return <p>There is no difference.</p>;
  return (
    <ul className={styles['diff']} aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <li
          key={index}
          className={classes(kind === 'added' && styles['added'], kind === 'removed' && styles['removed'])}
        >
          {kind === 'added' ? '+ ' : kind === 'removed' ? '- ' : '  '}
          {text}
          {kind !== 'same' && <span className="visually-hidden"> ({kind})</span>}
        </li>
      ))}
    </ul>
  );
}
