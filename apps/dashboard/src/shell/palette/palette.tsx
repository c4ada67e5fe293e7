import { useLocation } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { useShortcut } from '../../ui/shortcuts';
import { useStore } from '../../ui/store';
import { isPaletteOpen, openPalette } from './open';
import { rememberPage } from './recent';

/** Search for anything, and do anything, by keyboard. The dialog is loaded after the page, before it is asked for. */
export function Palette() {
  const [PaletteDialog, setDialog] = useState<ComponentType>();
  useEffect(() => {
    void import('./palette-dialog').then((module) => setDialog(() => module.PaletteDialog));
  }, []);
  const open = (event: KeyboardEvent): void => {
    event.preventDefault();
    openPalette();
  };
  const { pathname } = useLocation();
  // When a page is left, the window still has its title.
  useEffect(() => () => rememberPage(pathname, document.title), [pathname]);
  useShortcut('/', 'Search for a page, a name or any id', open);
  useShortcut('Mod+k', 'Search for a page, a name or any id', open);
  return useStore(isPaletteOpen) && PaletteDialog && <PaletteDialog />;
}
