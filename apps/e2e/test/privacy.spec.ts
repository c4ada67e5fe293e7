import {
  type AuditDto,
  type AuditLogListDto,
  type ErasureReceiptDto,
  type SubscriberExportDto,
} from '@clarion/contracts';
import { EventLogRepository } from '@clarion/persistence';
import { allEnded, type Clarion, startClarion } from './harness';

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

type Found = { table: string; column: string };

describe('export and erasure of a subscriber', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ demoProviders: true });
    await clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, { eventLog: true });
    const variable = { key: 'TOKEN', isSecret: true };
    const values = [{ _environmentId: clarion.environmentId, value: SECRET }];
    await clarion.callOk('POST', '/v1/environment-variables', { ...variable, values });
    const texts = { subject: 'Hi {{subscriber.firstName}}', body: '<p>{{payload.secret}}</p>' };
    await clarion.workflow('all', [
      { type: 'in_app', controlValues: { subject: 'Hi', body: '{{payload.secret}} {{subscriber.firstName}}' } },
      { type: 'email', controlValues: texts },
      { type: 'sms', controlValues: { body: '{{payload.secret}} {{env.TOKEN}}' } },
    ]);
    await clarion.workflow('later', [
      { type: 'digest', controlValues: { amount: 1, unit: 'days' } },
      { type: 'email', controlValues: texts },
    ]);
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
    await clarion.run('all', ADA, { payload, overrides: { email: { headers: { 'x-mark': MARK } } } });
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
    return { shared, waiting };
  }

  it('exports every record, then erases it from every table and keeps the counts and a receipt', async () => {
    const { shared, waiting } = await fill();
    const tables = await tablesWith(MARK);
    for (const table of [
      'subscriber',
      'trigger',
      'message',
      'notification',
      'outbox',
      'topic_subscription',
      'suppression',
    ])
      expect(tables).toContain(table);
    expect(tables).toContain('event_log_entry');

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
    expect(await tablesWith(SECRET)).toEqual(new Set(['outbox']));
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
    const others = await clarion.messages(shared);
    expect(others.map(({ subscriber }) => subscriber?.subscriberId)).toEqual(['bob', 'bob', 'bob']);

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
