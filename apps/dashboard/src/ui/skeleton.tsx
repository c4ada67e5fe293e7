import { classes } from './classes';
import styles from './ui.module.css';

/** The outline of content that is on its way. */
export function Skeleton({ lines = 3, isBlock = false }: { lines?: number; isBlock?: boolean }) {
  return (
    <div className={styles['stack']} role="status" aria-label="Loading">
      {Array.from({ length: isBlock ? 1 : lines }, (_, index) => (
        <span key={index} className={classes(styles['skeleton'], isBlock ? styles['block'] : styles['line'])} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={styles['page']}>
      <Skeleton lines={1} />
      <Skeleton isBlock />
      <Skeleton lines={6} />
    </div>
  );
}
