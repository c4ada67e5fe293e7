import { request } from 'node:http';
import {
  type ApiKeyDto,
  type CreatedApiKeyDto,
  LIMITS,
  type SubscriberDto,
  type SubscriberRowId,
} from '@clarion/contracts';
import { PresenceRepository, RealtimeRepository } from '@clarion/persistence';
import { Config, Metrics, SecretBox } from '@clarion/platform';
import { type RealtimeEvent, RealtimeRelay } from '@clarion/queue';
import { type GivenMessage, insertMessages, until } from '@clarion/testing';
import { io, type Socket } from 'socket.io-client';
import { InboxTokens } from '../src/edge/auth/inbox-tokens';
import { Sockets } from '../src/inbox/realtime/sockets';
import { waitingFor } from '../src/inbox/realtime/web-socket';
import { inboxToken, startOwnGateway, type TestGateway } from './harness';

type Sent = { event: string; data: Record<string, unknown> };
type ReceivedMessage = { content: string; subscriber: object };
type Client = {
  socket: Socket;
  sent: Sent[];
  /** The messages that were received, and their contents. */
  messages: () => ReceivedMessage[];
  contents: () => string[];
  counts: () => number[];
};

const HOUR = 3600 * 1000;

describe('connected inboxes', () => {
  let gateway: TestGateway;
  let ada: SubscriberDto;
  let bob: SubscriberDto;
  let signer: string;
  let clients: Socket[];

  beforeAll(async () => {
    gateway = await startOwnGateway();
    const keys = await gateway.call<ApiKeyDto[]>('GET', `/v1/environments/${gateway.environmentId}/api-keys`);
    signer = keys.body[0]!._id;
    ada = (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId: 'ada' })).body;
    bob = (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId: 'bob' })).body;
  });
  afterAll(() => gateway.close());
  beforeEach(() => (clients = []));
  afterEach(async () => {
    for (const client of clients) client.disconnect();
    await until(async () => (await openSockets()) === 0);
    await gateway.database.execute(`DELETE FROM message`);
  });

  const claimsOf = ({ _id, subscriberId }: SubscriberDto, contextKeys: string[] = []) => ({
    environmentId: gateway.environmentId,
    subscriberRowId: _id as SubscriberRowId,
    subscriberId,
    contextKeys,
    signer,
  });
  const tokenOf = (subscriber: SubscriberDto, contextKeys?: string[]) =>
    gateway.app.get(InboxTokens).issue(claimsOf(subscriber, contextKeys));
  const tokenBy = (by: string | null, subscriber: SubscriberDto) =>
    gateway.app.get(InboxTokens).issue({ ...claimsOf(subscriber), signer: by });
  const open = (token: string, options: object = {}): Client => {
    const socket = io(gateway.url, {
      transports: ['websocket'],
      query: { token },
      forceNew: true,
      reconnectionDelay: 10,
      ...options,
    });
    clients.push(socket);
    const sent: Sent[] = [];
    socket.onAny((event: string, data: Record<string, unknown>) => void sent.push({ event, data }));
    const of = (name: string) => sent.filter(({ event }) => event === name).map(({ data }) => data);
    const messages = () => of('notification_received').map(({ message }) => message as ReceivedMessage);
    return {
      socket,
      sent,
      messages,
      contents: () => messages().map(({ content }) => content),
      counts: () => of('unread_count_changed').map(({ unreadCount }) => unreadCount as number),
    };
  };
  const connect = async (token: string, options?: object): Promise<Client> => {
    const client = open(token, options);
    await until(() => client.socket.connected);
    return client;
  };
  const refusal = async (token: string, options?: object): Promise<string> => {
    const { socket } = open(token, options);
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    expect(socket.connected).toBe(false);
    return error.message;
  };
  const insert = async (subscriber: SubscriberDto, row: GivenMessage) =>
    (
      await insertMessages(gateway.database, [
        { environmentId: gateway.environmentId, subscriberId: subscriber._id!, ...row },
      ])
    )[0]!;
  const publish = (subscriber: SubscriberDto, messageId: string, kind: RealtimeEvent['kind'] = 'message.created') =>
    gateway.app
      .get(RealtimeRelay)
      .publish([
        { v: 1, kind, environmentId: gateway.environmentId, subscriberId: subscriber._id!, messageIds: [messageId] },
      ]);
  const arrive = async (subscriber: SubscriberDto, row: GivenMessage) => {
    const message = await insert(subscriber, row);
    await publish(subscriber, message.id);
    return message;
  };
  const metric = async (name: string) => {
    const lines = (await gateway.app.get(Metrics).expose()).split('\n');
    return Number(
      lines
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  };
  const openSockets = () => metric('clarion_sockets ');
  const online = async (subscriberId: string) =>
    (await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${subscriberId}`)).body;

  it('sends an arriving message and the counts to each inbox of the subscriber, once, in the same contexts', async () => {
    const first = await connect(tokenOf(ada));
    const second = await connect('', { auth: { token: tokenOf(ada) } });
    const inContext = await connect(tokenOf(ada, ['tenant:acme']));
    const other = await connect(tokenOf(bob));
    const message = await arrive(ada, { content: 'Hello', severity: 'high', subject: 'Hi', data: { a: 1 } });
    await publish(ada, message.id);
    await arrive(ada, { content: 'For Acme', contextKeys: ['tenant:acme'] });
    await arrive(bob, { content: 'For Bob' });
    const unseen = ({ sent }: Client) => sent.some(({ data }) => data['unseenCount'] === 1);
    await until(() => [first, second, inContext, other].every((one) => unseen(one) && one.contents().length > 0));
    for (const { contents } of [first, second]) expect(contents()).toEqual(['Hello']);
    expect(inContext.contents()).toEqual(['For Acme']);
    expect(other.contents()).toEqual(['For Bob']);
    expect(first.messages()[0]).toEqual({
      _id: message.id,
      _environmentId: gateway.environmentId,
      _subscriberId: ada._id,
      _notificationId: expect.any(String),
      transactionId: expect.any(String),
      channel: 'in_app',
      subject: 'Hi',
      content: 'Hello',
      read: false,
      seen: false,
      archived: false,
      createdAt: message.createdAt.toISOString(),
      updatedAt: expect.any(String),
      severity: 'high',
      data: { a: 1 },
      subscriber: { _id: ada._id, subscriberId: 'ada' },
      cta: {},
    });
    // The counts may come before the message.
    expect(first.sent.filter(({ event }) => event !== 'notification_received').slice(0, 2)).toEqual([
      {
        event: 'unread_count_changed',
        data: {
          unreadCount: 1,
          counts: { total: 1, severity: { high: 1, medium: 0, low: 0, none: 0 } },
          hasMore: false,
        },
      },
      { event: 'unseen_count_changed', data: { unseenCount: 1, hasMore: false } },
    ]);
  });

  it('sends new counts when a message is read, snoozed or deleted over HTTP', async () => {
    const { counts, contents } = await connect(tokenOf(ada));
    const [one, two] = [await arrive(ada, { content: '1' }), await arrive(ada, { content: '2' })];
    await until(() => counts().at(-1) === 2);
    await gateway.call('PATCH', `/v2/subscribers/ada/notifications/${one.id}/read`);
    await until(() => counts().at(-1) === 1);
    await gateway.call('PATCH', `/v2/subscribers/ada/notifications/${one.id}/unread`);
    await until(() => counts().at(-1) === 2);
    await gateway.call('DELETE', `/v1/messages/${two.id}`);
    await until(() => counts().at(-1) === 1);
    await until(() => contents().length === 2);
    expect(contents().sort()).toEqual(['1', '2']);
  });

  it('counts up to the limit and says that there are more', async () => {
    const client = await connect(tokenOf(ada));
    const row = { environmentId: gateway.environmentId, subscriberId: ada._id! };
    const messages = await insertMessages(gateway.database, Array<object>(LIMITS.inboxCount + 5).fill(row) as never);
    await publish(ada, messages[0]!.id, 'message.updated');
    await until(() => client.sent.length >= 2);
    expect(client.sent[0]!.data).toMatchObject({ unreadCount: 100, hasMore: true, counts: { total: 100 } });
    expect(client.sent[1]!.data).toEqual({ unseenCount: 100, hasMore: true });
  });

  it('sends a client that connects again what it missed, each message once, and the counts if they differ', async () => {
    const client = await connect(tokenOf(ada));
    await arrive(ada, { content: 'before' });
    await until(() => client.counts().length === 1 && client.sent.length === 3);
    client.socket.io.engine.close();
    await until(() => client.socket.disconnected);
    await until(() => client.socket.connected);
    client.socket.disconnect();
    // No event of the relay announces the first one.
    await insert(ada, { content: 'missed' });
    const witness = await connect(tokenOf(ada));
    await arrive(ada, { content: 'also missed' });
    // The event of the relay is over, so only what was missed can arrive.
    await until(() => witness.contents().includes('also missed'));
    client.socket.connect();
    await until(() => client.contents().length === 3 && client.counts().at(-1) === 3);
    expect(client.contents()).toEqual(['before', 'missed', 'also missed']);
    // A new page has read its inbox itself.
    const fresh = await connect(tokenOf(ada));
    await arrive(ada, { content: 'after' });
    await until(() =>
      [client, fresh].every(({ contents, counts }) => contents().includes('after') && counts().at(-1) === 4),
    );
    expect(client.contents()).toEqual(['before', 'missed', 'also missed', 'after']);
    expect(fresh.contents()).toEqual(['after']);
  });

  it('sends more than a page of missed messages in order', async () => {
    const client = await connect(tokenOf(ada));
    await arrive(ada, { content: '-' });
    await until(() => client.contents().length === 1);
    client.socket.disconnect();
    const now = Date.now();
    const rows = Array.from({ length: 230 }, (_, index) => ({
      environmentId: gateway.environmentId,
      subscriberId: ada._id!,
      content: String(index),
      createdAt: new Date(now + index),
    }));
    await insertMessages(gateway.database, rows);
    client.socket.connect();
    await until(() => client.contents().length === 231);
    expect(client.contents()).toEqual(['-', ...rows.map(({ content }) => content)]);
  });

  it('keeps little of large messages in memory for a client that does not read, and sends them when it does', async () => {
    const read = RealtimeRepository.prototype.messages;
    let handled = 0;
    const spy = jest.spyOn(RealtimeRepository.prototype, 'messages').mockImplementation(async function* (
      this: RealtimeRepository,
      ids,
    ) {
      for await (const rows of read.call(this, ids)) {
        yield rows;
        handled += rows.length;
      }
    });
    const client = await connect(tokenOf(ada));
    const { ws } = client.socket.io.engine.transport as unknown as { ws: { _socket: NodeJS.ReadStream } };
    ws._socket.pause();
    const contents = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(400_000)}`);
    for (const content of contents) await arrive(ada, { content });
    await until(() => handled >= contents.length);
    const [connection] = [...gateway.app.get(Sockets)['connections'].all()];
    expect(waitingFor(connection!.socket.conn).characters).toBeLessThan(2 * 1024 * 1024);
    ws._socket.resume();
    await until(() => client.contents().length === contents.length);
    expect(client.contents().sort()).toEqual(contents.sort());
    spy.mockRestore();
  });

  it('refuses tokens that are missing, forged, of another installation or expired, and does not say more', async () => {
    const tokens = gateway.app.get(InboxTokens);
    const expired = tokens.issue(claimsOf(ada), Date.now() - 25 * HOUR);
    const foreign = new InboxTokens(new SecretBox(SecretBox.generateKey())).issue(claimsOf(ada));
    const forged = tokenOf(ada).replace(/\.[^.]+$/, '.AAAA');
    for (const token of ['', 'x', foreign, forged]) expect(await refusal(token)).toBe('The inbox token is not valid');
    expect(await refusal(expired)).toMatch(/session has ended/);
    expect(await metric('clarion_socket_refusals_total{reason="token"}')).toBe(5);
  });

  it('disconnects a client whose token expires, and one whose subscriber does not exist', async () => {
    const tokens = gateway.app.get(InboxTokens);
    /** Why the client was disconnected. A slow machine that does not connect in time gets more time. */
    const endOf = async (leftMs: number): Promise<string> => {
      const { socket } = open(tokens.issue(claimsOf(ada), Date.now() - 24 * HOUR + leftMs));
      const reason = await new Promise<string | undefined>((resolve) => {
        socket.once('disconnect', resolve);
        socket.once('connect_error', () => resolve(undefined));
      });
      return reason ?? endOf(2 * leftMs);
    };
    expect(await endOf(2_000)).toBe('io server disconnect');
    const gone = (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId: 'gone' })).body;
    await gateway.call('DELETE', '/v2/subscribers/gone');
    const other = await connect(tokenOf(gone));
    await until(() => other.socket.disconnected);
  });

  it('disconnects open clients of a subscriber that is deleted, with the next check, and no others', async () => {
    const left = (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId: 'left' })).body;
    const [stays, goes] = [await connect(tokenOf(ada)), await connect(tokenOf(left), { reconnection: false })];
    await gateway.call('DELETE', '/v2/subscribers/left');
    // What the gateway does every 30 seconds, and after events of the relay may have been lost.
    gateway.app.get(Sockets)['deliveries'].checkAll();
    await until(() => goes.socket.disconnected);
    await arrive(ada, { content: 'still here' });
    await until(() => stays.contents().includes('still here'));
    expect(stays.socket.connected).toBe(true);
  });

  it('sends an unsigned session its messages without the profile, and does not count it as online', async () => {
    const profile = { subscriberId: 'eve', firstName: 'Eve', lastName: 'Moore', avatar: 'https://a.example/a.png' };
    const eve = (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', profile)).body;
    const [unsigned, signed] = [await connect(tokenBy(null, eve)), await connect(tokenOf(eve))];
    await arrive(eve, { content: 'Hello' });
    await until(() => [unsigned, signed].every(({ contents }) => contents().length === 1));
    // A count may come before the message, when the gateway checks the clients between the insert and the event.
    const shown = ({ messages }: Client) => messages()[0]!.subscriber;
    expect([shown(unsigned), shown(signed)]).toEqual([
      { _id: eve._id, subscriberId: 'eve' },
      { _id: eve._id, ...profile },
    ]);
    await until(async () => (await online('eve')).isOnline === true);
    signed.socket.disconnect();
    await until(async () => (await online('eve')).isOnline === false);
    expect(unsigned.socket.connected).toBe(true);
  });

  it('ends sessions with the key that signed them: open ones with the next check', async () => {
    const path = `/v1/environments/${gateway.environmentId}/api-keys`;
    const { _id } = (await gateway.call<CreatedApiKeyDto>('POST', path, {})).body;
    const token = tokenBy(_id, ada);
    const [stays, goes] = [await connect(tokenOf(ada)), await connect(token, { reconnection: false })];
    await gateway.call('DELETE', `${path}/${_id}`);
    gateway.app.get(Sockets)['deliveries'].checkAll();
    await until(() => goes.socket.disconnected);
    expect(await refusal(token)).toMatch(/session has ended/);
    expect(stays.socket.connected).toBe(true);
  });

  it('leaves half of the connections of a subscriber to its signed sessions', async () => {
    const most = LIMITS.socketsPerSubscriber / 2;
    for (let count = 0; count < most; count += 1) await connect(tokenBy(null, ada));
    expect(await refusal(tokenBy(null, ada))).toBe(
      `The subscriber has ${most} open connections, which is its limit at this gateway`,
    );
    await connect(tokenOf(ada));
  });

  it('refuses pages of origins that the environment does not allow', async () => {
    const path = `/v1/environments/${gateway.environmentId}`;
    expect((await gateway.call('PUT', path, { allowedOrigins: ['https://app.example.com'] })).status).toBe(200);
    const from = (origin: string) => ({ extraHeaders: { origin } });
    expect(await refusal(tokenOf(ada), from('https://evil.example'))).toMatch(/evil.example is not among/);
    await connect(tokenOf(ada), from('https://app.example.com'));
    await connect(tokenOf(ada));
    await gateway.call('PUT', path, { allowedOrigins: null });
  });

  it('limits the connections of a subscriber, of an environment, of its organization and of the gateway', async () => {
    const config = gateway.app.get(Config);
    for (let count = 0; count < LIMITS.socketsPerSubscriber; count += 1) await connect(tokenOf(ada));
    expect(await refusal(tokenOf(ada))).toBe(
      'The subscriber has 20 open connections, which is its limit at this gateway',
    );
    await connect(tokenOf(bob));
    const { key } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Beside' });
    await connect(await inboxToken(gateway, 'eve', key));
    const before = { ...config };
    // The environment has 21 connections; with those of the other one, the organization and the gateway have 22.
    for (const [what, limit, settings] of [
      ['environment', 21, { CLARION_SOCKETS_PER_ENVIRONMENT: 21 }],
      ['organization', 22, { CLARION_SOCKETS_PER_ENVIRONMENT: 22, CLARION_SOCKETS_PER_ORGANIZATION: 22 }],
      ['gateway', 22, { CLARION_SOCKETS: 22 }],
    ] as const) {
      Object.assign(config, before, settings);
      const { status, body } = await upgrade(`?EIO=4&transport=websocket&token=${tokenOf(bob)}`);
      expect(status).toBe(503);
      expect(body.message).toBe(`The ${what} has ${limit} open connections, which is its limit at this gateway`);
      expect(JSON.stringify(body)).not.toContain(tokenOf(bob).slice(0, 20));
    }
    Object.assign(config, before);
  });

  it('closes a connection that sends events, too many packets, or too many pings and pongs', async () => {
    const { socket } = await connect(tokenOf(ada), { reconnection: false });
    socket.emit('unread_count_changed', { unreadCount: 0 });
    await until(() => socket.disconnected);
    const flood = await connect(tokenOf(ada), { reconnection: false });
    for (let sent = 0; sent < 100; sent += 1) flood.socket.io.engine.write('', {});
    await until(() => flood.socket.disconnected);
    for (const frame of ['ping', 'pong'] as const) {
      const { socket } = await connect(tokenOf(ada), { reconnection: false });
      const { ws } = socket.io.engine.transport as unknown as { ws: Record<typeof frame, () => void> };
      for (let sent = 0; sent < 100; sent += 1) ws[frame]();
      await until(() => socket.disconnected);
    }
    const large = await connect(tokenOf(ada), { reconnection: false });
    large.socket.emit('x', 'y'.repeat(20_000));
    await until(() => large.socket.disconnected);
  });

  it('stores who is online, also after a gateway was killed', async () => {
    const client = await connect(tokenOf(bob));
    await until(async () => (await online('bob')).isOnline === true);
    const second = await connect(tokenOf(bob));
    client.socket.disconnect();
    await until(async () => (await openSockets()) === 1);
    const presences = gateway.app.get(PresenceRepository);
    const [killed] = await gateway.database.rows<{ id: string }>(`SELECT gen_random_uuid() AS id`);
    await presences.renew(killed!.id);
    const who = { environmentId: gateway.environmentId, subscriberId: bob._id as SubscriberRowId };
    await presences.change(killed!.id, [who], []);
    second.socket.disconnect();
    await until(async () => (await gateway.database.query(`SELECT 1 FROM presence`)).length === 1);
    // The other gateway still says that he is online.
    expect((await online('bob')).isOnline).toBe(true);
    await gateway.database.query(`UPDATE presence_lease SET lease_until = now() WHERE gateway_id = $1`, [killed!.id]);
    await presences.endLapsed();
    const { isOnline, lastOnlineAt } = await online('bob');
    expect(isOnline).toBe(false);
    expect(Math.abs(Date.parse(lastOnlineAt!) - Date.now())).toBeLessThan(60_000);
    expect(await presences.renew(killed!.id)).toBe(false);
  });

  it('answers requests that offer another protocol, and long polling, as plain requests', async () => {
    const offer = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    const { status } = await upgrade('', { path: '/health/live', headers: offer });
    expect(status).toBe(200);
    expect((await upgrade('', { path: '/v1/inbox' })).status).toBe(404);
    expect((await gateway.call('GET', '/socket.io/?EIO=4&transport=polling')).status).toBe(404);
    expect((await upgrade('?EIO=4&transport=polling&token=x')).status).toBe(400);
  });

  /** Sends a request that asks for a WebSocket, and returns the answer of a server that refuses it. */
  function upgrade(query: string, { path = '/socket.io/', headers = {} } = {}) {
    return new Promise<{ status: number; body: { message: string } }>((resolve, reject) => {
      const given = { connection: 'Upgrade', upgrade: 'websocket', ...headers };
      const call = request(`${gateway.url}${path}${query}`, { headers: given }, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => {
          const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
          resolve({ status: answer.statusCode!, body: isJson ? JSON.parse(text) : { message: text } });
        });
      });
      call.on('error', reject).end();
    });
  }
});
