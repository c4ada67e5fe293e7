import { Novu } from '@novu/js';
import type { RunningGateway } from '@clarion/gateway';
import { until } from '@clarion/testing';
import { type Clarion, startAnotherGateway, startClarion } from './harness';

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
  const arrived = (text: string) => until(() => received.includes(text));

  it('sends what one gateway accepted to the inbox at the other, once, and the counts after a change', async () => {
    await send('one');
    await arrived('one');
    await until(() => counts.at(-1) === 1);
    await send('two');
    await arrived('two');
    expect(received).toEqual(['one', 'two']);
    await until(() => counts.at(-1) === 2);
    const [notification] = (await novu.notifications.list()).data!.notifications;
    // Read by a backend at the first gateway, as another page would.
    await clarion.callOk('PATCH', `/v2/subscribers/ada/notifications/${notification!.id}/read`);
    await until(() => counts.at(-1) === 1);
  });

  it('sends what came while the gateway was away, once', async () => {
    const { port } = new URL(second.url);
    await second.close();
    const transactionId = await send('three');
    await clarion.activity(transactionId, ([each]) => each?.jobs?.[0]?.status === 'completed');
    second = await startSecond(Number(port));
    await arrived('three');
    await send('four');
    await arrived('four');
    expect(received).toEqual(['one', 'two', 'three', 'four']);
    await until(() => counts.at(-1) === 3);
  });
});
