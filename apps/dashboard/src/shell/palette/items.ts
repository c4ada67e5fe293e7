import {
  type Choices,
  integrationChoices,
  layoutChoices,
  subscriberChoices,
  topicChoices,
  workflowChoices,
} from '../../api/choices';
import { api, type Schemas, unwrap } from '../../api/client';
import type { IconName } from '../../ui/icon';
import { NO_WORKFLOW } from '../../pages/subscribers/search';
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
  const found = await Promise.allSettled([byId(text), ...(only ? [] : NAMED.map((kind) => byName(kind, text)))]);
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

type Kind = readonly [group: string, icon: IconName, choices: Choices, path: string];

/** What is found by a part of its name. */
const NAMED: readonly Kind[] = [
  ['Subscribers', 'people', subscriberChoices, '/subscribers/'],
  ['Workflows', 'workflow', workflowChoices, '/workflows/'],
  ['Topics', 'topic', topicChoices, '/topics/'],
  ['Layouts', 'layout', layoutChoices, '/layouts?layout='],
  ['Integrations', 'plug', integrationChoices, '/integrations?integration='],
];

async function byName([group, icon, choices, path]: Kind, text: string): Promise<Item[]> {
  const found = (await choices.find(text)).slice(0, MOST);
  return found.map(({ value, label, detail = label === value ? '' : value }) => ({
    ...{ group, label, detail, icon },
    href: path + encodeURIComponent(value),
  }));
}

/** What is done for the first person or workflow that was found. */
function actionsFor(found: readonly Item[]): Item[] {
  const chosen = found.find(({ href = '' }) => /^\/(?:subscribers|workflows)\//.test(href));
  if (!chosen) return [];
  const { label, href = '', icon } = chosen;
  const [name] = label.split(' (');
  const group = `For ${name}`;
  const id = href.split('/').at(-1)!;
  const activity = (filter: string): Item => ({
    ...{ group, label: `Activity of ${name}`, icon: 'activity' },
    href: `/activity?${filter}=${id}`,
  });
  return icon === 'people'
    ? [
        { group, label: 'Why not?', detail: 'choose a workflow', icon: 'help', href: `${href}?why=${NO_WORKFLOW}` },
        activity('subscriber'),
      ]
    : [
        { group, label: 'Test run', detail: 'asks for whom', icon: 'replay', href: `${href}?dialog=test-run` },
        { group, label: 'Versions', icon: 'clock', href: `${href}?dialog=versions` },
        activity('workflowId'),
      ];
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
  const named = found.filter((item) => !isId(item));
  const all = [...found.filter(isId), ...local, ...named, ...actionsFor(found), ...acts, ...byPerson];
  const seen = new Set<string>();
  return all.filter(({ href }) => href === undefined || (!seen.has(href) && seen.add(href)));
}
