import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  type EnvironmentId,
  type InboundEventDto,
  type IntegrationDto,
  LIMITS,
  newId,
  type SuppressionListDto,
  TENANT_LIMITS,
} from '@clarion/contracts';
import { type ExecutionDetail, type FullMessage, IntegrationRepository, type Message } from '@clarion/persistence';
import { PROVIDERS } from '@clarion/providers';
import { insertMessages, until } from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';
import { exchange, open } from './raw-http';

const KEY = `whsec_${Buffer.from('a key of some length').toString('base64')}`;
const CHANNELS: Record<string, string> = {
  plivo: 'sms',
  twilio: 'sms',
  'burst-sms': 'sms',
  slack: 'chat',
  'whatsapp-business': 'chat',
};
const SENDER = { from: 'hello@clarion.test', senderName: 'Clarion' };

type Refusal = { statusCode: number; message: string };
type Reply<T = InboundEventDto[]> = { status: number; headers: Headers; text: string; body: T };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ LOG_LEVEL: 'info' });
});
afterAll(() => gateway.close());

const integrate = async (
  providerId = 'resend',
  configurations: object = { inboundWebhookEnabled: true, inboundWebhookSigningKey: KEY },
  credentials: object = { apiKey: 're_key', ...SENDER },
): Promise<IntegrationDto> => {
  const channel = CHANNELS[providerId] ?? 'email';
  const body = { providerId, channel, credentials, configurations, identifier: newId() };
  return (await gateway.call<IntegrationDto>('POST', '/v1/integrations', body)).body;
};

const pathOf = ({ _environmentId, _id }: IntegrationDto): string =>
  `/v2/inbound-webhooks/delivery-providers/${_environmentId}/${_id}`;

/** Sends a request as a provider does: without an API key. */
async function post<T = InboundEventDto[]>(
  path: string,
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
  url = gateway.url,
): Promise<Reply<T>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : text) as T };
}

const now = (): number => Math.floor(Date.now() / 1000);

/** The headers with which Resend signs a body. */
function signed(body: string, { id = newId(), timestamp = now(), key = KEY } = {}): Record<string, string> {
  const secret = Buffer.from(key.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'svix-id': id, 'svix-timestamp': String(timestamp), 'svix-signature': `v1,${signature}` };
}

const eventOf = (type: string, data: object = {}): string =>
  JSON.stringify({ type, created_at: new Date().toISOString(), data });

/** Sends a signed webhook of Resend. */
const sendEvent = (integration: IntegrationDto, type: string, data: object, id?: string): Promise<Reply> => {
  const body = eventOf(type, data);
  return post(pathOf(integration), body, signed(body, { id }));
};

const messageOf = async (integration: IntegrationDto, more: Partial<Message> = {}): Promise<FullMessage> => {
  const [message] = await insertMessages(gateway.database, [
    {
      environmentId: integration._environmentId as EnvironmentId,
      integrationId: integration._id!,
      subscriberId: newId(),
      channel: integration.channel,
      providerMessageId: newId(),
      email: 'bob@example.com',
      ...more,
    },
  ]);
  return message!;
};
const read = async (id: string): Promise<Message> =>
  (await gateway.database.rows<Message>(`SELECT * FROM message WHERE id = $1`, [id]))[0]!;
const detailsOf = (messageId: string): Promise<ExecutionDetail[]> =>
  gateway.database.rows<ExecutionDetail>(`SELECT * FROM execution_detail WHERE message_id = $1 ORDER BY id`, [
    messageId,
  ]);
const suppressed = async (address: string): Promise<SuppressionListDto['data']> =>
  (await gateway.call<SuppressionListDto>('GET', `/v1/suppressions?address=${encodeURIComponent(address)}`)).body.data;

