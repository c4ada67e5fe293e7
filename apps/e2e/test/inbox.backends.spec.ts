import { type RealtimeEvent, RealtimeRelay } from '@clarion/queue';
import { until } from '@clarion/testing';
import { type Clarion, startClarion } from './harness';

describe('in-app messages', () => {
  let clarion: Clarion;
  let relay: RealtimeRelay;
  const received: RealtimeEvent[] = [];

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app'] });
    // A browser is connected to another process than the one that delivers.
    relay = new RealtimeRelay(clarion.context.queueBackend, clarion.resources.queue);
    await relay.subscribe((events) => void received.push(...events));
    await clarion.workflow('note', [{ type: 'in_app', controlValues: { body: 'x' } }]);
  });
  afterAll(async () => {
    await relay.close();
    await clarion.close();
  });

  it('publishes an in-app message, and delivers it a second time when its snooze ends', async () => {
    const notification = await clarion.run('note', 'ann');
    const [message] = await clarion.messages(notification.transactionId);
    const about = (kind: RealtimeEvent['kind']) =>
      received.filter((event) => event.kind === kind && event.messageIds.includes(message!._id!));
    await until(() => about('message.created').length > 0);
    expect(about('message.created')).toEqual([
      {
        v: 1,
        kind: 'message.created',
        environmentId: clarion.environmentId,
        subscriberId: notification._subscriberId,
        messageIds: [message!._id],
      },
    ]);
    expect(message!.deliveredAt).toHaveLength(1);

    const path = `/v2/subscribers/ann/notifications/${message!._id}`;
    await clarion.callOk('PATCH', `${path}/snooze`, { snoozeUntil: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await clarion.messages(notification.transactionId))[0]!.snoozedUntil).toEqual(expect.any(String));
    // Ends the snooze now instead of in an hour.
    await clarion.database.query(`UPDATE message SET snoozed_until = now() WHERE id = $1`, [message!._id]);
    const isUnsnoozed = async () => (await clarion.messages(notification.transactionId))[0]!.snoozedUntil === undefined;
    await until(isUnsnoozed);
    const [back] = await clarion.messages(notification.transactionId);
    expect(back!.deliveredAt).toHaveLength(2);
    await until(() => about('message.created').length === 2);
    const [job] = (
      await clarion.callOk<{ jobs: { executionDetails: { status: string; detail: string }[] }[] }>(
        'GET',
        `/v1/notifications/${notification._id}`,
      )
    ).jobs;
    expect(job!.executionDetails.map(({ status, detail }) => `${status}: ${detail}`)).toEqual([
      'Pending: Step queued',
      'Pending: Message created',
      'Success: Message sent',
      'Pending: Message snoozed',
      'Success: Message unsnoozed',
    ]);
  });
});
