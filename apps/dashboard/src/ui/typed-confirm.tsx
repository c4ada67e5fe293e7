import { type ReactNode, useState } from 'react';
import { Alert } from './alert';
import { Button } from './button';
import { Dialog } from './dialog';
import { TextField } from './field';
import { Form } from './form';

type TypedConfirmProps = {
  title: string;
  /** The words of the button that does it. */
  action: string;
  /** What the person types before the button works. */
  typed: string;
  isBusy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
};

/** Asks before something large that cannot be undone: the person types what it is about. */
export function TypedConfirm(props: TypedConfirmProps) {
  const { title, action, typed, isBusy, error, onConfirm, onClose, children } = props;
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const confirm = (): void => {
    if (isBusy) return;
    if (text.trim() === typed) onConfirm();
    else setWrong(true);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Form onSubmit={confirm} error={error}>
        <TextField
          label={`Type ${typed} to confirm`}
          value={text}
          autoComplete="off"
          spellCheck={false}
          required
          error={isWrong ? `This is not ${typed}.` : undefined}
          onChange={(value) => {
            setText(value);
            setWrong(false);
          }}
        />
        <div>
          <Button type="submit" kind="danger" isBusy={isBusy}>
            {action}
          </Button>{' '}
          <Button onClick={onClose}>Keep</Button>
        </div>
      </Form>
      {isBusy && <Alert tone="info">This may take a moment.</Alert>}
    </Dialog>
  );
}
