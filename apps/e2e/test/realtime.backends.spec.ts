import { Novu } from '@novu/js';
import type { RunningGateway } from '@clarion/gateway';
import { type Clarion, eventually, startAnotherGateway, startClarion } from './harness';

type Received = { result: { id: string; body: string; isRead: boolean } };

/** The unmodified client of the inbox, connected to a gateway that is not the one that takes the triggers. */
describe('connected inboxes of two gateways', () => {
  let clarion: Clarion;
  let second: RunningGateway;
  let novu: Novu;
  const received: string[] = [];
  const counts: number[] = [];

  const startSecond = (port?: number) => startAnotherGateway(clarion, port);

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app'], demoProviders: true });
    second = await startSecond();
    await clarion.workflow('note', [{ type: 'in_app', controlValues: { body: '{{payload.text}}' } }]);
    const { identifier } = (await clarion.callOk<{ identifier: string }[]>('GET', '/v1/environments'))[0]!;
    novu = new Novu({
      applicationIdentifier: identifier,
      subscriber: 'ada',
      apiUrl: second.url,
      socketUrl: second.url,
    });
    novu.on('notifications.notification_received', ({ result }: Received) => void received.push(result.body));
    novu.on('notifications.unread_count_changed', ({ result }) => void counts.push(result.total));
    const connected = new Promise((resolve) => novu.on('socket.connect.resolved', resolve));
    await connected;
  });
  afterAll(async () => {
    await novu.socket.disconnect();
    await second.close();
    await clarion.close();
  });

  const send = (text: string) => clarion.trigger('note', 'ada', { payload: { text } });
  const arrived = (text: string) => eventually(() => received.includes(text));

  it('sends what one gateway accepted to the inbox at the other, once, and the counts after a change', async () => {
    await send('one');
    expect(await arrived('one')).toBe(true);
    expect(await eventually(() => counts.at(-1) === 1)).toBe(true);
    await send('two');
    expect(await arrived('two')).toBe(true);
    expect(received).toEqual(['one', 'two']);
    expect(await eventually(() => counts.at(-1) === 2)).toBe(true);
    const [notification] = (await novu.notifications.list()).data!.notifications;
    // Read by a backend at the first gateway, as another page would.
    await clarion.callOk('PATCH', `/v2/subscribers/ada/notifications/${notification!.id}/read`);
    expect(await eventually(() => counts.at(-1) === 1)).toBe(true);
  });

  it('sends what came while the gateway was away, once', async () => {
    const { port } = new URL(second.url);
    await second.close();
    const transactionId = await send('three');
    await clarion.activity(transactionId, ([each]) => each?.jobs?.[0]?.status === 'completed');
    second = await startSecond(Number(port));
    expect(await arrived('three')).toBe(true);
    await send('four');
    expect(await arrived('four')).toBe(true);
    expect(received).toEqual(['one', 'two', 'three', 'four']);
    expect(await eventually(() => counts.at(-1) === 3)).toBe(true);
  });
});
