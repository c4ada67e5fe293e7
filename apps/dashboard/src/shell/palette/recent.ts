import { chosenEnvironment } from '../../session/environment';
import type { IconName } from '../../ui/icon';
import { PAGES } from '../pages';

/** What was opened, newest first. Ids differ between environments. */
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

/** A page about one thing: its address, what it calls itself, and the kind of thing. Lists are no such pages. */
export function rememberPage(pathname: string, title: string): void {
  const [, list, id] = pathname.split('/');
  const [, kind, icon] = PAGES.find(([path]) => path === `/${list}`) ?? [];
  const label = title.replace(/ · Clarion$/, '');
  // A page that is still loading, or about something that does not exist, has the name of the kind.
  if (!id || !icon || `${label}s` === kind) return;
  remember({ label, detail: kind, icon, href: pathname });
}

export function remember(item: Recent): void {
  const others = readRecent().filter(({ href }) => href !== item.href);
  localStorage.setItem(stored(), JSON.stringify([item, ...others].slice(0, KEPT)));
}
