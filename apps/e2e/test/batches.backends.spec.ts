import type { IntegrationDto, NotificationDto } from '@clarion/contracts';
import { type Clarion, historyOf, startClarion } from './harness';

const SUBSCRIBERS = 60;

describe('batches of messages for one provider', () => {
  let clarion: Clarion;
  let expo: IntegrationDto;

  beforeAll(async () => {
    clarion = await startClarion();
    expo = await clarion.integration('expo', 'push');
    await clarion.workflow('news', [
      { type: 'push', controlValues: { subject: 'Hi', body: 'to {{subscriber.subscriberId}}' } },
    ]);
    for (let at = 0; at < SUBSCRIBERS; at += 1) {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: `p${at}` });
      await clarion.callOk('PUT', `/v1/subscribers/p${at}/credentials`, {
        providerId: 'expo',
        credentials: { deviceTokens: [`ExponentPushToken[${at}]`] },
      });
    }
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  type Sent = { to: string; body: string };
  const calls = (): Sent[][] => clarion.provider.calls.map(({ body }) => JSON.parse(body) as Sent[]);
  /** When the worker last started. */
  let startedAt = 0;
  /** Queues the steps while the worker is stopped, so that it claims them together. */
  const sendTo = async (subscribers: number): Promise<string[]> => {
    await clarion.stop('push');
    const events = Array.from({ length: subscribers }, (_, at) => ({ name: 'news', to: `p${at}` }));
    const results = await clarion.callOk<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', { events });
    const ids = results.map(({ transactionId }) => transactionId);
    for (const id of ids) await clarion.activity(id, ([one]) => one?.jobs?.[0]?.status === 'queued');
    startedAt = Date.now();
    await clarion.start('push');
    return ids;
  };
  /** One after the other: most have ended when the first one has, and are read once. */
  const ended = async (ids: string[], status: string) => {
    const activities: NotificationDto[][] = [];
    for (const id of ids) activities.push(await clarion.activity(id, ([one]) => one?.jobs?.[0]?.status === status));
    return activities;
  };

  it('sends several messages per provider call and records each step separately', async () => {
    const ids = await sendTo(SUBSCRIBERS);
    const notifications = (await ended(ids, 'completed')).flat();
    expect(
      calls()
        .flat()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(Array.from({ length: SUBSCRIBERS }, (_, at) => `ExponentPushToken[${at}]`).sort());
    expect(calls().flat()).toContainEqual(expect.objectContaining({ to: 'ExponentPushToken[7]', body: 'to p7' }));
    expect(clarion.provider.count).toBeLessThan(SUBSCRIBERS / 4);
    for (const notification of notifications) {
      expect(historyOf(notification)).toEqual([
        [
          'push completed',
          'Pending: Step queued',
          'Pending: Expo Push provider was selected',
          'Pending: Message created',
          'Success: Message sent',
        ],
      ]);
    }
  });

  it('sends no more messages a second than the limit of the integration', async () => {
    const change = (rateLimit: number) =>
      clarion.callOk('PUT', `/v1/integrations/${expo._id}`, { configurations: { rateLimit } });
    await change(10);
    await ended(await sendTo(12), 'completed');
    expect(calls().flat()).toHaveLength(12);
    // Eleven intervals of 100 ms. Without the limit all calls arrive at once.
    expect(Math.max(...clarion.provider.calls.map(({ at }) => at)) - startedAt).toBeGreaterThan(1_000);
    await change(0);
  });

  it('fails only the message of a batch that the provider rejects', async () => {
    clarion.provider.always('/--/api/v2/push/send', ({ body }) => ({
      json: {
        data: (JSON.parse(body) as Sent[]).map(({ to }, at) =>
          to === 'ExponentPushToken[3]'
            ? { status: 'error', message: 'too big', details: { error: 'MessageTooBig' } }
            : { status: 'ok', id: `ticket-${at}` },
        ),
      },
    }));
    const ids = await sendTo(8);
    const [rejected] = ids.splice(3, 1);
    await ended(ids, 'completed');
    const [[notification]] = (await ended([rejected!], 'failed')) as [[NotificationDto]];
    expect(historyOf(notification).flat()).toContain('Failed: Unexpected provider error');
  });
});