describe('delivery webhooks', () => {
  it('accepts a signed webhook without an API key and reports the result of each event', async () => {
    const integration = await integrate();
    const message = await messageOf(integration);
    const answer = await sendEvent(integration, 'email.delivered', { email_id: message.providerMessageId }, 'msg_1');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        id: 'msg_1',
        event: { status: 'delivered', date: expect.stringMatching(/Z$/), externalId: message.providerMessageId },
        applied: true,
      },
    ]);
    expect(await detailsOf(message.id)).toEqual([
      expect.objectContaining({
        environmentId: gateway.environmentId,
        notificationId: message.notificationId,
        stepId: message.stepId,
        status: 'Success',
        detail: 'Message delivered',
        source: 'Webhook',
        providerId: 'resend',
      }),
    ]);
    const raw = JSON.parse((await detailsOf(message.id))[0]!.raw!) as object;
    expect(raw).toMatchObject({ kind: 'delivered', eventId: 'msg_1', at: expect.stringMatching(/Z$/) as string });
    expect((await read(message.id)).deliveredAt).toHaveLength(1);
  });

  it.each<[string, object, string, Partial<Message>]>([
    ['email.sent', {}, 'Success: Message sent by the provider', { status: 'sent' }],
    ['email.delivery_delayed', {}, 'Warning: Message deferred', { status: 'sent', deliveredAt: null }],
    [
      'email.bounced',
      { bounce: { type: 'Transient', message: 'mailbox full' } },
      'Failed: Message bounced',
      { status: 'error', errorId: 'message_bounced', errorText: 'mailbox full' },
    ],
    ['email.suppressed', {}, 'Failed: Message rejected', { status: 'error', errorId: 'message_rejected' }],
    [
      'email.failed',
      { failed: { reason: 'quota' } },
      'Failed: Message failed',
      { status: 'error', errorId: 'message_failed', errorText: 'quota' },
    ],
    ['email.opened', {}, 'ReadConfirmation: Message read', { status: 'sent', read: true, seen: true }],
    // Who clicks has read the message, also if the mail program shows no images.
    ['email.clicked', {}, 'Success: Message clicked', { status: 'sent', read: true, seen: true }],
    ['email.complained', {}, 'Warning: Message complaint', { status: 'sent' }],
  ])('applies %s %j as "%s"', async (type, data, line, state) => {
    const integration = await integrate();
    const { id, providerMessageId } = await messageOf(integration);
    await sendEvent(integration, type, { email_id: providerMessageId, ...data });
    expect((await detailsOf(id)).map(({ status, detail }) => `${status}: ${detail}`)).toEqual([line]);
    expect(await read(id)).toMatchObject(state);
  });

  it('finds the message by its Clarion id when the event carries it', async () => {
    const integration = await integrate();
    const { id } = await messageOf(integration, { providerMessageId: null });
    const answer = await sendEvent(integration, 'email.opened', { tags: { message_id: id.toUpperCase() } });
    expect(answer.body).toMatchObject([{ applied: true }]);
    expect(await read(id)).toMatchObject({ read: true, lastReadAt: expect.any(Date) as Date });
  });

  it('applies an event once when it is delivered ten times concurrently', async () => {
    const integration = await integrate();
    const { id, providerMessageId } = await messageOf(integration);
    const body = eventOf('email.opened', { email_id: providerMessageId });
    const headers = signed(body);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(pathOf(integration), body, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body: [event] }) => event!.applied)).toHaveLength(1);
    expect(await detailsOf(id)).toHaveLength(1);
  });

  it('keeps the read and delivered state when a deferred event arrives later', async () => {
    const integration = await integrate();
    const { id, providerMessageId: email_id } = await messageOf(integration);
    await sendEvent(integration, 'email.opened', { email_id });
    await sendEvent(integration, 'email.delivered', { email_id });
    await sendEvent(integration, 'email.delivery_delayed', { email_id });
    expect(await read(id)).toMatchObject({ status: 'sent', read: true, deliveredAt: [expect.any(Date)] });
    expect(await detailsOf(id)).toHaveLength(3);
  });

  it('applies an event that arrives before the worker has stored the message', async () => {
    const integration = await integrate();
    const providerMessageId = newId();
    const pending = sendEvent(integration, 'email.delivered', { email_id: providerMessageId });
    const isStored = async (): Promise<boolean> =>
      (await gateway.database.query(`SELECT 1 FROM delivery_event WHERE integration_id = $1`, [integration._id]))
        .length > 0;
    while (!(await isStored()));
    const { id } = await messageOf(integration, { providerMessageId });
    expect((await pending).body).toMatchObject([{ applied: true }]);
    expect(await detailsOf(id)).toHaveLength(1);
  });

  it('does not apply an event to a message of another integration', async () => {
    const integration = await integrate();
    const other = await integrate();
    const message = await messageOf(other);
    const body = eventOf('email.bounced', { email_id: message.providerMessageId });
    const old = body.replace(/"created_at":"[^"]*"/, '"created_at":"2026-01-01T00:00:00Z"');
    expect((await post(pathOf(integration), old, signed(old))).body).toMatchObject([{ applied: false }]);
    expect(await detailsOf(message.id)).toEqual([]);
    expect((await read(message.id)).status).toBe('sent');
  });
});

