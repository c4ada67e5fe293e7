import { createHmac } from 'node:crypto';
import {
  type AuditLogListDto,
  type CreatedWebhookEndpointDto,
  type EventLogDto,
  type IntegrationDto,
  type LogEntryDto,
  newId,
  type WebhookDeliveryDto,
  type WebhookDeliveryListDto,
  type WebhookEndpointDto,
} from '@clarion/contracts';
import { type FakeCall, type FakeProvider, startFakeProvider, until } from '@clarion/testing';
import { Webhook } from 'standardwebhooks';
import { type Clarion, startOwnClarion } from './harness';

const PATH = '/v1/webhook-endpoints';
const SIGNING_KEY = 'a key of some length';

type Received = LogEntryDto & { webhookId: string };

/** From what happens in the pipeline to the receiver of a webhook endpoint, over HTTP. */
describe('outbound webhooks', () => {
  let clarion: Clarion;
  let receiver: FakeProvider;
  let mail: IntegrationDto;

  beforeAll(async () => {
    // A call that hangs does not delay the end of the spec.
    clarion = await startOwnClarion({
      roles: ['engine', 'email', 'in_app', 'chat'],
      environment: { CLARION_DRAIN_MS: '500' },
    });
    receiver = await startFakeProvider();
    mail = await clarion.integration('resend', 'email', {
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: SIGNING_KEY },
    });
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: 'secret content' } }]);
    await clarion.workflow('note', [{ type: 'in_app', controlValues: { body: 'secret content' } }]);
  });
  afterAll(async () => {
    await clarion.close();
    await receiver.close();
  });
  beforeEach(async () => {
    await clarion.database.query(`DELETE FROM webhook_endpoint`);
    receiver.reset();
    clarion.provider.reset();
    clarion.provider.always('/emails', () => ({ json: { id: newId() } }));
    // What happened before the test has its numbers.
    const isNumbered = async () =>
      (await clarion.database.query(`SELECT 1 FROM new_log_entry UNION ALL SELECT 1 FROM new_log_batch`)).length === 0;
    await until(isNumbered);
  });

  const create = (path: string, more: object = {}) =>
    clarion.callOk<CreatedWebhookEndpointDto>('POST', PATH, { url: receiver.url + path, ...more });
  const retrieve = ({ _id }: { _id: string }) => clarion.callOk<WebhookEndpointDto>('GET', `${PATH}/${_id}`);
  const deliveries = async ({ _id }: { _id: string }): Promise<WebhookDeliveryDto[]> =>
    (await clarion.callOk<WebhookDeliveryListDto>('GET', `${PATH}/${_id}/deliveries?limit=100`)).data;
  const readLog = (after: number) => clarion.callOk<EventLogDto>('GET', `/v1/events/log?after=${after}&limit=1000`);
  const lastSequence = async () => (await clarion.callOk<EventLogDto>('GET', '/v1/events/log')).lastSequence;
  const callsOf = (path: string): FakeCall[] => receiver.calls.filter((call) => call.path === path);
  /** The calls of a path, after their signatures were verified. */
  const received = (path: string, { secret }: { secret: string }): Received[] =>
    callsOf(path).map(({ headers, body }) => {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>) as LogEntryDto;
      return { ...verified, webhookId: String(headers['webhook-id']) };
    });
  /** Makes everything that waits due now, as if the time had passed. */
  const passTime = () =>
    clarion.database.query(
      `WITH due AS (UPDATE webhook_delivery SET due_at = now() WHERE state = 'waiting')
       UPDATE webhook_endpoint SET next_attempt_at = now(), not_before = NULL`,
    );
  const run = () => clarion.run('note', newId());

  /** Sends an event of Resend about the email of a transaction. */
  async function reportEmail(type: string, transactionId: string): Promise<void> {
    const [row] = await clarion.database.query<{ id: string }>(
      `SELECT provider_message_id AS id FROM message m JOIN trigger t ON t.id = m.trigger_id
        WHERE t.transaction_id = $1`,
      [transactionId],
    );
    const body = JSON.stringify({ type, created_at: new Date().toISOString(), data: { email_id: row!.id, to: [] } });
    const [id, timestamp] = [newId(), String(Math.floor(Date.now() / 1000))];
    const signature = createHmac('sha256', SIGNING_KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': `v1,${signature}`,
    };
    const path = `/v2/inbound-webhooks/delivery-providers/${mail._environmentId}/${mail._id}`;
    expect((await fetch(clarion.url + path, { method: 'POST', headers, body })).status).toBe(200);
  }

  it('sends each entry of the log once, signed, with ids and without contents', async () => {
    const endpoint = await create('/all');
    const start = await lastSequence();
    const sent = await clarion.run('mail', { subscriberId: 'ann', email: 'ann@example.com' });
    await reportEmail('email.delivered', sent.transactionId);
    await reportEmail('email.opened', sent.transactionId);
    await reportEmail('email.opened', sent.transactionId);
    clarion.provider.next('/emails', { status: 422, json: { message: 'no such address' } });
    const failed = await clarion.run('mail', { subscriberId: 'bob', email: 'bob@example.com' });
    const noted = await clarion.run('note', 'ann');
    const [message] = await clarion.messages(noted.transactionId);
    const inbox = `/v2/subscribers/ann/notifications/${message!._id}`;
    const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString();
    for (const [action, body] of [
      ['read', undefined],
      ['unread', undefined],
      ['archive', undefined],
      ['unarchive', undefined],
      ['snooze', { snoozeUntil }],
      ['unsnooze', undefined],
    ] as const) {
      await clarion.callOk('PATCH', `${inbox}/${action}`, body);
    }
    await clarion.callOk('DELETE', `/v1/messages/${message!._id}`);
    await clarion.callOk('PATCH', '/v2/subscribers/ann/preferences', { channels: { email: false } });
    await clarion.workflow('extra', []);
    await clarion.callOk('DELETE', '/v2/workflows/extra');

    const expected = [
      ['message.sent', sent],
      ['message.delivered', sent],
      ['message.seen', sent],
      ['message.read', sent],
      ['message.failed', failed],
      ['message.sent', noted],
      ['message.delivered', noted],
      ['message.seen', noted],
      ['message.read', noted],
      ['message.unread', noted],
      ['message.read', noted],
      ['message.archived', noted],
      ['message.unarchived', noted],
      ['message.snoozed', noted],
      ['message.unsnoozed', noted],
      ['message.deleted', noted],
      ['preference.updated', undefined],
      ['workflow.created', undefined],
      ['workflow.published', undefined],
      ['workflow.deleted', undefined],
    ].map(([type, notification]) => [type, (notification as { transactionId?: string })?.transactionId]);
    const isComplete = async () => (await readLog(start)).data.length >= expected.length;
    await until(isComplete);
    const { data: entries } = await readLog(start);
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => start + index + 1));
    const typesOf = (list: LogEntryDto[]) => list.map(({ type, data }) => [type, data['transactionId']]);
    expect(typesOf(entries)).toEqual(expected);
    await until(() => callsOf('/all').length >= entries.length);
    const calls = received('/all', endpoint).toSorted((one, other) => one.sequence - other.sequence);
    expect(calls).toEqual(entries.map((entry) => ({ ...entry, webhookId: entry.id })));
    expect(JSON.stringify(calls)).not.toContain('secret content');
    expect(calls[0]!.data).toEqual({
      messageId: expect.any(String),
      notificationId: sent._id,
      transactionId: sent.transactionId,
      subscriberId: 'ann',
      workflowId: 'mail',
      channel: 'email',
      providerId: 'resend',
      status: 'sent',
    });
    expect(calls.find(({ type }) => type === 'message.failed')!.data).toMatchObject({
      subscriberId: 'bob',
      status: 'error',
      error: { message: expect.stringContaining('no such address') },
    });
    await until(async () => (await deliveries(endpoint)).every(({ state }) => state === 'delivered'));
  });

  it('sends what the filter of an endpoint allows, and nothing that happened before it was created', async () => {
    const before = await lastSequence();
    await run();
    await until(async () => (await lastSequence()) === before + 2);
    const [all, read, chat] = [
      await create('/everything'),
      await create('/read', { events: ['message.read', 'workflow.deleted'] }),
      await create('/chat', { channels: ['chat'], workflows: ['mail'] }),
    ];
    const { transactionId } = await run();
    const [message] = await clarion.messages(transactionId);
    await clarion.callOk(
      'PATCH',
      `/v2/subscribers/${message!.subscriber!.subscriberId}/notifications/${message!._id}/read`,
    );
    await until(() => callsOf('/everything').length >= 4 && callsOf('/read').length >= 1);
    expect(received('/everything', all).every(({ data }) => data['transactionId'] === transactionId)).toBe(true);
    expect(received('/read', read).map(({ type }) => type)).toEqual(['message.read']);
    expect(callsOf('/chat')).toEqual([]);
    await until(async () => (await retrieve(chat)).waitingEntries === 0);
  });

  it('retries by the plan until the receiver answers, and never delays another endpoint', async () => {
    receiver.always('/hangs', { hang: true });
    receiver.next('/fails', { status: 503, text: 'down for a moment', headers: { 'retry-after': '120' } });
    const [hangs, fails, works] = [await create('/hangs'), await create('/fails'), await create('/works')];
    await run();
    await until(() => callsOf('/works').length === 2 && callsOf('/hangs').length > 0);
    // The first entry gets another answer than the second one, which may come in the same round.
    await until(async () => (await deliveries(fails)).some(({ attempts }) => attempts === 1));
    const waiting = (await deliveries(fails)).find(({ state }) => state === 'waiting')!;
    expect(waiting).toMatchObject({
      attempts: 1,
      responseStatus: 503,
      responseText: 'down for a moment',
      error: 'The endpoint answered 503',
    });
    expect(Date.parse(waiting.nextAttemptAt!) - Date.parse(waiting.lastAttemptAt!)).toBeGreaterThanOrEqual(119_000);
    expect((await retrieve(fails)).pausedUntil).toBeDefined();
    const both = (await deliveries(works)).map(({ entryId }) => entryId);
    await passTime();
    await until(async () => (await deliveries(fails)).every(({ state }) => state === 'delivered'));
    const ids = received('/fails', fails).map(({ webhookId }) => webhookId);
    expect([ids.length, new Set(ids)]).toEqual([3, new Set(both)]);
    expect((await deliveries(hangs)).every(({ state }) => state === 'waiting')).toBe(true);
    await clarion.callOk('DELETE', `${PATH}/${hangs._id}`);
  });

  it('tests a failing endpoint with single calls, and switches it off after days, with a notice', async () => {
    receiver.always('/broken', { status: 500 });
    const [broken, notified] = [
      await create('/broken'),
      await create('/notified', { events: ['webhook_endpoint.disabled'] }),
    ];
    await Promise.all(Array.from({ length: 4 }, run));
    // After five failures or more: the entries may come in several rounds, and a round ends with all of its calls.
    await until(async () => Boolean((await retrieve(broken)).pausedUntil));
    const { failingSince, active, failures } = await retrieve(broken);
    expect([active, failingSince]).toEqual([true, expect.any(String)]);
    const calls = callsOf('/broken').length;
    expect(failures).toBe(calls);
    expect(failures).toBeGreaterThanOrEqual(5);
    await passTime();
    await until(() => callsOf('/broken').length > calls);
    await until(async () => (await retrieve(broken)).failures > failures);
    expect(callsOf('/broken').length).toBe(calls + 1);

    await clarion.database.query(
      `UPDATE webhook_endpoint SET failing_since = now() - interval '6 days' WHERE id = $1`,
      [broken._id],
    );
    await passTime();
    await until(async () => !(await retrieve(broken)).active);
    const reason = 'No call succeeded for 5 days: The endpoint answered 500';
    expect(await retrieve(broken)).toMatchObject({ disabledReason: reason, disabledAt: expect.any(String) });
    await until(() => callsOf('/notified').length === 1);
    expect(received('/notified', notified)[0]).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { endpointId: broken._id, reason },
    });
    const audit = await clarion.callOk<AuditLogListDto>('GET', `/v1/audit-log?resourceId=${broken._id}&actor=system`);
    expect(audit.data).toMatchObject([{ actor: { type: 'system' }, after: { active: false, disabledReason: reason } }]);

    // It continues where it stopped.
    receiver.always('/broken', { status: 204 });
    await clarion.callOk('PATCH', `${PATH}/${broken._id}`, { active: true });
    await passTime();
    await until(async () => (await deliveries(broken)).every(({ state }) => state === 'delivered'));
    expect(await retrieve(broken)).toMatchObject({ failures: 0, active: true });
  });

  it('switches an endpoint off that answers 410, and skips what it missed when it is asked to', async () => {
    receiver.always('/gone', { status: 410 });
    const gone = await create('/gone');
    await run();
    await until(async () => !(await retrieve(gone)).active);
    expect((await retrieve(gone)).disabledReason).toBe('The endpoint answered 410 Gone');
    await run();
    receiver.always('/gone', { status: 200 });
    const calls = callsOf('/gone').length;
    const last = await lastSequence();
    await clarion.callOk('PATCH', `${PATH}/${gone._id}`, { active: true, skipMissed: true });
    await run();
    await until(() => callsOf('/gone').length >= calls + 2);
    expect(
      received('/gone', gone)
        .slice(calls)
        .every(({ sequence }) => sequence > last),
    ).toBe(true);
  });

  it('sends again what a killed worker had sent and not recorded, under the same ids', async () => {
    await clarion.stop('chat');
    const endpoint = await create('/killed');
    await run();
    const worker = await clarion.startKillable('chat', (statement) => statement === 'webhooks-record');
    await until(() => callsOf('/killed').length === 2);
    worker.kill();
    const first = received('/killed', endpoint).map(({ webhookId }) => webhookId);
    await clarion.database.query(`UPDATE webhook_endpoint SET lease_until = now()`);
    await clarion.start('chat');
    await until(async () => (await deliveries(endpoint)).every(({ state }) => state === 'delivered'));
    const all = received('/killed', endpoint).map(({ webhookId }) => webhookId);
    expect([all.length, new Set(all)]).toEqual([4, new Set(first)]);
  });

  it('sends a test, a replay and the failed deliveries again, and signs with both secrets after a change', async () => {
    const endpoint = await create('/again');
    const { secret } = await clarion.callOk<{ secret: string }>('POST', `${PATH}/${endpoint._id}/rotate-secret`);
    await clarion.callOk('POST', `${PATH}/${endpoint._id}/test`);
    await until(() => callsOf('/again').length === 1);
    for (const key of [endpoint.secret, secret]) {
      expect(received('/again', { secret: key })).toMatchObject([
        { type: 'webhook_endpoint.test', data: { endpointId: endpoint._id } },
      ]);
    }
    const after = await lastSequence();
    await Promise.all(Array.from({ length: 3 }, run));
    await until(() => callsOf('/again').length === 7);
    const sent = received('/again', endpoint).slice(1);
    await until(async () => (await deliveries(endpoint)).every(({ state }) => state === 'delivered'));
    await clarion.callOk('POST', `${PATH}/${endpoint._id}/replay`, { after: after + 2, to: after + 5 });
    await until(() => callsOf('/again').length === 10);
    const replayed = received('/again', endpoint).slice(7);
    const sequences = replayed.map(({ sequence }) => sequence).toSorted((one, other) => one - other);
    expect(sequences).toEqual([after + 3, after + 4, after + 5]);
    for (const entry of replayed) expect(sent).toContainEqual(entry);

    await clarion.database.query(`UPDATE webhook_delivery SET state = 'failed' WHERE sequence = $1`, [after + 1]);
    const failed = await clarion.callOk('POST', `${PATH}/${endpoint._id}/replay`, { failedOnly: true });
    expect(failed).toEqual({ deliveries: 1 });
    await until(() => callsOf('/again').length === 11);
    expect(received('/again', endpoint).at(-1)!.sequence).toBe(after + 1);
  });
});
