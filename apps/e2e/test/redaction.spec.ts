import { Redis } from 'ioredis';
import type {
  AuditDto,
  BulkActionDto,
  IntegrationDto,
  MessageDto,
  NotificationDto,
  OutboxListDto,
} from '@clarion/contracts';
import { EventLogRepository, RedactionRepository } from '@clarion/persistence';
import type { FakeAnswer } from '@clarion/testing';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, historyOf, startOwnClarion } from './harness';

/** In the values of marked fields, and nowhere else. */
const SECRET = 'sec7ret';
const ADA = { subscriberId: 'ada', email: 'ada@x.test', phone: '+15550001111' };
const CODE = '{{payload.code}} {{payload.user.ssn}}';
const EMAIL = { type: 'email', controlValues: { subject: `Code ${CODE}`, body: `<p>${CODE}</p>` } } as const;
const MARK = { type: 'string', 'x-sensitive': true } as const;
const payloadSchema = {
  type: 'object',
  properties: {
    code: MARK,
    user: { type: 'object', properties: { ssn: MARK, city: { type: 'string' } } },
    items: { type: 'array', items: { type: 'object', properties: { token: MARK, name: { type: 'string' } } } },
  },
};
const PAYLOAD = {
  code: `${SECRET}-1`,
  user: { ssn: `${SECRET}-2`, city: 'Paris' },
  items: [{ token: `${SECRET}-3`, name: 'a' }, { name: 'b' }],
  order: 7,
};
const REDACTED_PAYLOAD = {
  code: '[redacted]',
  user: { ssn: '[redacted]', city: 'Paris' },
  items: [{ token: '[redacted]', name: 'a' }, { name: 'b' }],
  order: 7,
};
const OVERRIDES = { email: { headers: { 'x-code': `${SECRET}-4` } } };