describe('authentication of delivery webhooks', () => {
  const body = eventOf('email.delivered', { email_id: 'x' });
  const refusalOf = async (integration: IntegrationDto, headers: Record<string, string>): Promise<[number, string]> => {
    const answer = await post<Refusal>(pathOf(integration), body, headers);
    return [answer.status, answer.body.message];
  };

  it('rejects a webhook whose signature is missing, wrong or expired, and stores nothing', async () => {
    const integration = await integrate();
    const wrong = `whsec_${Buffer.from('another key').toString('base64')}`;
    expect(await refusalOf(integration, {})).toEqual([401, expect.stringContaining('signed time')]);
    expect(await refusalOf(integration, signed(body, { key: wrong }))).toEqual([
      401,
      expect.stringContaining('signature does not fit'),
    ]);
    expect(await refusalOf(integration, signed(`${body} `))).toEqual([401, expect.stringContaining('signature')]);
    expect(await refusalOf(integration, signed(body, { timestamp: now() - 600 }))).toEqual([
      401,
      expect.stringContaining('signed time'),
    ]);
    expect(await refusalOf(integration, { authorization: `ApiKey ${gateway.key}` })).toEqual([401, expect.any(String)]);
    const stored = await gateway.database.query(`SELECT 1 FROM delivery_event WHERE integration_id = $1`, [
      integration._id,
    ]);
    expect(stored).toEqual([]);
  });

  it('rejects a webhook while no signing key is configured', async () => {
    const integration = await integrate('resend', { inboundWebhookEnabled: true });
    expect(await refusalOf(integration, signed(body))).toEqual([
      401,
      expect.stringContaining('configurations.inboundWebhookSigningKey'),
    ]);
  });

  it('rejects webhooks until inboundWebhookEnabled is set', async () => {
    const integration = await integrate('resend', { inboundWebhookSigningKey: KEY });
    expect(await refusalOf(integration, signed(body))).toEqual([
      403,
      expect.stringContaining('configurations.inboundWebhookEnabled'),
    ]);
    expect((await fetch(gateway.url + pathOf(integration))).status).toBe(403);
    await gateway.call('PUT', `/v1/integrations/${integration._id}`, {
      configurations: { inboundWebhookEnabled: true },
    });
    expect((await post(pathOf(integration), body, signed(body))).status).toBe(200);
  });

  it('verifies with the signing key, which is stored encrypted and shown masked', async () => {
    const masked = await startGateway({ CLARION_CREDENTIALS_IN_RESPONSES: 'masked' });
    try {
      const { body: integration } = await masked.call<IntegrationDto>('POST', '/v1/integrations', {
        providerId: 'resend',
        channel: 'email',
        configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: KEY },
      });
      expect(integration.configurations!.inboundWebhookSigningKey).toMatch(/^••••/);
      const rows = await masked.database.query(`SELECT configurations::text AS text FROM integration`);
      expect(JSON.stringify(rows)).not.toContain(KEY);
      expect((await post(pathOf(integration), body, signed(body), masked.url)).status).toBe(200);
    } finally {
      await masked.close();
    }
  });

  it('ignores the idempotency key of a webhook', async () => {
    const integration = await integrate();
    const { providerMessageId: email_id, id } = await messageOf(integration);
    for (const type of ['email.delivered', 'email.opened']) {
      const text = eventOf(type, { email_id });
      const answer = await post(pathOf(integration), text, { ...signed(text), 'idempotency-key': 'once' });
      expect(answer.body).toMatchObject([{ applied: true }]);
    }
    expect(await detailsOf(id)).toHaveLength(2);
  });
});

