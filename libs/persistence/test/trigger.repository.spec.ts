import { type EnvironmentId, newId, type TriggerId } from '@clarion/contracts';
import { listPartitions, type SharedTrigger, TriggerRepository } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase, watchStatements } from '@clarion/testing';

describe('TriggerRepository.insertShared', () => {
  let test: TestDatabase;
  let triggers: TriggerRepository;
  const [one, two] = [newId<EnvironmentId>(), newId<EnvironmentId>()];

  beforeAll(async () => {
    test = await createTestDatabase();
    triggers = new TriggerRepository(test.database);
  });
  afterAll(() => test.drop());

  const trigger = (environmentId: EnvironmentId, transactionId: string, fingerprint = '00'): SharedTrigger => ({
    id: newId<TriggerId>(),
    environmentId,
    transactionId,
    fingerprint,
    workflowId: newId(),
    workflowVersion: 1,
    recipients: [],
    payload: { transactionId },
  });
  const stored = (transactionId: string) =>
    test.database.query<{ id: string }>('SELECT * FROM trigger WHERE transaction_id = $1 ORDER BY environment_id', [
      transactionId,
    ]);

  it('stores events of two environments in one statement, each with its own request and trace', async () => {
    const traced = { requestId: 'r1', traceparent: '00-aa-bb-01', tracestate: 'vendor=1' };
    const [a, b] = [
      { ...trigger(one, 'pair'), ...traced },
      { ...trigger(two, 'pair'), requestId: 'r2' },
    ];
    const statementsSince = watchStatements(test.dataSource);
    const results = await test.database.asTenant(two, () => triggers.insertShared([b, a]));
    expect(statementsSince()).toHaveLength(1);
    expect(results).toEqual([
      { transactionId: 'pair', stored: true, fingerprint: '00' },
      { transactionId: 'pair', stored: true, fingerprint: '00' },
    ]);
    const expected = [
      { id: a.id, environment_id: one, request_id: 'r1', traceparent: '00-aa-bb-01', tracestate: 'vendor=1' },
      { id: b.id, environment_id: two, request_id: 'r2', traceparent: null, tracestate: null },
    ];
    expect(await stored('pair')).toMatchObject(expected);
  });

  it('stores the first of several events with one transactionId and returns its fingerprint for the others', async () => {
    const first = trigger(one, 'twice', 'aa');
    const results = await triggers.insertShared([
      first,
      trigger(one, 'other'),
      trigger(one, 'twice', 'bb'),
      trigger(two, 'twice', 'cc'),
      trigger(one, 'twice', 'aa'),
    ]);
    expect(results.map(({ stored: isStored, fingerprint }) => [isStored, fingerprint])).toEqual([
      [true, 'aa'],
      [true, '00'],
      [false, 'aa'],
      [true, 'cc'],
      [false, 'aa'],
    ]);
    expect(await stored('twice')).toMatchObject([{ id: first.id }, { environment_id: two }]);
    expect(await triggers.insertShared([trigger(two, 'twice', 'dd')])).toEqual([
      { transactionId: 'twice', stored: false, fingerprint: 'cc' },
    ]);
  });

  it('does not deadlock when statements name the same ids in different orders', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `crossed-${index}`);
    const batch = () => [...ids.map((id) => trigger(one, id)), ...ids.map((id) => trigger(two, id))];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => triggers.insertShared(index % 2 ? batch() : batch().reverse())),
    );
    expect(results.flat().filter((result) => result.stored)).toHaveLength(2 * ids.length);
    const [row] = await test.database.query<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(Number(row!.deadlocks)).toBe(0);
  });

  it('creates a missing partition and stores all events', async () => {
    for (const { name } of await listPartitions(test.database)) await test.database.query(`DROP TABLE ${name}`);
    const insert = () => triggers.insertShared([trigger(one, 'week'), trigger(two, 'week')]);
    expect(await test.database.asTenant(one, insert)).toMatchObject([{ stored: true }, { stored: true }]);
    expect(await stored('week')).toHaveLength(2);
  });
});
