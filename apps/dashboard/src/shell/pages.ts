import type { IconName } from '../ui/icon';

type Entry = readonly [path: string, name: string, icon: IconName];

/** The pages of the navigation, in groups. The first group needs no name. */
export const GROUPS = [
  [
    '',
    [
      ['/overview', 'Overview', 'overview'],
      ['/activity', 'Activity', 'activity'],
    ],
  ],
  [
    'People',
    [
      ['/subscribers', 'Subscribers', 'people'],
      ['/topics', 'Topics', 'topic'],
      ['/suppressions', 'Suppressions', 'ban'],
    ],
  ],
  [
    'Content',
    [
      ['/workflows', 'Workflows', 'workflow'],
      ['/layouts', 'Layouts', 'layout'],
      ['/translations', 'Translations', 'translation'],
      ['/promotion', 'Promotion', 'promotion'],
    ],
  ],
  [
    'Connections',
    [
      ['/integrations', 'Integrations', 'plug'],
      ['/outbox', 'Outbox', 'box'],
      ['/webhooks', 'Webhooks', 'webhook'],
    ],
  ],
  ['Organization', [['/settings', 'Settings', 'settings']]],
] as const satisfies readonly (readonly [group: string, pages: readonly Entry[]])[];

export type PagePath = (typeof GROUPS)[number][1][number][0];

export const PAGES = GROUPS.flatMap(([, pages]): readonly Entry[] => pages);

/** The page of the navigation that this address belongs to. */
export const pageOf = (pathname: string): Entry | undefined =>
  PAGES.find(([path]) => path === `/${pathname.split('/')[1]}`);

/** The API reference of the gateway that serves this page. */
export const HELP_PATH = '/docs';