describe('delivery webhooks for an unknown URL', () => {
  it('answers the same 404 for an unknown, deleted, foreign or malformed integration', async () => {
    const integration = await integrate();
    const gone = await integrate();
    await gateway.call('DELETE', `/v1/integrations/${gone._id}`);
    const second = await gateway.secondKey();
    const { body: foreign } = await callGateway<IntegrationDto>(gateway.url, second, 'POST', '/v1/integrations', {
      providerId: 'resend',
      channel: 'email',
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: KEY },
    });
    const base = '/v2/inbound-webhooks/delivery-providers';
    const body = eventOf('email.sent');
    const answers = await Promise.all(
      [
        `${base}/${integration._environmentId}/${newId()}`,
        `${base}/${newId()}/${integration._id}`,
        `${base}/${foreign._environmentId}/${integration._id}`,
        `${base}/${integration._environmentId}/${foreign._id}`,
        pathOf(gone),
        `${base}/${integration._environmentId}/not-an-id`,
        `${base}/%00/${'x'.repeat(4000)}`,
        `${base}/'%20OR%201=1/;--`,
      ].map((path) => post<Refusal>(path, body, signed(body))),
    );
    expect(answers.map(({ status, body: { message } }) => [status, message])).toEqual(
      answers.map(() => [404, 'There is no such integration']),
    );
    expect((await post(pathOf(foreign), body, signed(body))).status).toBe(200);
  });

  it('looks integrations up with one statement at a time, each in the environment that is named', async () => {
    const integration = await integrate();
    const base = '/v2/inbound-webhooks/delivery-providers';
    const body = eventOf('email.sent');
    const find = IntegrationRepository.prototype.findCalled;
    let [running, most] = [0, 0];
    const lookup = jest.spyOn(IntegrationRepository.prototype, 'findCalled').mockImplementation(async function (
      this: IntegrationRepository,
      called,
    ) {
      running += 1;
      most = Math.max(most, running);
      return find.call(this, called).finally(() => (running -= 1));
    });
    const invented = Array.from({ length: 40 }, () => `${base}/${integration._environmentId}/${newId()}`);
    const paths = [pathOf(integration), `${base}/${newId()}/${integration._id}`, ...invented];
    const answers = await Promise.all(paths.map((path) => post<Refusal>(path, body, signed(body))));
    expect(answers.map(({ status }) => status)).toEqual([200, ...paths.slice(1).map(() => 404)]);
    expect(most).toBe(1);
    lookup.mockRestore();
  });

  const headOf = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${LIMITS.bodyBytes}\r\n`;

  it.each(['/v2/inbound-webhooks/delivery-providers', '/v1/integrations/chat/updates'])(
    'answers 404 to a call of %s for an unknown integration before its body has arrived',
    async (base) => {
      const path = `${base}/${newId()}/${newId()}`;
      for (const _ of ['looked up', 'remembered']) {
        expect((await exchange(gateway.url, `${headOf(path)}\r\n`)).status).toBe(404);
      }
    },
  );

  it('reads a limited number of bytes at a time for the integrations of an environment', async () => {
    const path = pathOf(await integrate());
    const most = TENANT_LIMITS.keylessBytes().environment / LIMITS.bodyBytes;
    const accepted: Socket[] = [];
    const callers = Array.from({ length: most + 1 }, () => {
      const caller = open(gateway.url);
      caller.write(`${headOf(path)}Expect: 100-continue\r\n\r\n`);
      return caller.once('data', () => accepted.push(caller));
    });
    await until(() => accepted.length >= most);
    expect((await gateway.call('GET', '/v2/subscribers')).status).toBe(200);
    expect(accepted).toHaveLength(most);
    accepted[0]!.destroy();
    await until(() => accepted.length > most);
    for (const caller of callers) caller.destroy();
  });

  it('answers 404 with a reason for a provider that reports no delivery events', async () => {
    const slack = await integrate('slack', { inboundWebhookEnabled: true }, {});
    expect(await post<Refusal>(pathOf(slack), '{}')).toMatchObject({
      status: 404,
      body: { message: 'Slack reports no delivery events' },
    });
  });
});

it('records the reason of an event without secrets of the environment and of the integration', async () => {
  await gateway.call('POST', '/v1/environment-variables', {
    key: 'TOKEN',
    isSecret: true,
    values: [{ _environmentId: gateway.environmentId, value: 'hush-hush' }],
  });
  const integration = await integrate();
  const { id, providerMessageId } = await messageOf(integration);
  const message = 'rejected: Code hush-hush, key re_key';
  await sendEvent(integration, 'email.bounced', {
    email_id: providerMessageId,
    bounce: { type: 'Transient', message },
  });
  const shown = [await read(id), ...(await detailsOf(id))];
  expect(JSON.stringify(shown)).toContain('rejected: Code [redacted], key [redacted]');
  expect(JSON.stringify(shown)).not.toContain('hush');
});

describe('suppression by delivery events', () => {
  it('suppresses an address after a permanent bounce or a complaint, and after no other event', async () => {
    const integration = await integrate();
    const recipients = ['gone@example.com', 'full@example.com', 'angry@example.com', 'happy@example.com'];
    const message = await messageOf(integration, { recipients });
    const sendFor = (type: string, to: string, more: object = {}): Promise<Reply> =>
      sendEvent(integration, type, { email_id: message.providerMessageId, to: [to], ...more });
    await sendFor('email.bounced', 'Gone@Example.com', { bounce: { type: 'Permanent' } });
    await sendFor('email.bounced', 'full@example.com', { bounce: { type: 'Transient' } });
    await sendFor('email.complained', 'angry@example.com');
    await sendFor('email.opened', 'happy@example.com');
    expect(await suppressed('gone@example.com')).toEqual([
      {
        _id: expect.any(String) as string,
        _environmentId: gateway.environmentId,
        channel: 'email',
        address: 'gone@example.com',
        reason: 'bounce',
        providerId: 'resend',
        _integrationId: integration._id,
        _messageId: message.id,
        _notificationId: expect.any(String) as string,
        createdAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
    expect(await suppressed('angry@example.com')).toMatchObject([{ reason: 'complaint' }]);
    expect([...(await suppressed('full@example.com')), ...(await suppressed('happy@example.com'))]).toEqual([]);
  });

  it('does not suppress an address of an unknown message or one that the message was not sent to', async () => {
    const integration = await integrate();
    const data = { email_id: 'other', to: ['stranger@example.com'], bounce: { type: 'Permanent' } };
    expect((await sendEvent(integration, 'email.bounced', data)).body).toMatchObject([{ applied: false }]);
    expect(await suppressed('stranger@example.com')).toEqual([]);
    const { providerMessageId } = await messageOf(integration, { recipients: ['bob@example.com'] });
    const moved = { ...data, email_id: providerMessageId };
    expect((await sendEvent(integration, 'email.bounced', moved)).body).toMatchObject([{ applied: true }]);
    expect(await suppressed('stranger@example.com')).toEqual([]);
  });

  it('does not suppress an address again when the same event is repeated', async () => {
    const integration = await integrate();
    const { providerMessageId } = await messageOf(integration, { recipients: ['lifted@example.com'] });
    const data = { email_id: providerMessageId, to: ['lifted@example.com'] };
    await sendEvent(integration, 'email.complained', data, 'msg_lifted');
    expect((await gateway.call('DELETE', '/v1/suppressions/email/lifted@example.com')).status).toBe(204);
    await sendEvent(integration, 'email.complained', data, 'msg_lifted');
    expect(await suppressed('lifted@example.com')).toEqual([]);
  });
});

describe('webhook signatures that do not cover the body', () => {
  const mailgunReport = (signature: object, message: Message, event: string, id = newId()): string =>
    JSON.stringify({
      signature,
      'event-data': {
        id,
        event,
        timestamp: now(),
        recipient: message.email,
        'user-variables': { messageId: message.id },
        message: { headers: { 'message-id': message.providerMessageId } },
      },
    });
  const mailgunSignature = (token: string, timestamp = String(now())): Record<string, string> => ({
    timestamp,
    token,
    signature: createHmac('sha256', KEY)
      .update(timestamp + token)
      .digest('hex'),
  });

  it('rejects a Mailgun signature with another body, and accepts a repeat of the same body', async () => {
    const integration = await integrate(
      'mailgun',
      { inboundWebhookEnabled: true, inboundWebhookSigningKey: KEY },
      { apiKey: 'k', user: 'api', domain: 'example.com', ...SENDER },
    );
    const [seen, target] = [await messageOf(integration), await messageOf(integration)];
    const signature = mailgunSignature(`0123${newId()}`);
    const genuine = mailgunReport(signature, seen, 'delivered');
    expect((await post(pathOf(integration), genuine)).body).toMatchObject([{ applied: true }]);
    expect((await post(pathOf(integration), genuine)).status).toBe(200);
    const cut = { ...signature, timestamp: `${signature['timestamp']}012`, token: signature['token']!.slice(3) };
    for (const used of [signature, cut]) {
      const answer = await post<Refusal>(pathOf(integration), mailgunReport(used, target, 'complained'));
      expect([answer.status, answer.body.message]).toEqual([401, 'The signature was used before, with another report']);
    }
    expect(await detailsOf(target.id)).toEqual([]);
    expect(await suppressed(target.email!)).toEqual([]);
  });

  it('rejects a Plivo signature that is reused with another body or query', async () => {
    const integration = await integrate(
      'plivo',
      { inboundWebhookEnabled: true },
      { accountSid: 'A', token: 't', from: '1' },
    );
    const sms = { email: null, phone: '+15551230001', recipients: ['+15551230001'] };
    const [seen, target] = [await messageOf(integration, sms), await messageOf(integration, sms)];
    const nonce = newId();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-plivo-signature-v2-nonce': nonce,
      'x-plivo-signature-v2': createHmac('sha256', 't')
        .update(gateway.url + pathOf(integration) + nonce)
        .digest('base64'),
    };
    const report = (message: Message, Status: string): string =>
      new URLSearchParams({
        MessageUUID: message.providerMessageId!,
        Status,
        ...(Status !== 'delivered' && { ErrorCode: '50' }),
        To: sms.phone,
      }).toString();
    const send = (body: string, query = ''): Promise<Reply> => post(pathOf(integration) + query, body, headers);
    expect((await send(report(seen, 'delivered'))).body).toMatchObject([{ applied: true }]);
    expect((await send(report(seen, 'delivered'))).status).toBe(200);
    expect((await send(report(target, 'undelivered'))).status).toBe(401);
    expect((await send(report(seen, 'delivered'), '?x=1')).status).toBe(401);
    const query = await fetch(`${gateway.url}${pathOf(integration)}?${report(target, 'undelivered')}`, { headers });
    expect(query.status).toBe(401);
    expect(await detailsOf(target.id)).toEqual([]);
    expect(await suppressed(sms.phone)).toEqual([]);
  });
});

describe('bodies of delivery webhooks', () => {
  it('rejects a body over 1 MiB, with and without a Content-Length', async () => {
    const integration = await integrate();
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    expect((await post(pathOf(integration), large)).status).toBe(413);
    const response = await fetch(gateway.url + pathOf(integration), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(large));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it('accepts any content type and verifies the exact bytes of the body', async () => {
    const integration = await integrate();
    // Spaces, a key that other bodies may not contain, and a number that would lose digits.
    const body = ` {"type":"email.sent", "__proto__":1,"n":12345678901234567890,"data":{}}\n`;
    for (const type of ['application/json', 'text/plain; charset=UTF-8', 'application/cloudevents+json', 'a/b']) {
      expect((await post(pathOf(integration), body, { ...signed(body), 'content-type': type })).status).toBe(200);
    }
  });

  it('answers 200 without events and writes a log line for a body that it cannot read', async () => {
    const integration = await integrate();
    const garbage = ['', 'null', '[]', '{', '<html>', '[[[]]]', '{"type":7,"data":[]}', '\u0000', '{"type":"x"}'];
    for (const body of garbage) {
      const before = gateway.logged.length;
      const answer = await post(pathOf(integration), body, signed(body));
      expect([answer.status, answer.body]).toEqual([200, []]);
      expect(gateway.logged.slice(before).join('')).toContain('a webhook call of a provider has no events');
    }
    // Bytes that only look like the text that was signed.
    expect((await post(pathOf(integration), Buffer.from([0xff]), signed('\ufffd'))).status).toBe(401);
  });

  it('answers malformed bodies of every provider with 200, 400, 401 or 403', async () => {
    const reporting = Object.values(PROVIDERS)
      .flat()
      .filter(({ events }) => events);
    expect(reporting.length).toBeGreaterThan(4);
    const bodies = ['', '[null,[],7,""]', '{"a":{"b":[{}]}}', '<xml/>', 'a=1&b=%ff&=&c', '\u0000'];
    for (const { id, channel } of reporting) {
      const { body: integration } = await gateway.call<IntegrationDto>('POST', '/v1/integrations', {
        providerId: id,
        channel,
        identifier: newId(),
        configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'key' },
      });
      const path = `${pathOf(integration)}?token=key`;
      const answers = await Promise.all(
        bodies.flatMap((body) => [post(path, body), fetch(`${gateway.url}${path}&${encodeURI(body)}`)]),
      );
      const odd = answers.filter(({ status }) => ![200, 400, 401, 403].includes(status));
      expect(odd.map(({ status }) => [id, status])).toEqual([]);
    }
  });

  it('parses malformed bodies of every provider without throwing', () => {
    const names = ['status', 'event', 'type', 'Type', 'data', 'events', 'results', 'messages', 'msg', 'event-data'];
    const more = ['MessageStatus', 'mandrill_events', 'entry', 'Message', 'eventData', 'RecordType', 'msys', 'reports'];
    const bodies = [...names, ...more].flatMap((name) => [
      `[{"${name}":[{}]}]`,
      `{"${name}":{"${name}":null}}`,
      `[{"${name}":"constructor"},{"${name}":7}]`,
      `${name}=__proto__&id=1`,
      `${name}=${encodeURIComponent('[{"event":{},"msg":7},null]')}`,
      JSON.stringify({ [name]: [{ [name]: [null, { [name]: 'delivered', id: '1' }] }] }),
    ]);
    const odd: object[] = [];
    for (const { id, events } of Object.values(PROVIDERS).flat()) {
      for (const text of bodies) {
        const call = { headers: {}, body: Buffer.from(text), url: `https://clarion.example/?${encodeURI(text)}` };
        for (const method of ['POST', 'GET'] as const) {
          const parsed = events?.parse({ ...call, method }) ?? [];
          const isOdd = parsed.some((event) => typeof event.id !== 'string' || typeof event.kind !== 'string');
          if (isOdd) odd.push({ id, method, text, parsed });
        }
      }
    }
    expect(odd).toEqual([]);
  });

  it('accepts events with invalid text, and replaces invalid dates by the current time', async () => {
    const integration = await integrate();
    const message = await messageOf(integration);
    const odd = ['\u0000', '\ud800', 'x'.repeat(100_000), '😀'.repeat(400)];
    const dates = ['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', 'never', '99999999999999999', 7, null];
    for (const text of odd) {
      const data = {
        email_id: text,
        to: [text],
        bounce: { type: 'Permanent', message: text },
        tags: { message_id: text },
      };
      const body = eventOf('email.bounced', data);
      const headers = { ...signed(body), 'x-odd': 'ü' };
      expect((await post(pathOf(integration), body, headers)).status).toBe(200);
    }
    for (const created_at of dates) {
      const body = JSON.stringify({ type: 'email.opened', created_at, data: { email_id: message.providerMessageId } });
      expect((await post(pathOf(integration), body, signed(body))).body).toMatchObject([{ applied: true }]);
    }
    const times = (await detailsOf(message.id)).map(({ raw }) => (JSON.parse(raw!) as { at: string }).at);
    expect(times).toHaveLength(dates.length);
    for (const time of times) expect(Date.now() - Date.parse(time)).toBeLessThan(60_000);
  });
});

