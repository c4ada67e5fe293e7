import type { Channel } from '../api/channels';

/** Drawn for Clarion on a grid of 16 with lines of 1.3. */
const ICONS = {
  overview: 'M2 2h5v6H2zM9 2h5v3.5H9zM9 8h5v6H9zM2 10.5h5V14H2z',
  activity: 'M1.5 8.5h3l2-6 3 11 2-5h3',
  people:
    'M6 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 6 8zM1.5 14a4.5 4.5 0 0 1 9 ' +
    '0M11 3a2.5 2.5 0 0 1 0 4.8M12.3 10a4.4 4.4 0 0 1 2.4 4',
  topic: 'M3 6h11M2 10h11M6.5 2 5 14M11 2 9.5 14',
  ban: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.800l8.4 8.4',
  workflow: 'M2 2h5v5H2zM9 9h5v5H9zM4.5 7v2.500a2 2 0 0 0 2 2H9',
  layout: 'M2 2.500h12v11H2zM2 6h12M6 6v7.5',
  translation: 'M2 4h7M5.5 2.500V4c0 3-1.5 5-3.5 6M4 6.500c1 2 2.5 3 4.5 3.500M8 14l3-7 3 7M9 12h4',
  promotion:
    'M4 6v7M4 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12 10V5.500A1.5 1.5 0 0 0 ' +
    '10.5 4H8m2-2L8 4l2 2M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  plug: 'M5.5 1.500V5m5-3.500V5M3.5 5h9v2.500a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  box: 'm8 1.5 6 3v7l-6 3-6-3v-7zM2 4.500l6 3 6-3M8 7.500v7',
  webhook:
    'M6 7 4 11M8 4.500a2.2 2.2 0 1 0-3 2M4 11a2 2 0 1 0 2 1.500M6 ' + '12.500h5M11 12.500a2 2 0 1 0 .6-3M10 8.5 8.2 5',
  settings:
    'M2 4.500h6m4 0h2M2 11.500h2m4 0h6M10 6.500a2 2 0 1 0 0-4 2 2 0 ' +
    '0 0 0 4zM6 13.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  book:
    'M8 4c-1.5-1.2-3.5-1.5-6-1.500v10c2.5 0 4.5.3 6 1.5 1.5-1.2 ' + '3.5-1.5 6-1.500v-10c-2.5 0-4.5.3-6 1.500zM8 4v10',
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  help: 'M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM6.3 6.200A1.8 1.8 0 1 1 8 8.500V9m0 2.400v.1',
  theme:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.500M8 13.500V15M1 ' +
    '8h1.500M13.5 8H15M3 3l1 1m8 8 1 1M3 13l1-1m8-8 1-1',
  leave: 'M6 2H2.500v12H6M10.5 5l3 3-3 3M13.5 8H6',
  expand: 'm6 4 4 4-4 4',
  choose: 'm5 6 3-3 3 3M5 10l3 3 3-3',
  inbox: 'M1.5 9h3.500l1 2h4l1-2h3.500M3.5 3h9l2 6v4.500h-13V9z',
  mail: 'M1.5 3h13v10h-13zM1.5 4.5 8 9l6.5-4.5',
  phone: 'M4 1.500h8v13H4zM8 12.300v.1',
  chat: 'M2 13.5 3 10.600A5.7 5.7 0 1 1 5.4 13z',
  bell: 'M3 11.500c1.3-1 1.5-2.5 1.5-5a3.5 3.5 0 0 1 7 0c0 2.5.2 4 1.5 5zM6.5 13.500a1.7 1.7 0 0 0 3 0',
  clock: 'M8 14.500a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.500V8l2.3 1.5',
  replay: 'M2.5 2.500v4h4M2.8 6.500A5.7 5.7 0 1 1 2.3 8.5',
  undo: 'M3 6h6.500a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  redo: 'M13 6H6.500a3.5 3.5 0 0 0 0 7H10m3-7-3-3m3 3-3 3',
  pause: 'M3.5 2.500h3v11h-3zM9.5 2.500h3v11h-3z',
  link:
    'M6.5 9.500a3 3 0 0 0 4.3 0l2.3-2.300a3 3 0 0 0-4.3-4.300L8 3.700M9.5 ' +
    '6.500a3 3 0 0 0-4.3 0L2.9 8.800a3 3 0 0 0 4.3 4.300l.8-.8',
  terminal: 'm2 4 4 4-4 4M8 12.500h6',
  layers: 'm8 2 6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  plus: 'M8 2.500v11M2.5 8h11',
  close: 'm3.5 3.5 9 9m0-9-9 9',
  bulb: 'M6 12h4M6.5 14.500h3M5.5 9.500a4.2 4.2 0 1 1 5 0c-.6.6-.8 ' + '1.2-.8 2.500H6.300c0-1.3-.2-1.9-.8-2.500z',
  copy: 'M5.5 5.500h8v8h-8zM10.5 5.500v-3h-8v8h3',
  download: 'M8 2v8m-3-3 3 3 3-3M2.5 11v3h11v-3',
} satisfies Record<string, string>;

export type IconName = keyof typeof ICONS;

export const CHANNEL_ICONS: Record<Channel, IconName> = {
  in_app: 'inbox',
  email: 'mail',
  sms: 'phone',
  chat: 'chat',
  push: 'bell',
};

/** A sign beside words, or in a control that has a name. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    viewBox="0 0 16 16"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.3"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    style={{ flex: 'none' }}
  >
    <path d={ICONS[name]} />
  </svg>
);
