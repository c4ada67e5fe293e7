import { api, type Schemas, unwrap } from '../../api/client';
import type { IconName } from '../../ui/icon';
import { PAGES } from '../pages';
import { readRecent } from './recent';

/** A line of the search: it leads to an address, or does something. */
export type Item = { group: string; label: string; detail?: string; icon: IconName; href?: string; act?: () => void };

const MOST = 5;
/** Shorter texts are no ids; the search for ids of requests reads many rows. */
const SHORTEST_ID = 4;

const KINDS: Record<Schemas['LookupMatchDto']['kind'], [word: string, icon: IconName]> = {
  notification: ['Notification', 'activity'],
  step: ['Step', 'activity'],
  message: ['Message', 'mail'],
  transaction: ['Transaction', 'activity'],
  subscriber: ['Subscriber', 'people'],
  workflow: ['Workflow', 'workflow'],
};

/** `>` asks for actions only, `#` for ids only. */
export function readQuery(typed: string): { text: string; only?: 'actions' | 'ids' } {
  const only = ({ '>': 'actions', '#': 'ids' } as const)[typed.trimStart()[0] ?? ''];
  return { text: (only ? typed.trimStart().slice(1) : typed).trim(), only };
}

/** What the gateway knows under this text. What cannot be read is left out. */
export async function findItems(typed: string): Promise<Item[]> {
  const { text, only } = readQuery(typed);
  if (text === '' || only === 'actions') return [];
  const found = await Promise.allSettled([
    byId(text),
    ...(only ? [] : [workflows(text), subscribers(text), topics(text)]),
  ]);
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

async function byId(id: string): Promise<Item[]> {
  if (id.length < SHORTEST_ID || /\s/.test(id)) return [];
  const { data } = await unwrap(api.GET('/v1/lookup', { params: { query: { id } } }));
  return data.map(({ kind, title, path }) => ({
    group: 'With this id',
    label: title,
    detail: KINDS[kind][0],
    icon: KINDS[kind][1],
    href: path,
  }));
}

async function workflows(query: string): Promise<Item[]> {
  const { workflows: found } = await unwrap(api.GET('/v2/workflows', { params: { query: { query, limit: MOST } } }));
  return found.map(({ name, workflowId }) => ({
    group: 'Workflows',
    label: name,
    detail: workflowId,
    icon: 'workflow',
    href: `/workflows/${encodeURIComponent(workflowId)}`,
  }));
}

async function subscribers(search: string): Promise<Item[]> {
  const { data } = await unwrap(api.GET('/v2/subscribers', { params: { query: { search, limit: MOST } } }));
  return data.map(({ subscriberId, firstName, lastName, email }) => ({
    group: 'Subscribers',
    label: [firstName, lastName].filter(Boolean).join(' ') || subscriberId,
    detail: email ?? subscriberId,
    icon: 'people',
    href: `/subscribers/${encodeURIComponent(subscriberId)}`,
  }));
}

async function topics(text: string): Promise<Item[]> {
  const lists = await Promise.all(
    [{ key: text }, { name: text }].map((query) =>
      unwrap(api.GET('/v2/topics', { params: { query: { ...query, limit: MOST } } })),
    ),
  );
  return lists
    .flatMap(({ data }) => data)
    .map(({ key, name }) => ({
      group: 'Topics',
      label: name || key,
      detail: key,
      icon: 'topic',
      href: `/topics/${encodeURIComponent(key)}`,
    }));
}

const matches = ({ label, detail = '' }: { label: string; detail?: string }, text: string): boolean =>
  `${label} ${detail}`.toLowerCase().includes(text.toLowerCase());

/** All lines for the text: exact ids, what was opened lately, then everything by kind. Each address is there once. */
export function arrange(typed: string, found: Item[], actions: Item[]): Item[] {
  const { text, only } = readQuery(typed);
  if (only === 'actions') return actions.filter((item) => matches(item, text));
  if (only === 'ids') return found;
  const recent = readRecent().map((item): Item => ({ group: 'Recent', ...item }));
  const pages = PAGES.map(([href, label, icon]): Item => ({ group: 'Pages', label, icon, href }));
  const isId = ({ group }: Item): boolean => group === 'With this id';
  const local = [...recent, ...pages].filter((item) => matches(item, text));
  const acts = actions.filter((item) => matches(item, text));
  const byPerson: Item[] = text
    ? [
        {
          group: 'Activity',
          label: `Activity where the subscriber is “${text}”`,
          icon: 'activity',
          href: `/activity?subscriber=${encodeURIComponent(text)}`,
        },
      ]
    : [];
  const all = [...found.filter(isId), ...local, ...found.filter((item) => !isId(item)), ...acts, ...byPerson];
  const seen = new Set<string>();
  return all.filter(({ href }) => href === undefined || (!seen.has(href) && seen.add(href)));
}
