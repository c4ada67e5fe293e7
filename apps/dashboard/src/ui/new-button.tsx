import { type ReactNode, useState } from 'react';
import { useCanWrite } from '../session/session';
import { Button } from './button';
import { useShortcut } from './shortcuts';

type NewButtonProps = {
  words: string;
  /** The key `n` does the same. */
  hasShortcut?: boolean;
  /** The dialog that asks for what is new. */
  children(onClose: () => void): ReactNode;
};

/** Opens the dialog for a new thing of a list. Nothing where the reader may not write. */
export function NewButton({ words, hasShortcut = false, children }: NewButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const canWrite = useCanWrite();
  const open = (): void => setOpen(canWrite);
  return (
    <>
      {hasShortcut && <NewShortcut words={words} onPress={open} />}
      {canWrite && (
        <Button kind="primary" onClick={open}>
          {words}
        </Button>
      )}
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

function NewShortcut({ words, onPress }: { words: string; onPress(): void }) {
  useShortcut('n', words, onPress);
  return null;
}
