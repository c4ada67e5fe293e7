import { type EnvironmentId, newId, type StepId } from '@clarion/contracts';
import { createTestDatabase, insertEnvironment, type TestDatabase } from '@clarion/testing';
import { type ClaimedStep, type Database, FanOutRepository, StepClaimRepository, SweepRepository } from '../src';

const ROWS = 3_000;
const NAMED = 10;

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/*
 * Postgres may have analysed the table of open work at a time when it was empty, for example at night. Until it does so
 * again, it expects one row there. The statements of the hot path must not become slow by that.
 */
describe('statements on open work after it was analysed while empty', () => {
  let test: TestDatabase;
  let ids: StepId[];

  const insertRows = async (environmentId: EnvironmentId): Promise<StepId[]> => {
    const inserted = Array.from({ length: ROWS }, () => newId<StepId>());
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, notification_id, type, due_at)
       SELECT id, $2, id, id, 'email', now() - interval '1 minute' FROM unnest($1::uuid[]) AS i (id)`,
      [inserted, environmentId],
    );
    return inserted;
  };

  beforeAll(async () => {
    test = await createTestDatabase();
    const environmentId = await insertEnvironment(test.database);
    await test.database.query('ALTER TABLE work SET (autovacuum_enabled = false)');
    await insertRows(environmentId);
    await test.database.query('DELETE FROM work');
    await test.database.query('ANALYZE work');
    ids = await insertRows(environmentId);
  });
  afterAll(() => test.drop());

  /** Runs the statement that the repository sends, and returns the nodes of its plan. */
  const nodesWhen = async (use: (database: Database) => Promise<unknown>): Promise<Plan[]> => {
    const sent: [string, unknown[]][] = [];
    const record = (sql: string, parameters: unknown[] = []): Promise<unknown[]> => {
      sent.push([sql, parameters]);
      return Promise.resolve([]);
    };
    await use({
      query: record,
      rows: record,
      prepared: (_name: string, sql: string, parameters: unknown[]) => record(sql, parameters),
    } as unknown as Database);
    expect(sent).toHaveLength(1);
    const [[sql, parameters]] = sent as [[string, unknown[]]];
    const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, FORMAT JSON) ${sql}`,
      parameters,
    );
    return nodesOf(row!['QUERY PLAN'][0].Plan);
  };
  const compared = (nodes: Plan[]): number =>
    nodes.reduce((sum, node) => sum + (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'], 0);
  const readFromWork = (nodes: Plan[]): number =>
    nodes
      .filter((node) => node['Relation Name'] === 'work' && node['Node Type'] !== 'ModifyTable')
      .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
  const named = (): ClaimedStep[] =>
    ids.slice(0, NAMED).map((id) => ({ id, fence: 1, claimId: newId(), inDoubt: false }) as unknown as ClaimedStep);

  it('offers rows without comparing each with all others', async () => {
    const nodes = await nodesWhen((database) => new SweepRepository(database).offerSteps(ROWS, ROWS));
    expect(compared(nodes)).toBe(0);
  });

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['releases steps', (database) => new StepClaimRepository(database).release(named(), 0)],
    ['abandons steps', (database) => new StepClaimRepository(database).abandon(named())],
    ['releases triggers', (database) => new FanOutRepository(database).release(named() as never)],
  ])('%s by reading only their rows', async (_, use) => {
    const nodes = await nodesWhen(use);
    expect(readFromWork(nodes)).toBe(NAMED);
    expect(compared(nodes)).toBeLessThanOrEqual(NAMED * NAMED);
  });
});
