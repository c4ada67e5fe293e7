import { type ReactNode, useRef } from 'react';
import { Button } from './button';

type FileButtonProps = {
  /** The ends of the names of files that can be chosen, such as `.json`. */
  accept: string;
  isMultiple?: boolean;
  isBusy?: boolean;
  onFiles(files: File[]): void;
  children: ReactNode;
};

/** A button that lets the person choose files. */
export function FileButton({ accept, isMultiple = false, isBusy = false, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button isBusy={isBusy} onClick={() => input.current!.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file can be chosen again after it was changed.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