describe('delivery webhooks with many events', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const headersFor = (body: string, by: KeyObject = privateKey): Record<string, string> => {
    const timestamp = String(now());
    return {
      'x-twilio-email-event-webhook-timestamp': timestamp,
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), by).toString('base64'),
    };
  };

  it('processes 100 events of one call with as many statements as one event', async () => {
    const integration = await integrate(
      'sendgrid',
      { inboundWebhookEnabled: true, inboundWebhookSigningKey: signingKey },
      { apiKey: 'SG.key', ...SENDER },
    );
    const recipients = Array.from({ length: 100 }, (_, at) => `many-${at}@example.com`);
    const messages = await Promise.all(Array.from({ length: 10 }, () => messageOf(integration, { recipients })));
    const events = (count: number): string =>
      JSON.stringify(
        Array.from({ length: count }, (_, at) => ({
          event: ['delivered', 'open', 'click', 'bounce'][at % 4],
          type: 'bounce',
          email: `many-${at}@example.com`,
          timestamp: now(),
          sg_event_id: newId(),
          id: messages[at % 10]!.id,
        })),
      );
    const count = async (size: number): Promise<number> => {
      const body = events(size);
      const statements = gateway.watchStatements();
      const { status, body: results } = await post(pathOf(integration), body, headersFor(body));
      const sent = statements().length;
      expect(status).toBe(200);
      expect(results.filter(({ applied }) => applied)).toHaveLength(size);
      return sent;
    };
    expect(await count(1)).toBe(2);
    expect(await count(100)).toBe(2);
    expect(await detailsOf(messages[0]!.id)).toHaveLength(11);
    expect(await suppressed('many-3@example.com')).toHaveLength(1);
  });
});

