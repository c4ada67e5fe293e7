import { createStore } from '../../ui/store';

export const isPaletteOpen = createStore(false);

export const openPalette = (): void => isPaletteOpen.set(true);
export const closePalette = (): void => isPaletteOpen.set(false);