describe('redaction of marked payload fields', () => {
  let clarion: Clarion;
  let redactions: RedactionRepository;
  let twilio: IntegrationDto;

  beforeAll(async () => {
    clarion = await startOwnClarion({ demoProviders: true });
    redactions = new RedactionRepository(clarion.database);
    await clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, { eventLog: true });
    twilio = await clarion.integration('twilio', 'sms');
    await clarion.integration('expo', 'push');
    const text = { type: 'sms', controlValues: { body: CODE } } as const;
    await clarion.workflow(
      'all',
      [
        EMAIL,
        text,
        { type: 'chat', controlValues: { body: CODE } },
        { type: 'push', controlValues: { subject: CODE, body: CODE } },
      ],
      { payloadSchema },
    );
    await clarion.workflow('text', [text], { payloadSchema });
    await clarion.workflow('inbox', [{ type: 'in_app', controlValues: { body: CODE } }, EMAIL], { payloadSchema });
    await clarion.workflow(
      'digest',
      [
        { type: 'digest', stepId: 'd', controlValues: { amount: 1, unit: 'days' } },
        { type: 'email', controlValues: { subject: '{{steps.d.events[1].payload.code}}', body: 'x' } },
      ],
      { payloadSchema },
    );
    await clarion
      .callOk('PUT', `/v1/subscribers/${ADA.subscriberId}/credentials`, {
        providerId: 'expo',
        credentials: { deviceTokens: ['ExponentPushToken[abcdefghijkl]'] },
      })
      .catch(() => undefined);
  });
  beforeEach(() => clarion.provider.reset());
  afterAll(() => clarion.close());

  /** The columns that have the text, in all tables and partitions, and the keys of Redis that have it. */
  async function search(text = SECRET): Promise<string[]> {
    const tables = await clarion.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
    );
    const rows = tables.map(({ name }) => `SELECT '${name}' AS name, to_jsonb(t) AS row FROM "${name}" t`);
    const found = await clarion.database.query<{ name: string }>(
      `SELECT DISTINCT regexp_replace(name, '_w[0-9]+$', '') || '.' || column_name AS name
         FROM (${rows.join(' UNION ALL ')}) r CROSS JOIN LATERAL jsonb_each_text(r.row) AS c (column_name, value)
        WHERE strpos(c.value, $1) > 0`,
      [text],
    );
    return [...found.map(({ name }) => name), ...(await searchRedis(text))].sort();
  }

  async function searchRedis(text: string): Promise<string[]> {
    const { queueBackend, config } = clarion.context;
    if (queueBackend.kind !== 'redis') return [];
    const redis = new Redis(queueBackend.url as string);
    try {
      const found: string[] = [];
      for (const key of await redis.keys(`*${config.CLARION_QUEUE_PREFIX}*`)) {
        const dump = await redis.dumpBuffer(key);
        if (key.includes(text) || dump?.includes(text)) found.push(key);
      }
      return found;
    } finally {
      await redis.quit();
    }
  }

  /** As if the outbox had been readable for its time. */
  async function redact(): Promise<void> {
    await clarion.database.query(
      `UPDATE redaction SET created_at = created_at - interval '11 minutes', due_at = now() - interval '1 second'`,
    );
    await until(isWorkedOff);
  }
  /** The gateway redacts too, and each leaves the rows to the other that this one has locked. */
  const isWorkedOff = async (): Promise<boolean> => {
    await redactions.run();
    return (await clarion.database.query(`SELECT 1 FROM redaction WHERE due_at <= now()`)).length === 0;
  };
  const payloadOf = async (transactionId: string): Promise<unknown> =>
    (
      await clarion.database.query<{ payload: unknown }>(`SELECT payload FROM trigger WHERE transaction_id = $1`, [
        transactionId,
      ])
    )[0]?.payload;

  it('removes the values from every table after delivery, and shows the marker', async () => {
    const { transactionId } = await clarion.run('all', ADA, { payload: PAYLOAD, overrides: OVERRIDES });
    const before = await search();
    for (const column of [
      'trigger.payload',
      'trigger.overrides',
      'message.content',
      'message.subject',
      'outbox.html',
    ]) {
      expect(before).toContain(column);
    }
    // Tests can read the code from the outbox for a while.
    await redactions.run();
    expect(await payloadOf(transactionId)).toEqual(PAYLOAD);
    await redact();
    await new EventLogRepository(clarion.database).number();
    expect(await search()).toEqual([]);
    expect(await payloadOf(transactionId)).toEqual(REDACTED_PAYLOAD);

    const [shown] = await clarion.activity(transactionId, allEnded());
    const { payload } = await clarion.callOk<NotificationDto>('GET', `/v1/notifications/${shown!._id}`);
    expect(payload).toMatchObject({ code: '[redacted]', order: 7 });
    expect(historyOf(shown!).map((lines) => lines[0])).toEqual(
      expect.arrayContaining(['email completed', 'sms completed', 'chat completed']),
    );
    const messages = await clarion.messages(transactionId);
    expect(messages.map(({ content }) => content)).toEqual(messages.map(() => '[redacted]'));
    const { data } = await clarion.callOk<OutboxListDto>('GET', `/v1/outbox?transactionId=${transactionId}`);
    expect(data.find(({ channel }) => channel === 'email')).toMatchObject({
      subject: '[redacted]',
      html: '[redacted]',
      to: ['ada@x.test'],
    });
    expect(clarion.logged.join('\n')).not.toContain(SECRET);
    const audit = await clarion.callOk<AuditDto>('GET', `/v1/audit?transactionId=${transactionId}`);
    expect(audit.reconciles).toBe(true);
  });

  it('keeps what the subscriber reads in the inbox', async () => {
    const { transactionId } = await clarion.run('inbox', ADA, { payload: PAYLOAD });
    await redact();
    expect(await search()).toEqual(['message.content']);
    const messages = await clarion.messages(transactionId);
    const contents = Object.fromEntries(messages.map(({ channel, content }: MessageDto) => [channel, content]));
    expect(contents).toEqual({ in_app: `${SECRET}-1 ${SECRET}-2`, email: '[redacted]' });
    await clarion.database.query(`DELETE FROM message WHERE channel = 'in_app'`);
  });

  it('waits for a digest that collected the payload, and then redacts all its events', async () => {
    const first = await clarion.trigger('digest', ADA, { payload: PAYLOAD });
    await clarion.activity(first, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    const second = await clarion.trigger('digest', ADA, { payload: PAYLOAD });
    await clarion.activity(second, ([one]) => one?.jobs?.[0]?.status === 'merged');
    await redact();
    expect(await payloadOf(second)).toEqual(PAYLOAD);
    await clarion.makeDue(first);
    await clarion.activity(first, allEnded());
    const [mail] = await clarion.messages(first);
    expect(mail).toMatchObject({ subject: `${SECRET}-1` });
    expect(await search()).toContain('step.output');
    await redact();
    expect(await search()).toEqual([]);
    expect(await payloadOf(second)).toEqual(REDACTED_PAYLOAD);
  });

  it('keeps a failed step for its replay, then redacts it and refuses the replay', async () => {
    const answer: FakeAnswer = { status: 400, json: { code: 21211, message: `bad text ${SECRET}` } };
    clarion.provider.always(/Messages/, answer);
    const transactionId = await clarion.trigger('text', ADA, { payload: PAYLOAD });
    const [failed] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(failed!)[0]![0]).toBe('sms failed');
    await redact();
    expect(await payloadOf(transactionId)).toEqual(PAYLOAD);
    // The replay sends the values.
    clarion.provider.reset();
    await clarion.callOk('POST', '/v1/notifications/replay', { ids: [failed!._id], dryRun: false });
    await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'completed');
    expect(decodeURIComponent(String(clarion.provider.calls[0]!.body))).toContain(SECRET);

    clarion.provider.always(/Messages/, answer);
    const again = await clarion.trigger('text', ADA, { payload: PAYLOAD });
    const [last] = await clarion.activity(again, allEnded());
    const frozen = await clarion.callOk<BulkActionDto>('POST', '/v1/bulk-actions', {
      action: 'replay',
      ids: [last!._id],
    });
    await clarion.database.query(`UPDATE step SET ended_at = ended_at - interval '25 hours' WHERE state = 'failed'`);
    await redact();
    await new EventLogRepository(clarion.database).number();
    expect(await search()).toEqual([]);
    for (const body of [{ ids: [last!._id], dryRun: false }, { transactionId: [again] }]) {
      expect(await clarion.call('POST', '/v1/notifications/replay', body)).toMatchObject({ status: 409 });
    }
    const path = `/v1/bulk-actions/${frozen._id}`;
    await clarion.callOk('POST', `${path}/run`, { count: 1 });
    const ended = async () => (await clarion.callOk<BulkActionDto>('GET', path)).state === 'done';
    await until(ended);
    expect(await clarion.callOk('GET', path)).toMatchObject({ unchangedReasons: [{ reason: 'redacted', count: 1 }] });
    expect(await search()).toEqual([]);
  });

  it('goes on after a crash, and with an event of more recipients than one statement handles', async () => {
    await clarion.database.query(
      `INSERT INTO subscriber (id, environment_id, subscriber_id, email)
       SELECT uuid_v7(), $1, 's' || at, 's' || at || '@x.test' FROM generate_series(1, 120) at`,
      [clarion.environmentId],
    );
    await clarion.callOk('POST', '/v1/events/trigger/broadcast', { name: 'inbox', payload: PAYLOAD });
    const isOver = async () => (await clarion.database.query(`SELECT 1 FROM work LIMIT 1`)).length === 0;
    await until(isOver);
    expect(await search()).toContain('message.subject');
    let transactions = 0;
    await clarion.database.query(
      `UPDATE redaction SET created_at = created_at - interval '11 minutes', due_at = now() - interval '1 second'`,
    );
    // The process ends between two transactions.
    await redactions.run(() => (transactions += 1) > 2);
    await clarion.database.query(`DELETE FROM message WHERE channel = 'in_app'`);
    await until(isWorkedOff);
    expect(await search()).toEqual([]);
    await redact();
    expect(await clarion.database.query(`SELECT * FROM redaction`)).toEqual([]);
  });

  it('redacts as a whole what has another shape than the schema describes', async () => {
    const payload = {
      code: { deep: SECRET },
      user: [{ ssn: SECRET }, SECRET],
      items: { first: SECRET, second: { token: SECRET, name: 'b' }, third: null },
    };
    const { transactionId } = await clarion.run('text', ADA, { payload });
    await clarion.run('text', ADA, { payload: { code: 'x', user: SECRET, items: SECRET } });
    const isClear = async () => (await redact(), (await search()).length === 0);
    await until(isClear);
    expect(await payloadOf(transactionId)).toEqual({
      code: '[redacted]',
      user: '[redacted]',
      items: { first: '[redacted]', second: { token: '[redacted]', name: 'b' }, third: null },
    });
  });

  it('keeps words of a provider out of the health of its integration and out of the log', async () => {
    const health = async (): Promise<IntegrationDto['health']> =>
      (await clarion.callOk<IntegrationDto>('GET', `/v1/integrations/${twilio._id}`)).health;
    const reset = () =>
      clarion.database.query(`UPDATE integration SET health = NULL, updated_at = now() WHERE id = $1`, [twilio._id]);
    const sendUntil = async (answer: FakeAnswer, messages: number, state: string): Promise<void> => {
      clarion.provider.always(/Messages/, answer);
      const to = Array.from({ length: messages }, (_, at) => ({
        subscriberId: `t${at}`,
        phone: `+155500020${at + 10}`,
      }));
      await clarion.trigger('text', to, { payload: PAYLOAD });
      await until(async () => (await health())?.state === state);
      expect((await search()).filter((column) => column.startsWith('integration'))).toEqual([]);
      // A message whose call is in flight would change the health once more.
      const calls = () => clarion.database.query(`SELECT 1 FROM work WHERE sending_since IS NOT NULL`);
      await until(async () => (await calls()).length === 0);
      await clarion.database.query(`DELETE FROM work WHERE type = 'sms'`);
      await reset();
      clarion.provider.reset();
    };
    await sendUntil({ status: 503, json: { message: `cannot send ${SECRET}` } }, 20, 'open');
    const headers = { 'retry-after': '60' };
    await sendUntil({ status: 429, headers, json: { message: `wait with ${SECRET}` } }, 1, 'paused');
    const opened = clarion.logged.filter((line) => line.includes('circuit breaker of an integration opened'));
    expect(opened).toHaveLength(1);
    expect(opened[0]).toContain('transient, status 503');
    expect(clarion.logged.join('\n')).not.toContain(SECRET);
  });

  it('refuses marks that would have no effect', async () => {
    const create = (schema: object) =>
      clarion.call('POST', '/v2/workflows', { name: 'x', workflowId: 'x', steps: [], payloadSchema: schema });
    for (const [schema, text] of [
      [{ type: 'object', 'x-sensitive': true }, 'the whole payload'],
      [{ $defs: { code: MARK }, properties: { code: { $ref: '#/$defs/code' } } }, 'has no effect'],
      [{ properties: { code: { 'x-sensitive': 'yes' } } }, 'true or false'],
      [{ properties: { code: MARK, child: { $ref: '#' } } }, 'through a reference'],
      [{ properties: { code: MARK, second: { $ref: '#/properties/code' } } }, 'through a reference'],
    ] as const) {
      const answer = await create(schema);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain(text);
    }
  });
});
