import type { NotificationDto, TriggerResultDto } from '@clarion/contracts';
import { allEnded, type Clarion, detailsOf, startClarion } from './harness';

const OUTCOMES: Record<string, string> = {
  would_send: 'completed',
  would_complete: 'completed',
  would_wait: 'completed',
  would_fail: 'failed',
  would_merge: 'merged',
};

/** Several messages of a step are sent at the same time: their details are in no order. */
const inOrder = (lines: string[]): string[] =>
  lines.filter((line) => line === 'Pending: Message created').length > 1 ? [...lines].sort() : lines;

describe('dry run', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion();
    await clarion.integration('sendgrid', 'email');
    await clarion.integration('resend', 'email');
    await clarion.integration('twilio', 'sms');
    await clarion.integration('slack', 'chat');
    await clarion.integration('discord', 'chat');
    await clarion.integration('expo', 'push');
  });
  afterAll(() => clarion.close());

  const only = (value: string) => [
    { type: 'GROUP', value: 'AND', children: [{ on: 'payload', field: 'kind', value, operator: 'EQUAL' }] },
  ];

  it('predicts outcome, execution details and content of every step of the real run', async () => {
    await clarion.callOk('POST', '/v1/tenants', { identifier: 'acme', name: 'Acme' });
    await clarion.callOk('POST', '/v2/topics', { key: 'news', name: 'News' });
    await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'ann', email: 'ann@x.test' });
    await clarion.callOk('PUT', '/v1/subscribers/ann/credentials', {
      providerId: 'discord',
      credentials: { webhookUrl: `${clarion.provider.url}/discord` },
    });
    await clarion.workflow(
      'everything',
      [
        { type: 'throttle', controlValues: { amount: 1, unit: 'hours' } },
        { type: 'custom', controlValues: { greeting: 'Hi {{subscriber.firstName}}' } },
        {
          type: 'in_app',
          controlValues: { body: 'A' },
          variants: [{ name: 'V', active: true, filters: only('a'), controlValues: { body: 'V' } }],
        },
        { type: 'in_app', controlValues: { body: 'B' }, filters: only('b') },
        { type: 'email', controlValues: { subject: '{{steps.s1.greeting}}', body: '<p>Hello</p>' } },
        { type: 'email', controlValues: { subject: 'S', body: '{% if payload.x %}' } },
        { type: 'sms', controlValues: { body: 'S' } },
        { type: 'chat', controlValues: { body: 'C' } },
        { type: 'push', controlValues: { subject: 'T', body: 'P' } },
        { type: 'delay', controlValues: { amount: 1, unit: 'hours' } },
        { type: 'digest', controlValues: { amount: 1, unit: 'hours' } },
        { type: 'in_app', controlValues: { body: '{{steps.s10.eventCount}}' } },
        { type: 'delay', controlValues: { type: 'dynamic', dynamicKey: 'nowhere' } },
        { type: 'in_app', controlValues: { body: 'never' } },
      ].map((step, index) => ({ ...step, stepId: `s${index}` })) as never,
    );
    const event = {
      name: 'everything',
      to: {
        subscriberId: 'ann',
        firstName: 'Ann',
        channels: [
          { providerId: 'slack', credentials: { webhookUrl: `${clarion.provider.url}/slack` } },
          { providerId: 'expo', credentials: { deviceTokens: ['one', 'two'] } },
        ],
      },
      payload: { kind: 'a' },
      tenant: 'acme',
      overrides: { severity: 'high', nonsense: 1 },
    };
    const { dryRun } = await clarion.callOk<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=true', event);
    const { name, to, ...more } = event;
    const transactionId = await clarion.trigger(name, to, more);
    const waiting = (count: number) => (notifications: NotificationDto[]) =>
      notifications[0]?.jobs?.filter(
        ({ type, status }) => (type === 'delay' || type === 'digest') && status === 'completed',
      ).length === count && notifications[0].jobs.some(({ status }) => status === 'delayed');
    for (const passed of [0, 1]) {
      await clarion.activity(transactionId, waiting(passed));
      await clarion.makeDue(transactionId);
    }
    const [notification] = await clarion.activity(transactionId, allEnded());

    const { steps } = dryRun!.recipients[0]!;
    expect(steps.map(({ details }) => inOrder(details.map(({ status, detail }) => `${status}: ${detail}`)))).toEqual(
      notification!.jobs!.map((job) => inOrder(detailsOf(job))),
    );
    // A dry run does not distinguish canceled and skipped steps.
    expect(steps.map(({ type, outcome }) => `${type} ${OUTCOMES[outcome] ?? 'skipped'}`)).toEqual(
      notification!.jobs!.map(({ type, status }) => `${type} ${status === 'canceled' ? 'skipped' : status}`),
    );
    const messages = await clarion.messages(transactionId);
    const sent = messages.filter(({ channel }) => channel === 'email').map(({ subject }) => subject);
    expect(sent).toEqual([steps[4]!.content!.subject]);
    expect(messages.filter(({ channel }) => channel === 'in_app').map(({ content }) => content)).toEqual(
      steps.flatMap(({ type, outcome, content }) =>
        type === 'in_app' && outcome === 'would_send' ? [content!.body] : [],
      ),
    );
  });
});
