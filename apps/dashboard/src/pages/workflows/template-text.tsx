import { labelOf } from './blocks/labels';
import styles from './workflows.module.css';

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
