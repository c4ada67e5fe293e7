// eslint-disable-next-line clarion/no-restricted-syntax -- transactions last for a random time
import { setTimeout as delay } from 'node:timers/promises';
import { type EnvironmentId, idAtTime, newId, type SubscriberRowId, type TriggerId } from '@clarion/contracts';
import {
  ensurePartitions,
  EventLogRepository,
  type LogEntry,
  type LogPage,
  Maintenance,
  PreferenceRepository,
  WebhookEndpointRepository,
  WEEK,
} from '@clarion/persistence';
import { createTestDatabase, insertEnvironment, type TestDatabase } from '@clarion/testing';
import { howRecorded } from '../src/history/event-log.sql';

const PAGE = { limit: 50, scan: 200 };

describe('the event log', () => {
  let test: TestDatabase;
  let log: EventLogRepository;

  beforeAll(async () => {
    test = await createTestDatabase(20);
    log = new EventLogRepository(test.database);
  });
  afterAll(() => test.drop());

  const environment = async (): Promise<EnvironmentId> => {
    const id = await insertEnvironment(test.database);
    await test.database.query(`UPDATE environment SET event_log = true WHERE id = $1`, [id]);
    return id;
  };
  const add = (environmentId: EnvironmentId, type = 'message.sent', count = 1) =>
    test.database.query(
      `INSERT INTO new_log_entry (environment_id, type, data)
       SELECT $1, $2, jsonb_build_object('n', n) FROM generate_series(1, $3::int) n`,
      [environmentId, type, count],
    );
  /** The entries of a statement that recorded this many messages as sent. */
  const addBatch = (environmentId: EnvironmentId, messages: number, types = ['message.sent', 'message.delivered']) =>
    test.database.query(
      `INSERT INTO new_log_batch (environment_id, types, channel, step_ids, trigger_ids, subscriber_ids, workflow_ids)
       SELECT $1, $2, 'in_app', array_agg(gen_random_uuid()), array_agg(gen_random_uuid()),
              array_agg(gen_random_uuid()), array_agg(gen_random_uuid()) FROM generate_series(1, $3::int)`,
      [environmentId, types, messages],
    );
  const read = async (environmentId: EnvironmentId, after?: number, types?: LogEntry['type'][]): Promise<LogPage> => {
    const result = await log.read(environmentId, after, types ? { types } : {}, PAGE);
    if ('gone' in result) throw new Error(`entries before ${result.gone.firstSequence} are gone`);
    return result.page;
  };

  it('numbers entries without gaps while transactions commit late, roll back and are numbered at once', async () => {
    const environments = await Promise.all(Array.from({ length: 3 }, environment));
    const seen = new Map<EnvironmentId, LogEntry[]>(environments.map((id) => [id, []]));
    let isWriting = true;
    let committed = 0;
    const write = async (number: number): Promise<void> => {
      const environmentId = environments[number % environments.length]!;
      const isRolledBack = number % 4 === 0;
      await test.database
        .transaction(async () => {
          if (number % 2 === 0) await addBatch(environmentId, 1 + (number % 3), ['message.sent']);
          else await add(environmentId, 'message.sent', 1 + (number % 3));
          await delay(Math.random() * 30);
          if (isRolledBack) throw new Error('rolled back');
        })
        .catch((error: Error) => expect(error.message).toBe('rolled back'));
      if (!isRolledBack) committed += 1 + (number % 3);
    };
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let number = writer; number < 400; number += 10) await write(number);
    });
    const numberers = [log, new EventLogRepository(test.database)].map(async (one) => {
      while (isWriting) {
        await one.number();
        await delay(1);
      }
    });
    // Each reader continues where it stopped, and sees only the next number each time.
    const readers = environments.map(async (environmentId) => {
      while (isWriting) {
        const list = seen.get(environmentId)!;
        list.push(...(await read(environmentId, list.length)).entries);
        await delay(1);
      }
    });
    await Promise.all(writers);
    isWriting = false;
    await Promise.all([...numberers, ...readers]);
    await log.number();
    for (const environmentId of environments) {
      const list = seen.get(environmentId)!;
      for (let more = true; more;) {
        const { entries, next, lastSequence } = await read(environmentId, list.length);
        list.push(...entries);
        more = next < lastSequence;
      }
      expect(list.map(({ sequence }) => sequence)).toEqual(list.map((_, index) => index + 1));
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    }
    expect([...seen.values()].flat()).toHaveLength(committed);
  });

  it('numbers the entries of environments in turn, each in its order', async () => {
    const environments = await Promise.all(Array.from({ length: 3 }, environment));
    const [busy, quiet, other] = environments as [EnvironmentId, EnvironmentId, EnvironmentId];
    await add(busy, 'message.failed', 1_000);
    await addBatch(busy, 3);
    await add(quiet, 'message.sent', 2);
    await addBatch(other, 2);
    await log['numberSome']();
    const numbered = await Promise.all(environments.map(async (id) => (await read(id)).lastSequence));
    // The batch of two is one row.
    expect(numbered).toEqual([197, 2, 4]);
    await log.number();
    expect((await read(busy)).lastSequence).toBe(1_006);
    const { entries } = await read(busy, 990);
    expect(entries.slice(0, 10).map(({ data }) => data['n'])).toEqual(Array.from({ length: 10 }, (_, at) => at + 991));
  });

  it('continues after the last entry that it looked at, also when no entry of the page has the type', async () => {
    const environmentId = await environment();
    await add(environmentId, 'message.sent', 300);
    await add(environmentId, 'message.failed');
    await log.number();

    const first = await read(environmentId, 0, ['message.failed']);
    expect([first.entries.length, first.next, first.lastSequence]).toEqual([0, 200, 301]);
    const second = await read(environmentId, first.next, ['message.failed']);
    expect(second.entries.map(({ sequence, type }) => [sequence, type])).toEqual([[301, 'message.failed']]);
    expect(second.next).toBe(301);
  });

  it('says which entries are gone, and starts with the oldest one when no number is given', async () => {
    const environmentId = await environment();
    await add(environmentId, 'message.sent');
    await addBatch(environmentId, 1);
    await log.number();
    // The entries become two months old.
    const time = Date.now() - 9 * WEEK;
    await ensurePartitions(test.database, { from: time, to: time });
    for (const table of ['event_log_entry', 'event_log_batch']) {
      await test.database.query(
        `UPDATE ${table} SET id = overlay(id::text placing $2 from 1 for 13)::uuid WHERE environment_id = $1`,
        [environmentId, idAtTime(time).slice(0, 13)],
      );
    }
    await add(environmentId, 'message.read', 2);
    await log.number();
    expect((await read(environmentId, 0)).entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);

    const dropped = (await new Maintenance(test.database, 30).run())!.partitionsDropped;
    for (const table of ['event_log_entry', 'event_log_batch'])
      expect(dropped).toContainEqual(expect.stringContaining(table));
    expect(await log.read(environmentId, 1, {}, PAGE)).toEqual({
      gone: { firstSequence: 4, lastSequence: 5, isRecording: true },
    });
    expect((await read(environmentId, 3)).entries.map(({ sequence }) => sequence)).toEqual([4, 5]);
    expect((await read(environmentId)).entries.map(({ sequence }) => sequence)).toEqual([4, 5]);
  });

  it('reads the entries of a batch one by one, from each number on, with ids that stay', async () => {
    const environmentId = await environment();
    await add(environmentId, 'message.failed');
    await addBatch(environmentId, 2);
    await add(environmentId, 'message.read');
    await addBatch(environmentId, 3, ['message.sent']);
    await log.number();

    const entries = (await read(environmentId)).entries.map((entry) => ({ ...entry, scanned: expect.any(Number) }));
    expect(entries.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'message.failed'],
      [2, 'message.sent'],
      [3, 'message.delivered'],
      [4, 'message.sent'],
      [5, 'message.delivered'],
      [6, 'message.read'],
      [7, 'message.sent'],
      [8, 'message.sent'],
      [9, 'message.sent'],
    ]);
    expect(entries[1]!.data['messageId']).toBe(entries[2]!.data['messageId']);
    expect(new Set(entries.map(({ data }) => data['messageId'])).size).toBe(6);
    expect(entries[1]!.data).toMatchObject({ channel: 'in_app', status: 'sent' });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(9);
    for (const { sequence } of entries) {
      const rest = await log.read(environmentId, sequence - 1, {}, { limit: 2, scan: 2 });
      expect(rest).toMatchObject({ page: { entries: entries.slice(sequence - 1, sequence + 1) } });
    }
    const range = await new WebhookEndpointRepository(test.database).rangeBetween(
      environmentId,
      idAtTime(0),
      idAtTime(Date.now() + WEEK),
    );
    expect(range).toEqual({ after: 0, to: 9 });
  });

  it('names in a batch what callers know, and the transactionId that the caller chose', async () => {
    const environmentId = await environment();
    const [workflowId, subscriberId] = [newId(), newId()];
    const [chosen, made] = [newId<TriggerId>(), newId<TriggerId>()];
    await test.database.query(`INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, 'ann')`, [
      subscriberId,
      environmentId,
    ]);
    await test.database.query(
      `INSERT INTO workflow (id, environment_id, workflow_id, name, current_version) VALUES ($1, $2, 'order', 'Order', 1)`,
      [workflowId, environmentId],
    );
    await test.database.query(
      `INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload,
                            fingerprint)
       SELECT id, $1, transaction_id, $2, 1, '[]', '{}', '' FROM unnest($3::uuid[], $4::text[]) AS i (id, transaction_id)`,
      [environmentId, workflowId, [chosen, made], ['order-7', `txn_${made}`]],
    );
    await addBatch(environmentId, 3, ['message.sent']);
    await test.database.query(
      `UPDATE new_log_batch SET trigger_ids[1:2] = $2::uuid[], subscriber_ids[2] = $3, workflow_ids[2] = $4
        WHERE environment_id = $1`,
      [environmentId, [chosen, made], subscriberId, workflowId],
    );
    await log.number();
    const { entries } = await read(environmentId);
    expect(entries.map(({ data }) => [data['transactionId'], data['subscriberId'], data['workflowId']])).toEqual([
      ['order-7', undefined, undefined],
      [`txn_${made}`, 'ann', 'order'],
      [undefined, undefined, undefined],
    ]);
  });

  it('packs entries when an environment has numbers and the time of processes without batches is over', async () => {
    const [silent, recording] = [await insertEnvironment(test.database), await environment()];
    const how = async (id: EnvironmentId) =>
      (await test.database.query<{ how: string | null }>(`SELECT ${howRecorded('$1::uuid')} AS how`, [id]))[0]!.how;
    expect([await how(silent), await how(recording)]).toEqual([null, 'single']);
    await add(recording);
    await log.number();
    expect(await how(recording)).toBe('packed');
    await test.database.query(`UPDATE event_log SET packs_from = now() + interval '1 hour'`);
    expect(await how(recording)).toBe('single');
  });

  it('records a preference only in an environment that wants it', async () => {
    const [silent, recording] = [await insertEnvironment(test.database), await environment()];
    for (const environmentId of [silent, recording]) {
      const [subscriber] = await test.database.query<{ id: SubscriberRowId }>(
        `INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, 'ann') RETURNING id`,
        [newId(), environmentId],
      );
      const changes = [{ channels: { email: false } }];
      await new PreferenceRepository(test.database).upsertMany(environmentId, subscriber!.id, [], changes);
    }
    await log.number();
    expect((await read(recording)).entries).toMatchObject([
      {
        sequence: 1,
        type: 'preference.updated',
        data: { subscriberId: 'ann', level: 'global', channels: { email: false } },
      },
    ]);
    expect(await log.state(silent)).toEqual({ firstSequence: 1, lastSequence: 0, isRecording: false });
  });

  it('drops the entries of an environment that was deleted before they were numbered', async () => {
    const gone = newId<EnvironmentId>();
    await add(gone);
    expect(await log.number()).toBe(1);
    expect((await log.state(gone)).lastSequence).toBe(0);
  });
});
