import { chosenEnvironment } from '../../session/environment';
import type { IconName } from '../../ui/icon';

/** What was opened from the search, newest first. Ids differ between environments. */
export type Recent = { label: string; detail?: string; icon: IconName; href: string };

const KEPT = 6;
const stored = (): string => `clarion.recent.${chosenEnvironment() ?? 'own'}`;

export function readRecent(): Recent[] {
  try {
    return JSON.parse(localStorage.getItem(stored()) ?? '[]') as Recent[];
  } catch {
    return [];
  }
}

export function remember(item: Recent): void {
  const others = readRecent().filter(({ href }) => href !== item.href);
  localStorage.setItem(stored(), JSON.stringify([item, ...others].slice(0, KEPT)));
}
