import { type ReactNode, useState } from 'react';
import { FormDialog } from './dialog';
import { TextField } from './field';
import type { Result } from './use-change';

type TypedConfirmProps<Made> = Result<Made> & {
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
export function TypedConfirm<Made>({ typed, children, ...rest }: TypedConfirmProps<Made>) {
  const [text, setText] = useState('');
  return (
    <FormDialog {...rest} kind="danger" isReady={text.trim() === typed}>
      {children}
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
