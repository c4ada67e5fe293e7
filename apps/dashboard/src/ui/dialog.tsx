import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { identifierOf } from '../identifiers';
import { Button, CodeBlock } from './button';
import { Form, TextField } from './field';
import { useEnvironment, useSession } from '../session/session';
import { Alert, Loaded, messageOf } from './page';
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

/** Where a change happens: the environment that the page shows, another one, or none. */
type Where = { environmentId?: string | null };

/** Names the environment in every question, and sets production apart. */
export function InEnvironment({ environmentId }: Where) {
  const shown = useEnvironment();
  const { environments } = useSession();
  const found = environmentId === undefined ? shown : environments.find(({ _id }) => _id === environmentId);
  if (!found) return null;
  if (found.kind === 'production') {
    return (
      <Alert tone="warn">
        This happens in production, in the environment <strong>{found.name}</strong>.
      </Alert>
    );
  }
  return (
    <p className="quiet">
      In the environment {found.name} ({found.kind}).
    </p>
  );
}

type ActionProps<Made> = Result<Made> & {
  title: string;
  /** The words of the button that does it. */
  action: string;
  run(): Promise<Made>;
  onClose(): void;
};

type ConfirmProps<Made> = ActionProps<Made> &
  Where & {
    isBusy?: boolean;
    /** Follows an error. */
    otherwise?: string;
    children: ReactNode;
  };

/** Asks before something that cannot be undone, and closes when it is done. */
export function ConfirmDialog<Made>(props: ConfirmProps<Made>) {
  const { title, action, run, onClose, isBusy = false, otherwise, environmentId, children, ...result } = props;
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
      <InEnvironment environmentId={environmentId} />
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

type DeleteProps<Usage> = Result<unknown> &
  Where & {
    name: string;
    usage: UseQueryResult<Usage>;
    run(): Promise<unknown>;
    onClose(): void;
    children(usage: Usage): ReactNode;
  };

/** Shows what uses an object before it is deleted. */
export function DeleteDialog<Usage>({ name, usage, children, ...rest }: DeleteProps<Usage>) {
  return (
    <ConfirmDialog title={`Delete ${name}?`} action="Delete" isBusy={usage.isPending} {...rest}>
      <Loaded query={usage}>{children}</Loaded>
    </ConfirmDialog>
  );
}

type TypedConfirmProps<Made> = Result<Made> &
  Where & {
    title: string;
    /** The words of the button that does it. */
    action: string;
    /** What the person types before the button works. */
    typed: string;
    run(): Promise<Made>;
    onClose(): void;
    children: ReactNode;
  };

/** Asks before something large that cannot be undone: the person types what it is about. */
export function TypedConfirm<Made>({ typed, environmentId, children, ...rest }: TypedConfirmProps<Made>) {
  const [text, setText] = useState('');
  return (
    <FormDialog {...rest} kind="danger" isReady={text.trim() === typed}>
      {children}
      <InEnvironment environmentId={environmentId} />
      <TextField
        label={`Type ${typed} to confirm`}
        value={text}
        autoComplete="off"
        spellCheck={false}
        required
        error={typed.startsWith(text.trim()) ? undefined : `This is not ${typed}.`}
        onChange={setText}
      />
    </FormDialog>
  );
}

type NewProps<Made> = {
  title: string;
  firstName?: string;
  /** The field of the API that has the identifier, and how it is shown. */
  id: { field: string; label: string; hint: string };
  create(name: string, id: string): Promise<Made>;
  onCreated(made: Made): void;
  onClose(): void;
};

/** Creates an object with a name and an identifier, which follows the name until it is typed. */
export function NewDialog<Made>({ title, firstName = '', id, create, onCreated, onClose }: NewProps<Made>) {
  const [name, setName] = useState(firstName);
  const [typedId, setTypedId] = useState<string>();
  const identifier = typedId ?? identifierOf(name);
  return (
    <FormDialog title={title} action="Create" run={() => create(name, identifier)} then={onCreated} onClose={onClose}>
      {(faults) => (
        <>
          <TextField label="Name" required autoFocus value={name} error={faults['name']} onChange={setName} />
          <TextField
            label={id.label}
            required
            value={identifier}
            error={faults[id.field]}
            hint={`${id.hint} It cannot be changed later.`}
            onChange={setTypedId}
          />
        </>
      )}
    </FormDialog>
  );
}

type ShownOnceProps = { title: string; label: string; text: string; note: string; onClose(): void };

/** The only time that a key or a secret is shown. */
export function ShownOnce({ title, label, text, note, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
      <p>{note}</p>
      <CodeBlock text={text} label={label} />
    </Dialog>
  );
}
