import {
  type AuditDto,
  type AuditLogListDto,
  type ErasureReceiptDto,
  type SubscriberExportDto,
} from '@clarion/contracts';
import { EventLogRepository } from '@clarion/persistence';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, startOwnClarion } from './harness';

/** In every text about Ada, and nowhere else. */
const MARK = 'markedada';
const ADA = {
  subscriberId: `id-${MARK}`,
  firstName: `First ${MARK}`,
  lastName: `Last ${MARK}`,
  email: `${MARK}@x.test`,
  phone: '+15550734512',
  avatar: `https://x.test/${MARK}.png`,
  data: { note: `data ${MARK}` },
};
const SECRET = 'opened-only-by-providers';
const BOB = { subscriberId: 'bob', email: 'bob@x.test', phone: '+15550001112' };

/**
 * Tables that say nothing about one subscriber. The spec writes about Ada into all others, so a new table is either
 * filled by it or listed here.
 */
const ABOUT_NO_SUBSCRIBER = [
  'api_key',
  'bulk_action',
  'bulk_action_item',
  'claim',
  'context',
  'environment',
  'environment_content',
  'environment_limit',
  'environment_variable',
  'event_log',
  'former_identifier',
  'gateway_process',
  'hold',
  'inbox_secret',
  'layout',
  'maintenance',
  'migration',
  'mirror',
  'organization',
  'outcome_count',
  'outcome_delta',
  'publish',
  'redaction',
  'send_rate',
  'session',
  'sign_in_token',
  'sweep',
  'tenant',
  'topic',
  'transaction',
  'translation',
  'webhook_endpoint',
  'workflow',
  'workflow_version',
];
/** Their rows have ids, hashes and ciphertext only, or wait a moment for their number in the event log. */
const WITHOUT_WORDS = [
  'audit_log',
  'delivery_event',
  'mirror_copy',
  'new_log_batch',
  'new_log_entry',
  'preference',
  'presence',
  'presence_lease',
  'subscriber_channel',
  'work',
];

type Found = { table: string; column: string };

