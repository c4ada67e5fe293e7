import { type Clarion, startClarion, storyOf } from './harness';

const PEOPLE = 60;

describe('many messages for one provider', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion();
    await clarion.integration('expo', 'push');
    await clarion.workflow('wave', [
      { type: 'push', controlValues: { subject: 'Hi', body: 'to {{subscriber.subscriberId}}' } },
    ]);
    for (let at = 0; at < PEOPLE; at += 1) {
      await clarion.must('POST', '/v2/subscribers', { subscriberId: `p${at}` });
      await clarion.must('PUT', `/v1/subscribers/p${at}/credentials`, {
        providerId: 'expo',
        credentials: { deviceTokens: [`ExponentPushToken[${at}]`] },
      });
    }
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  type Sent = { to: string; body: string };
  const calls = (): Sent[][] => clarion.provider.calls.map(({ body }) => JSON.parse(body) as Sent[]);
  /** While the worker is away the steps gather, so that it finds them all at once. */
  const waveTo = async (people: number): Promise<string[]> => {
    await clarion.stop('push');
    const events = Array.from({ length: people }, (_, at) => ({ name: 'wave', to: `p${at}` }));
    const results = await clarion.must<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', { events });
    const ids = results.map(({ transactionId }) => transactionId);
    for (const id of ids) await clarion.activity(id, ([one]) => one?.jobs?.[0]?.status === 'queued');
    await clarion.start('push');
    return ids;
  };
  const ended = (ids: string[], status: string) =>
    Promise.all(ids.map((id) => clarion.activity(id, ([one]) => one?.jobs?.[0]?.status === status)));

  it('shares calls, and every step keeps its own record', async () => {
    const ids = await waveTo(PEOPLE);
    const notifications = (await ended(ids, 'completed')).flat();
    expect(
      calls()
        .flat()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(Array.from({ length: PEOPLE }, (_, at) => `ExponentPushToken[${at}]`).sort());
    expect(calls().flat()).toContainEqual(expect.objectContaining({ to: 'ExponentPushToken[7]', body: 'to p7' }));
    expect(clarion.provider.count).toBeLessThan(PEOPLE / 4);
    for (const notification of notifications) {
      expect(storyOf(notification)).toEqual([
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

  it('fails for the one that the provider refused, and for nobody else', async () => {
    clarion.provider.always('/--/api/v2/push/send', ({ body }) => ({
      json: {
        data: (JSON.parse(body) as Sent[]).map(({ to }, at) =>
          to === 'ExponentPushToken[3]'
            ? { status: 'error', message: 'too big', details: { error: 'MessageTooBig' } }
            : { status: 'ok', id: `ticket-${at}` },
        ),
      },
    }));
    const ids = await waveTo(8);
    const [unlucky] = ids.splice(3, 1);
    await ended(ids, 'completed');
    const [[notification]] = (await ended([unlucky!], 'failed')) as [[never]];
    expect(storyOf(notification).flat()).toContain('Failed: Unexpected provider error');
  });
});
