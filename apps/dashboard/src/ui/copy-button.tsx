import type { ReactNode } from 'react';
import { Button } from './button';
import { showToast } from './toasts';

export function CopyButton({ text, children }: { text: string | (() => string); children: ReactNode }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      showToast('Copied.');
    } catch {
      showToast('The browser does not allow copying here: select the text instead.');
    }
  };
  return <Button onClick={() => void copy()}>{children}</Button>;
}
