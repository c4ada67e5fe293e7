import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import { Form } from './form';
import { Alert, messageOf } from './states';
import styles from './ui.module.css';
import { type Faults, type Result, useChange } from './use-change';

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

type ActionProps<Made> = Result<Made> & {
  title: string;
  /** The words of the button that does it. */
  action: string;
  run(): Promise<Made>;
  onClose(): void;
};

type ConfirmProps<Made> = ActionProps<Made> & {
  isBusy?: boolean;
  /** Follows an error. */
  otherwise?: string;
  children: ReactNode;
};

/** Asks before something that cannot be undone, and closes when it is done. */
export function ConfirmDialog<Made>(props: ConfirmProps<Made>) {
  const { title, action, run, onClose, isBusy = false, otherwise, children, ...result } = props;
  const change = useChange(run, { ...result, then: result.then ?? onClose });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button kind="danger" isBusy={isBusy || change.isPending} onClick={() => change.mutate()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {change.error && (
        <Alert tone="bad">
          {messageOf(change.error)} {otherwise}
        </Alert>
      )}
    </Dialog>
  );
}

type FormDialogProps<Made> = ActionProps<Made> & {
  kind?: 'primary' | 'danger';
  /** Whether what was typed can be sent. */
  isReady?: boolean;
  isBusy?: boolean;
  children: ReactNode | ((faults: Faults) => ReactNode);
};

/** Asks for what a change needs, and closes when it is done. After an error it keeps what was typed. */
export function FormDialog<Made>(props: FormDialogProps<Made>) {
  const { title, action, run, onClose, kind = 'primary', isReady = true, isBusy = false, children, ...result } = props;
  const change = useChange(run, { ...result, then: result.then ?? onClose });
  const isWorking = isBusy || change.isPending;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => isReady && !isWorking && change.mutate()} error={change.error}>
        {typeof children === 'function' ? children(change.faults) : children}
        <div className={styles['dialogFoot']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={kind} isBusy={isWorking}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
