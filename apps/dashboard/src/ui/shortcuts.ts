import { useLayoutEffect } from 'react';
import { createStore } from './store';
import { useLatest } from './use-latest';

export type Shortcut = { keys: string; does: string };

export const shortcuts = createStore<Shortcut[]>([]);

const TYPED_INTO = 'input, textarea, select, [contenteditable="true"], .cm-editor';

/**
 * Calls the handler when the key is pressed outside of a field. `keys` is the value of `KeyboardEvent.key`, with `Mod+`
 * before it for Ctrl or Cmd. A shortcut with `Mod+` also works inside a field. Shortcuts work as soon as the page is
 * drawn.
 */
export function useShortcut(keys: string, does: string, handler: (event: KeyboardEvent) => void): void {
  const latest = useLatest(handler);
  useLayoutEffect(() => {
    const own = { keys, does };
    shortcuts.set([...shortcuts.get(), own]);
    const isModified = keys.startsWith('Mod+');
    const key = isModified ? keys.slice(4) : keys;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.key !== key || isModified !== (event.ctrlKey || event.metaKey)) return;
      const target = event.target as Element;
      if (!isModified && (target.closest(TYPED_INTO) || event.altKey)) return;
      // A dialog has the keyboard to itself; the browser closes it on Escape.
      if (document.querySelector('dialog[open]')) return;
      latest.current(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      shortcuts.set(shortcuts.get().filter((each) => each !== own));
    };
  }, [keys, does, latest]);
}
