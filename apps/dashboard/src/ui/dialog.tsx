import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import styles from './ui.module.css';

type DialogProps = { title: string; onClose(): void; children: ReactNode; footer?: ReactNode };

/** A modal dialog. The browser keeps the focus inside and returns it; Escape closes. */
export function Dialog({ title, onClose, children, footer }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles['dialogBody']}>
        <h2 id={id}>{title}</h2>
        {children}
        {footer && <div className={styles['dialogFoot']}>{footer}</div>}
      </div>
    </dialog>
  );
}

type ConfirmProps = {
  title: string;
  /** The words of the button that does it. */
  action: string;
  isBusy?: boolean;
  error?: ReactNode;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
};

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, action, isBusy = false, error, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error}
    </Dialog>
  );
}
