import { useShortcut } from '../../ui/shortcuts';
import { useStore } from '../../ui/store';
import { isPaletteOpen, openPalette } from './open';
import { PaletteDialog } from './palette-dialog';

/** Search for anything, and do anything, by keyboard. It is loaded with the page, so that no typed letter is lost. */
export function Palette() {
  const open = (event: KeyboardEvent): void => {
    event.preventDefault();
    openPalette();
  };
  useShortcut('/', 'Search for a page, a name or any id', open);
  useShortcut('Mod+k', 'Search for a page, a name or any id', open);
  return useStore(isPaletteOpen) && <PaletteDialog />;
}
