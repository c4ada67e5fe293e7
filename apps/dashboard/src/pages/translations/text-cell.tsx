import { useEffect, useRef, useState } from 'react';
import { TemplateText } from '../workflows/template-text';
import styles from './translations.module.css';

type TextCellProps = {
  text: string | undefined;
  /** What was typed and not saved, and why. */
  failure: { text: string; message: string } | undefined;
  /** What is sent when the text is missing. */
  instead: string | undefined;
  /** The text of the default locale, shown to translators. */
  source: string | undefined;
  label: string;
  isActive: boolean;
  isEditing: boolean;
  isReadOnly: boolean;
  place: string;
  onEdit(): void;
  /** Called with the typed text, and whether the next missing text follows. */
  onSave(text: string, goesOn: boolean): void;
  onCancel(): void;
};

/** One text in one locale. Enter edits and saves, Escape leaves it as it was, Tab goes on to the next missing one. */
export function TextCell(props: TextCellProps) {
  const { text, failure, instead, isActive, isEditing, isReadOnly, place, onEdit } = props;
  return (
    <td
      role="gridcell"
      data-place={place}
      tabIndex={isActive ? 0 : -1}
      className={text === undefined ? styles['missing'] : undefined}
      onClick={isReadOnly || isEditing ? undefined : onEdit}
    >
      {isEditing ? (
        <Typing {...props} />
      ) : text === undefined ? (
        <>
          <strong>{!isReadOnly && <span aria-hidden="true">+ </span>}Missing</strong>
          <small>{instead ? `${instead} is sent` : 'the key is sent'}</small>
        </>
      ) : (
        <TemplateText text={text} />
      )}
      {failure && (
        <small role="alert" className={styles['failure']}>
          {failure.message} The text is not saved: “{failure.text}”.
        </small>
      )}
    </td>
  );
}

function Typing({ text = '', failure, source, label, onSave, onCancel }: TextCellProps) {
  const [first] = useState(failure?.text ?? text);
  const [typed, setTyped] = useState(first);
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  const end = (action: () => void): void => {
    if (isDone.current) return;
    isDone.current = true;
    action();
  };
  return (
    <>
      <textarea
        ref={field}
        aria-label={label}
        aria-description={source === undefined ? undefined : `Source: ${source}`}
        className={styles['typing']}
        rows={Math.min(6, Math.max(2, Math.ceil(typed.length / 24)))}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => end(() => (typed === first ? onCancel() : onSave(typed, false)))}
        onKeyDown={(event) => {
          event.stopPropagation();
          const isEnter = event.key === 'Enter' && !event.shiftKey;
          const isTab = event.key === 'Tab' && !event.shiftKey;
          if (!isEnter && !isTab && event.key !== 'Escape') return;
          event.preventDefault();
          end(() => (event.key === 'Escape' ? onCancel() : onSave(typed, isTab)));
        }}
      />
      <small className={styles['keys']}>
        {source !== undefined && <>Source: “{source}”. </>}
        <kbd>Enter</kbd> saves, <kbd>Tab</kbd> saves and goes to the next missing one, <kbd>Esc</kbd> leaves it.
      </small>
    </>
  );
}