describe('webhook signatures over the URL', () => {
  const token = 'twilio-auth-token';
  const form = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered', To: '+15550001111' }).toString();
  const fields = 'MessageSidSM1MessageStatusdeliveredTo+15550001111';
  const headersFor = (url: string): Record<string, string> => ({
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': createHmac('sha1', token).update(`${url}${fields}`).digest('base64'),
  });
  const twilio = (): Promise<IntegrationDto> =>
    integrate('twilio', { inboundWebhookEnabled: true }, { accountSid: 'AC1', token, from: '+15550000000' });

  it('verifies the signature over the URL that was called, including the query', async () => {
    const integration = await twilio();
    const { id } = await messageOf(integration, { providerMessageId: 'SM1' });
    const path = `${pathOf(integration)}?a=b%20c`;
    expect((await post(path, form, headersFor(gateway.url + path))).body).toMatchObject([{ applied: true }]);
    expect(await detailsOf(id)).toMatchObject([{ detail: 'Message delivered', providerId: 'twilio' }]);
    expect((await post(path, form, headersFor(gateway.url + pathOf(integration)))).status).toBe(401);
    // Without CLARION_TRUST_PROXY, X-Forwarded-* headers are ignored.
    const forwarded = { 'x-forwarded-host': 'public.example', 'x-forwarded-proto': 'https' };
    const claimed = { ...headersFor(`https://public.example${path}`), ...forwarded };
    expect((await post(path, form, claimed)).status).toBe(401);
  });

  it('verifies the signature over CLARION_PUBLIC_URL when the operator sets it', async () => {
    const published = await startGateway({ CLARION_PUBLIC_URL: 'https://public.example/notify/' });
    try {
      const { body: integration } = await published.call<IntegrationDto>('POST', '/v1/integrations', {
        providerId: 'twilio',
        channel: 'sms',
        credentials: { accountSid: 'AC1', token, from: '+15550000000' },
        configurations: { inboundWebhookEnabled: true },
      });
      const path = pathOf(integration);
      const call = (url: string): Promise<Reply> => post(path, form, headersFor(url), published.url);
      expect((await call(`https://public.example/notify${path}`)).status).toBe(200);
      expect((await call(published.url + path)).status).toBe(401);
    } finally {
      await published.close();
    }
  });
});

