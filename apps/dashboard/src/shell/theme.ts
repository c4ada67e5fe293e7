import { createStore } from '../ui/store';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'clarion.theme';
const stored = localStorage.getItem(STORED);

export const theme = createStore<Theme>(THEMES.find((name) => name === stored) ?? 'system');

export function chooseTheme(choice: Theme): void {
  theme.set(choice);
  localStorage.setItem(STORED, choice);
  applyTheme();
}

/** Without the attribute, the style sheet follows the system. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.get() === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.get();
}
