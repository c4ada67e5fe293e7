import type { JsonObject } from '../json';

/** A name that authors write, with an example and its result for `AUTHORING_SAMPLE`. A spec computes each result. */
export type Described = { name: string; group: string; description: string; example: string; result: string };

/** An operator of a condition with an example that is a condition. */
export type DescribedOperator = { name: string; description: string; example: JsonObject; result: boolean };

/** The variables that the examples of the reference read. */
export const AUTHORING_SAMPLE = {
  payload: {
    name: 'Ada',
    count: 3,
    total: 19.5,
    at: '2030-01-02T03:04:05.000Z',
    wait: { amount: 2, unit: 'hours' },
    html: '<b>hi</b>',
    text: 'one\ntwo',
    note: ' two  words ',
    link: 'https://example.com/a b',
    plan: 'gold',
    tags: ['b', 'a', 'b'],
    order: { id: 42, status: 'shipped' },
    people: [
      { name: 'Ada', age: 36 },
      { name: 'Bob', age: 41 },
      { name: 'Cy', age: 36 },
    ],
  },
  subscriber: {
    subscriberId: 'ada',
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@x.test',
    phone: '+15550001111',
    avatar: 'https://x.test/ada.png',
    locale: 'en_GB',
    timezone: 'Europe/London',
    data: { plan: 'gold' },
    isOnline: true,
    lastOnlineAt: '2029-12-31T12:00:00.000Z',
  },
  actor: {
    subscriberId: 'bob',
    firstName: 'Bob',
    lastName: 'Builder',
    email: 'bob@x.test',
    phone: '+15550004444',
    avatar: 'https://x.test/bob.png',
    locale: 'de_DE',
    timezone: 'Europe/Berlin',
    data: { plan: 'free' },
    isOnline: false,
    lastOnlineAt: '2029-12-30T08:00:00.000Z',
  },
  tenant: { identifier: 'acme', name: 'Acme', data: { color: '#336699' } },
  context: { region: { id: 'eu', data: { currency: 'EUR' } } },
  steps: {
    comments: {
      eventCount: 2,
      events: [
        { id: 'event-1', time: '2030-01-01T00:00:00.000Z', payload: { name: 'Ada' } },
        { id: 'event-2', time: '2030-01-01T00:05:00.000Z', payload: { name: 'Bob' } },
      ],
    },
    price: { label: 'Gold' },
    mail: { status: 'sent', seen: false, read: false, clicked: false },
  },
  workflow: { workflowId: 'order', name: 'Order', description: '', tags: ['shop'], severity: 'none' },
  env: { name: 'Development', type: 'dev' },
  t: { title: 'Your order' },
  preferencesUrl: 'https://mail.x.test/u/token',
  unsubscribeUrl: 'https://mail.x.test/u/token',
  step: { digest: true, events: [{ name: 'Ada' }, { name: 'Bob' }], total_count: 2 },
} satisfies JsonObject;

/** The time at which the examples of the reference run. */
export const AUTHORING_NOW = '2030-01-01T00:00:00.000Z';