describe('delivery webhooks by GET', () => {
  const get = async (path: string): Promise<Reply<string>> => {
    const response = await fetch(gateway.url + path);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text };
  };

  it('reads events from the query and authenticates by the token in it, which is not logged', async () => {
    const integration = await integrate(
      'burst-sms',
      { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'a/key&more' },
      { apiKey: 'k', secretKey: 's' },
    );
    const { id } = await messageOf(integration, { providerMessageId: '4711', phone: '+491', recipients: ['+491'] });
    const report = (token: string, status: string): Promise<Reply<string>> => {
      const fields = { token, message_id: '4711', mobile: '491', datetime: '2026-01-01 10:00:00', status };
      return get(`${pathOf(integration)}?${new URLSearchParams(fields).toString()}`);
    };
    expect((await report('a/key', 'delivered')).status).toBe(401);
    expect((await report('a/key&more', 'delivered')).status).toBe(200);
    expect((await report('a/key&more', 'hard-bounce')).status).toBe(200);
    expect((await detailsOf(id)).map(({ detail }) => detail)).toEqual(['Message delivered', 'Message bounced']);
    expect(await suppressed('+491')).toMatchObject([{ channel: 'sms', reason: 'bounce', providerId: 'burst-sms' }]);
    // The log does not contain the key.
    expect(gateway.logged.join('')).not.toMatch(/key&more|key%26more/);
  });

  it('answers the verification challenge of WhatsApp in plain text, also for a @novu/ client', async () => {
    const integration = await integrate(
      'whatsapp-business',
      { inboundWebhookEnabled: true },
      { apiToken: 't', phoneNumberIdentification: '1', secretKey: 'app-secret', token: 'verify-me' },
    );
    const ask = async (token: string): Promise<[number, string, string | null]> => {
      const query = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`;
      const response = await fetch(`${gateway.url}${pathOf(integration)}?${query}`, {
        headers: { 'user-agent': '@novu/api' },
      });
      return [response.status, await response.text(), response.headers.get('content-type')];
    };
    expect(await ask('verify-me')).toEqual([200, '1158201444', 'text/plain']);
    expect((await ask('wrong')).slice(0, 2)).toEqual([403, '']);
    const { id } = await messageOf(integration, { providerMessageId: 'wamid.1' });
    const body = JSON.stringify({
      entry: [{ changes: [{ value: { statuses: [{ id: 'wamid.1', status: 'read', timestamp: String(now()) }] } }] }],
    });
    const signature = `sha256=${createHmac('sha256', 'app-secret').update(body).digest('hex')}`;
    expect((await post(pathOf(integration), body, { 'x-hub-signature-256': signature })).body).toMatchObject([
      { event: { status: 'opened' }, applied: true },
    ]);
    expect(await read(id)).toMatchObject({ read: true, seen: true });
  });
});

describe('size of a call', () => {
  const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'token' };
  const report = { msys: { message_event: { type: 'open', transmission_id: 'a1', timestamp: '1700000000' } } };
  const listOf = (count: number, from = 0): string =>
    JSON.stringify(
      Array.from({ length: count }, (_, at) => ({
        msys: { message_event: { ...report.msys.message_event, event_id: `e${from + at}` } },
      })),
    );

  it('takes many events in one call and refuses more before it records any', async () => {
    const path = `${pathOf(await integrate('sparkpost', configurations))}?token=token`;
    const most = await post(path, listOf(LIMITS.inboundEvents));
    expect([most.status, most.body.length]).toEqual([200, LIMITS.inboundEvents]);
    const more = await post<Refusal>(path, listOf(LIMITS.inboundEvents + 1, 5_000));
    expect([more.status, more.body.message]).toEqual([
      413,
      'A call of a provider holds at most 1000 events: set smaller batches at the provider',
    ]);
  });

  it.each([
    ['JSON', 'application/json', `[${'0,'.repeat(LIMITS.jsonValues + 1)}0]`],
    ['a form', 'application/x-www-form-urlencoded', 'a&'.repeat(LIMITS.jsonValues + 1)],
    ['JSON in a form', 'application/x-www-form-urlencoded', `events=%5B${'0%2C'.repeat(LIMITS.jsonValues + 1)}0%5D`],
  ])('refuses many values in %s before it reads them', async (_, type, body) => {
    const parse = jest.spyOn(JSON, 'parse');
    const path = `${pathOf(await integrate('sparkpost', configurations))}?token=token`;
    parse.mockClear();
    const { status, text } = await post<Refusal>(path, body, { 'content-type': type });
    const parsed = parse.mock.calls.some(([given]) => given === body);
    parse.mockRestore();
    expect([status, text, parsed]).toEqual([413, expect.stringContaining('at most 50000 values'), false]);
  });

  it('counts each event against the rate of the environment', async () => {
    const narrow = await startGateway({ CLARION_RATE_LIMIT_INBOUND: '10' });
    try {
      const given = { providerId: 'sparkpost', channel: 'email', credentials: { apiKey: 'k', ...SENDER } };
      const made = await narrow.call<IntegrationDto>('POST', '/v1/integrations', { ...given, configurations });
      const path = `${pathOf(made.body)}?token=token`;
      // A full bucket takes any call. It is full again after five seconds.
      const calls = Array.from({ length: 4 }, (_, at) => post(path, listOf(LIMITS.inboundEvents, at), {}, narrow.url));
      const answers = await Promise.all(calls);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await narrow.close();
    }
  });
});

describe('rate limit of delivery webhooks', () => {
  it('limits the calls of one integration without using the rate limit of its environment', async () => {
    const narrow = await startGateway({ CLARION_RATE_LIMIT_INBOUND: '1', CLARION_RATE_LIMIT_GLOBAL: '1' });
    try {
      const make = async (): Promise<string> => {
        const body = { providerId: 'resend', channel: 'email', identifier: newId() };
        return pathOf((await narrow.call<IntegrationDto>('POST', '/v1/integrations', body)).body);
      };
      const [busy, calm] = [await make(), await make()];
      // All at once: a slow machine would stay below the rate otherwise.
      const answers = await Promise.all(Array.from({ length: 30 }, () => post(busy, '{}', {}, narrow.url)));
      expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(5);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await post(calm, '{}', {}, narrow.url)).status).toBe(403);
      // Only the two creations and this call count against the API key.
      const { status, headers } = await narrow.call('GET', '/v1/integrations');
      expect(status).toBe(200);
      expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(2);
    } finally {
      await narrow.close();
    }
  });
});