describe('export and erasure of a subscriber', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startOwnClarion({ demoProviders: true });
    await clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, { eventLog: true });
    const variable = { key: 'TOKEN', isSecret: true };
    const values = [{ _environmentId: clarion.environmentId, value: SECRET }];
    await clarion.callOk('POST', '/v1/environment-variables', { ...variable, values });
    const texts = { subject: 'Hi {{subscriber.firstName}}', body: '<p>{{payload.secret}}</p>' };
    await clarion.workflow('all', [
      { type: 'throttle', controlValues: { amount: 1, unit: 'hours', threshold: 9, throttleKey: 'secret' } },
      { type: 'custom', controlValues: { note: '{{payload.secret}}' } },
      { type: 'in_app', controlValues: { subject: 'Hi', body: '{{payload.secret}} {{subscriber.firstName}}' } },
      { type: 'email', controlValues: texts },
      { type: 'sms', controlValues: { body: '{{payload.secret}} {{env.TOKEN}}' } },
    ]);
    await clarion.workflow('later', [
      { type: 'digest', controlValues: { amount: 1, unit: 'days', digestKey: 'secret' } },
      { type: 'email', controlValues: texts },
    ]);
    // Entries are packed as soon as the log has numbers.
    await until(async () => (await clarion.database.query(`SELECT 1 FROM event_log`)).length > 0);
  });
  afterAll(() => clarion.close());

  /** Every column of every table that has the text, also in partitions. */
  async function search(text: string): Promise<Found[]> {
    const columns = await clarion.database.query<Found>(
      `SELECT c.table_name AS "table", c.column_name AS "column" FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.data_type NOT IN ('uuid', 'boolean')`,
    );
    const found: Found[] = [];
    for (const column of columns) {
      const rows = await clarion.database.query(
        `SELECT 1 FROM "${column.table}" WHERE strpos(lower("${column.column}"::text), $1) > 0 LIMIT 1`,
        [text],
      );
      if (rows.length > 0) found.push(column);
    }
    return found;
  }
  const allTables = async (): Promise<string[]> => {
    const rows = await clarion.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    return rows.map(({ name }) => name).sort();
  };
  const tablesWith = async (text: string): Promise<Set<string>> =>
    new Set((await search(text)).map(({ table }) => table.replace(/_\d.*$/, '')));

  async function fill(): Promise<{ shared: string; waiting: string }> {
    await clarion.callOk('POST', '/v2/subscribers', ADA);
    const path = `/v2/subscribers/${ADA.subscriberId}`;
    await clarion.callOk('POST', '/v2/topics', { key: 'news', name: 'News' });
    await clarion.callOk('POST', '/v2/topics/news/subscriptions', {
      subscriptions: [{ subscriberId: ADA.subscriberId, identifier: `sub-${MARK}`, name: `Topic of ${MARK}` }],
    });
    await clarion.callOk('PATCH', `${path}/preferences`, { channels: { chat: false } });
    await clarion.callOk('PUT', `/v1/subscribers/${ADA.subscriberId}/credentials`, {
      providerId: 'platform-slack',
      credentials: { webhookUrl: `https://hooks.x.test/${MARK}` },
    });
    const payload = { secret: `payload ${MARK}` };
    const attachments = [{ name: `${MARK}.txt`, mime: 'text/plain', file: 'eA==' }];
    const overrides = { email: { headers: { 'x-mark': MARK } } };
    const { _id: notificationId } = await clarion.run('all', ADA, { payload: { ...payload, attachments }, overrides });
    const shared = await clarion.trigger('all', [ADA, BOB], { payload: { secret: 'news' }, actor: ADA });
    await clarion.activity(shared, allEnded(2));
    const waiting = await clarion.trigger('later', ADA, { payload });
    await clarion.activity(waiting, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    const joined = await clarion.trigger('later', ADA, { payload });
    await clarion.activity(joined, ([one]) => one?.jobs?.[0]?.status === 'merged');
    await clarion.database.query(
      `INSERT INTO suppression (id, environment_id, channel, address, reason) VALUES (uuid_v7(), $1, 'email', $2, 'bounce')`,
      [clarion.environmentId, ADA.email],
    );
    // Imports that did not end: one lists an item, one is at a cursor, and one says nothing about Ada.
    const progresses = [
      { kinds: {}, problems: [{ kind: 'topics', id: `news id-${MARK}`, reason: 'No' }] },
      { kinds: { preferences: { cursor: { after: [ADA.subscriberId] } } }, problems: [] },
      { kinds: { subscribers: { cursor: 'bob', read: 1 } }, problems: [{ id: 'bob', reason: 'No' }] },
    ];
    for (const [index, progress] of progresses.entries()) {
      await clarion.database.query(`INSERT INTO import_run (environment_id, source, progress) VALUES ($1, $2, $3)`, [
        clarion.environmentId,
        `https://${index}.x.test`,
        JSON.stringify(progress),
      ]);
    }
    await new EventLogRepository(clarion.database).number();
    await fillChannels();
    await fillRecords(notificationId!);
    return { shared, waiting };
  }

  /** Connections and endpoints of Ada: each change is in the audit log, which cannot be changed. */
  async function fillChannels(): Promise<void> {
    const own = { integrationIdentifier: 'slack', subscriberId: ADA.subscriberId };
    await clarion.integration('slack', 'chat', { identifier: 'slack' });
    for (const identifier of [`kept-${MARK}`, `deleted-${MARK}`]) {
      const auth = { accessToken: `xoxb-${MARK}` };
      const workspace = { id: `T-${MARK}`, name: `Workspace of ${MARK}` };
      await clarion.callOk('POST', '/v1/channel-connections', { ...own, identifier, workspace, auth });
      const renamed = { ...workspace, name: `New name of ${MARK}` };
      await clarion.callOk('PATCH', `/v1/channel-connections/${identifier}`, { workspace: renamed, auth });
      const endpoint = { type: 'slack_user', endpoint: { userId: `U-${MARK}` } };
      await clarion.callOk('POST', '/v1/channel-endpoints', { ...own, identifier, ...endpoint });
    }
    for (const kind of ['endpoints', 'connections'])
      await clarion.callOk('DELETE', `/v1/channel-${kind}/deleted-${MARK}`);
    const link = { integrationIdentifier: 'slack', subscriberId: ADA.subscriberId };
    await clarion.callOk('POST', '/v1/integrations/channel-connections/oauth', link);
  }

  /** What an operator, a provider and the other system of a mirror say about Ada. */
  async function fillRecords(notificationId: string): Promise<void> {
    const headers = { authorization: `ApiKey ${clarion.key}`, 'idempotency-key': 'k' };
    const suppression = `/v1/suppressions/email/${encodeURIComponent(ADA.email)}`;
    await fetch(clarion.url + suppression, { method: 'DELETE', headers });
    await fetch(`${clarion.url}/v2/subscribers/${ADA.subscriberId}/export`, { method: 'POST', headers });
    await clarion.callOk('POST', '/v1/suppressions', { channel: 'email', address: ADA.email });
    const mail = await clarion.integration('mailjet', 'email', {
      credentials: { apiKey: 'k', secretKey: 's', from: 'a@x.test', senderName: 'A' },
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'shared' },
    });
    const path = `/v2/inbound-webhooks/delivery-providers/${clarion.environmentId}/${mail._id}?token=shared`;
    await clarion.callOk('POST', path, [{ event: 'sent', Message_GUID: 'unknown', time: 1, email: ADA.email }]);
    await clarion.callOk('PUT', `/v1/integrations/${mail._id}`, { active: false });
    const reason = `451 <${ADA.email}> is busy`;
    const health = { state: 'open', since: new Date().toISOString(), reason };
    await clarion.database.query(`UPDATE integration SET health = $2, health_history = $3 WHERE id = $1`, [
      mail._id,
      JSON.stringify(health),
      JSON.stringify([health]),
    ]);
    await clarion.database.query(
      `INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
       VALUES (uuid_v7(), $1, $2, step_id($2, 0), 'Failed', 'Provider error', $3)`,
      [clarion.environmentId, notificationId, reason],
    );
    await clarion.database.query(
      `INSERT INTO replayed_failure (environment_id, step_id, failed_at, subscriber_id, channel, outcome, reason)
       SELECT environment_id, step_id(id, 0), now(), subscriber_id, 'email', 'failed', $2 FROM notification WHERE id = $1`,
      [notificationId, reason],
    );
    const { _id: endpointId } = await clarion.callOk('POST', '/v1/webhook-endpoints', { url: 'https://x.test/in' });
    await clarion.database.query(
      `INSERT INTO webhook_delivery (id, environment_id, endpoint_id, entry_id, sequence, type, state, response_text)
       SELECT uuid_v7(), $1, $2, id, sequence, type, 'failed', $3 FROM event_log_entry
        WHERE environment_id = $1 AND data ->> 'subscriberId' = $4 LIMIT 1`,
      [clarion.environmentId, endpointId, reason, ADA.subscriberId],
    );
    await clarion.database.query(
      `INSERT INTO mirror_difference (id, environment_id, kind, transaction_id, subscriber_id, reason)
       VALUES (uuid_v7(), $1, 'missing', 't', $2, $3)`,
      [clarion.environmentId, ADA.subscriberId, reason],
    );
  }

  it('exports every record, then erases it from every table and keeps the counts and a receipt', async () => {
    const { shared, waiting } = await fill();
    const tables = await tablesWith(MARK);
    const others = (await allTables()).filter((table) => !tables.has(table) && !WITHOUT_WORDS.includes(table));
    expect(others).toEqual(ABOUT_NO_SUBSCRIBER);

    const path = `/v2/subscribers/${ADA.subscriberId}`;
    const exported = await clarion.callOk<SubscriberExportDto>('POST', `${path}/export`);
    expect(exported).toMatchObject({ subscriberId: ADA.subscriberId, truncated: [], next: null });
    const { records } = exported as { records: Record<string, object[]> };
    const marked = Object.keys(records).filter((kind) => JSON.stringify(records[kind]).includes(MARK));
    expect(marked).toEqual(
      expect.arrayContaining([
        'subscriber',
        'topicSubscriptions',
        'suppressions',
        'eventLog',
        'triggers',
        'notifications',
      ]),
    );
    expect(marked).toEqual(expect.arrayContaining(['messages', 'outbox']));
    expect(records['preferences']).toHaveLength(1);
    expect(records['notifications']).toHaveLength(4);
    expect(records['channels']).toMatchObject([{ credentials: { webhookUrl: expect.stringContaining('••••') } }]);
    expect(JSON.stringify(exported)).not.toContain(BOB.email);
    expect(await tablesWith(SECRET)).toEqual(new Set());
    expect(JSON.stringify(exported)).not.toContain(SECRET);

    const receipt = await clarion.callOk<ErasureReceiptDto>('POST', `${path}/erase`);
    expect(receipt).toMatchObject({
      subscriberIdHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      counts: {
        subscriber: 1,
        message: 6,
        notification: 4,
        work: 2,
        trigger: 4,
        suppression: 1,
        preference: 1,
        subscriber_channel: 1,
        import_run: 2,
      },
    });
    expect(await clarion.database.query(`DELETE FROM import_run RETURNING source`)).toMatchObject([
      { source: 'https://2.x.test' },
    ]);
    await new EventLogRepository(clarion.database).number();
    expect(await search(MARK)).toEqual([]);
    expect(await search(ADA.phone)).toEqual([]);

    const { data } = await clarion.callOk<AuditLogListDto>('GET', '/v1/audit-log?action=subscriber.erased');
    expect(data).toMatchObject([
      { resource: { id: receipt.id }, after: { subscriberIdHash: receipt.subscriberIdHash } },
    ]);
    // The range is also compared with the counts of outcomes.
    const audits = [`audit?transactionId=${shared}`, `audit?transactionId=${waiting}`, 'operations/audit'];
    for (const audit of audits) {
      const { reconciles, checks } = await clarion.callOk<AuditDto>('GET', `/v1/${audit}`);
      expect({ reconciles, bad: checks.filter(({ count }) => count > 0) }).toEqual({ reconciles: true, bad: [] });
    }
    const left = await clarion.messages(shared);
    expect(left.map(({ subscriber }) => subscriber?.subscriberId)).toEqual(['bob', 'bob', 'bob']);

    for (const action of ['erase', 'export']) {
      expect(await clarion.call('POST', `${path}/${action}`)).toMatchObject({ status: 404 });
    }
  });

  it('keeps a suppression of an address that another subscriber has in another spelling', async () => {
    const [carl, dora] = [
      { subscriberId: 'carl', phone: '+1 (555) 000-2222', email: 'Both@x.test' },
      { subscriberId: 'dora', phone: '001 555 000 2222', email: 'BOTH@x.test' },
    ];
    for (const each of [carl, dora]) await clarion.callOk('POST', '/v2/subscribers', each);
    const { transactionId } = await clarion.run('all', carl, { payload: { secret: 'x' } });
    const [sms] = (await clarion.messages(transactionId)).filter(({ channel }) => channel === 'sms');
    await clarion.database.query(
      `INSERT INTO suppression (id, environment_id, channel, address, reason, message_id)
       VALUES (uuid_v7(), $1, 'sms', '+15550002222', 'bounce', $2), (uuid_v7(), $1, 'email', 'both@x.test', 'bounce', NULL)`,
      [clarion.environmentId, sms!._id],
    );
    const left = () =>
      clarion.database.query(`SELECT channel, message_id AS message FROM suppression ORDER BY channel`);
    const erase = (id: string) => clarion.callOk<ErasureReceiptDto>('POST', `/v2/subscribers/${id}/erase`);
    expect((await erase('carl')).counts).toMatchObject({ suppression: 0 });
    expect(await left()).toEqual([
      { channel: 'email', message: null },
      { channel: 'sms', message: null },
    ]);
    expect((await erase('dora')).counts).toMatchObject({ suppression: 2 });
    expect(await left()).toEqual([]);
  });

  it('refuses an erasure with 409 while a provider is being called', async () => {
    await clarion.callOk('POST', '/v2/subscribers', BOB);
    const transactionId = await clarion.trigger('later', BOB, { payload: { secret: 'x' } });
    await clarion.activity(transactionId, (all) => all.length === 1);
    await clarion.database.query(`UPDATE work SET sending_since = now() WHERE type = 'digest'`);
    expect(await clarion.call('POST', '/v2/subscribers/bob/erase')).toMatchObject({ status: 409 });
    expect(await clarion.call('GET', '/v2/subscribers/bob')).toMatchObject({ status: 200 });
    expect(await clarion.messages(transactionId)).toEqual([]);
  });
});
