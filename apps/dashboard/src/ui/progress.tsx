import { formatNumber } from './time';
import styles from './ui.module.css';

export function Progress({ label, value, max }: { label: string; value: number; max: number }) {
  return (
    <div className={styles['stack']}>
      <progress className={styles['progress']} aria-label={label} value={value} max={Math.max(max, 1)} />
      <p>
        {formatNumber(value)} of {formatNumber(max)}
      </p>
    </div>
  );
}
