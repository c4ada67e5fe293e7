import { labelOf } from './blocks/labels';
import styles from './workflows.module.css';

/** A text with its variables as pills. */
export function TemplateText({ text }: { text: string }) {
  return text.split(/(\{\{[^{}]*\}\})/).map((part, index) =>
    part.startsWith('{{') ? (
      <span key={index} className={styles['pill']} title={part}>
        {labelOf(part)}
      </span>
    ) : (
      part
    ),
  );
}
