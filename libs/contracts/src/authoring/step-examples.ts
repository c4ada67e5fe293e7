import type { JsonObject } from '../json';
import type { AuthoredStepType } from '../step-types';

/** Control values with what the step does with `AUTHORING_SAMPLE` at `AUTHORING_NOW`. */
export type StepExample = { type: AuthoredStepType; says: string; controlValues: JsonObject; result: JsonObject };

const waits = (until: string): JsonObject => ({ waitsUntil: until });

/** Each control of a step type is in at least one of its examples. */
export const STEP_EXAMPLES: readonly StepExample[] = [
  {
    type: 'in_app',
    says: 'A message with two buttons.',
    controlValues: {
      subject: 'Order {{ payload.order.id }}',
      body: 'Your order is {{ payload.order.status }}.',
      avatar: '{{ subscriber.avatar }}',
      primaryAction: { label: 'Show', redirect: { url: '/orders/{{ payload.order.id }}', target: '_self' } },
      secondaryAction: { label: 'Later' },
      redirect: { url: '/orders', target: '_blank' },
      data: { order: '{{ payload.order.id }}' },
      disableOutputSanitization: false,
      runIf: { '==': [{ var: 'payload.plan' }, 'gold'] },
      skip: null,
    },
    result: {
      subject: 'Order 42',
      body: 'Your order is shipped.',
      avatar: 'https://x.test/ada.png',
      primaryAction: { label: 'Show', redirect: { url: '/orders/42', target: '_self' } },
      secondaryAction: { label: 'Later' },
      redirect: { url: '/orders', target: '_blank' },
      data: { order: '42' },
    },
  },
  {
    type: 'email',
    says: 'HTML without a layout. The value of the payload is escaped, and the preheader comes first and is hidden.',
    controlValues: {
      subject: 'Hello {{ subscriber.firstName }}',
      preheader: 'Order {{ payload.order.id }}',
      body: '<p>{{ payload.html }}</p>',
      editorType: 'html',
      layoutId: null,
      from: { email: 'shop@x.test', name: '{{ tenant.name }}' },
      replyTo: 'help@x.test',
      useProviderDefaults: false,
      disableOutputSanitization: false,
    },
    result: {
      subject: 'Hello Ada',
      body:
        '<span style="display:none;max-height:0;overflow:hidden;mso-hide:all">Order 42</span>' +
        '<p>&lt;b&gt;hi&lt;/b&gt;</p>',
    },
  },
  {
    type: 'sms',
    says: 'A text. Nothing is escaped.',
    controlValues: { body: '{{ payload.name }} & co: {{ payload.total }} EUR' },
    result: { body: 'Ada & co: 19.5 EUR' },
  },
  {
    type: 'chat',
    says: 'A text with a list.',
    controlValues: { body: 'Shipped for {{ payload.people | toSentence: "name" }}', editorType: 'text' },
    result: { body: 'Shipped for Ada, Bob, and 1 other' },
  },
  {
    type: 'push',
    says: 'A title and a text.',
    controlValues: { subject: 'Order {{ payload.order.id }}', body: '{{ payload.order.status | capitalize }}' },
    result: { subject: 'Order 42', body: 'Shipped' },
  },
  {
    type: 'digest',
    says: 'Collects for ten minutes, each order separately, if there was an event in the hour before.',
    controlValues: {
      type: 'regular',
      amount: 10,
      unit: 'minutes',
      digestKey: 'order.id',
      lookBackWindow: { amount: 1, unit: 'hours' },
      updateMode: false,
      extendToSchedule: true,
    },
    result: { ...waits('2030-01-01T00:10:00.000Z'), key: '42', lookBackMs: 3_600_000 },
  },
  {
    type: 'digest',
    says: 'The same look-back, written the other way.',
    controlValues: {
      type: 'backoff',
      amount: 10,
      unit: 'minutes',
      backoff: true,
      backoffAmount: 1,
      backoffUnit: 'hours',
    },
    result: { ...waits('2030-01-01T00:10:00.000Z'), lookBackMs: 3_600_000 },
  },
  {
    type: 'digest',
    says: 'Collects until the next hour.',
    controlValues: { type: 'timed', cron: '0 * * * *' },
    result: waits('2030-01-01T01:00:00.000Z'),
  },
  {
    type: 'digest',
    says: 'Collects until the next Monday morning.',
    controlValues: { type: 'timed', amount: 1, unit: 'weeks', timed: { atTime: '09:00', weekDays: ['monday'] } },
    result: waits('2030-01-07T09:00:00.000Z'),
  },
  {
    type: 'delay',
    says: 'Waits two hours.',
    controlValues: { type: 'regular', amount: 2, unit: 'hours', extendToSchedule: false },
    result: waits('2030-01-01T02:00:00.000Z'),
  },
  {
    type: 'delay',
    says: 'Waits until the next time of a cron expression.',
    controlValues: { type: 'timed', cron: '30 9 * * *' },
    result: waits('2030-01-01T09:30:00.000Z'),
  },
  {
    type: 'delay',
    says: 'Waits until a time of day.',
    controlValues: { type: 'timed', timed: { atTime: '18:00' } },
    result: waits('2030-01-01T18:00:00.000Z'),
  },
  {
    type: 'delay',
    says: 'Waits until a date in the payload.',
    controlValues: { type: 'scheduled', delayPath: 'at' },
    result: waits('2030-01-02T03:04:05.000Z'),
  },
  {
    type: 'delay',
    says: 'Waits as long as the payload says.',
    controlValues: { type: 'dynamic', dynamicKey: 'payload.wait' },
    result: waits('2030-01-01T02:00:00.000Z'),
  },
  {
    type: 'delay',
    says: 'Waits until the message of the step `mail` is read, at most half an hour.',
    controlValues: { type: 'until_read', step: 'mail', amount: 30, unit: 'minutes' },
    result: waits('2030-01-01T00:30:00.000Z'),
  },
  {
    type: 'throttle',
    says: 'Lets three notifications of an order through in an hour.',
    controlValues: { type: 'fixed', amount: 1, unit: 'hours', threshold: 3, throttleKey: 'order.id' },
    result: { windowMs: 3_600_000, threshold: 3, key: '42' },
  },
  {
    type: 'throttle',
    says: 'The window is in the payload.',
    controlValues: { type: 'dynamic', dynamicKey: 'payload.wait' },
    result: { windowMs: 7_200_000, threshold: 1 },
  },
  {
    type: 'custom',
    says: 'Computes a value for later steps.',
    controlValues: { label: '{{ payload.plan | capitalize }}' },
    result: { output: { label: 'Gold' } },
  },
];
