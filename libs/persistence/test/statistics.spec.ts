import { type EnvironmentId, newId, type StepId } from '@clarion/contracts';
import { createTestDatabase, insertEnvironment, insertWorkflow, type TestDatabase } from '@clarion/testing';
import {
  AuditRepository,
  type ClaimedStep,
  type Database,
  FanOutRepository,
  StepClaimRepository,
  SweepRepository,
} from '../src';

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
      one: record,
      prepared: (_name: string, sql: string, parameters: unknown[]) => record(sql, parameters),
      transaction: (work: () => Promise<unknown>) => work(),
    } as unknown as Database);
    const settings = sent.filter(([sql]) => sql.startsWith('SET LOCAL '));
    const [statement, ...others] = sent.filter((each) => !settings.includes(each));
    expect(others).toEqual([]);
    return test.database.transaction(async () => {
      for (const [setting] of settings) await test.database.query(setting);
      const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, FORMAT JSON) ${statement![0]}`,
        statement![1],
      );
      return nodesOf(row!['QUERY PLAN'][0].Plan);
    });
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

  it('audits rows without comparing each with all others', async () => {
    const environmentId = await insertEnvironment(test.database);
    const { id: workflowId } = await insertWorkflow(test.database, { environmentId, steps: [{ type: 'email' }] });
    const stems = Array.from({ length: ROWS }, () => newId().slice(0, -2));
    await test.database.query(
      `WITH rows AS MATERIALIZED (
         SELECT (stem || '00')::uuid AS id, (stem || '01')::uuid AS step_id FROM unnest($1::text[]) AS i (stem)
       ), triggers AS (
         INSERT INTO trigger (id, environment_id, workflow_id, workflow_version, transaction_id, fingerprint,
                              recipients, payload)
         SELECT id, $2, $3, 1, id, '\\x', '[{"subscriberId": "ada"}]', '{}' FROM rows
       ), notifications AS (
         INSERT INTO notification (id, environment_id, trigger_id, workflow_id, subscriber_id)
         SELECT id, $2, id, $3, id FROM rows
       ), steps AS (
         INSERT INTO step (id, environment_id, state, type, step_key)
         SELECT step_id, $2, 'completed', 'email', 'first' FROM rows
       )
       INSERT INTO message (id, environment_id, trigger_id, step_id, subscriber_id, channel)
       SELECT step_id, $2, id, step_id, id, 'email' FROM rows`,
      [stems, environmentId, workflowId],
    );
    const range = { after: new Date(Date.now() - 3_600_000), before: new Date(Date.now() + 60_000) };
    const audited = await new AuditRepository(test.database).range([environmentId], range, 5);
    expect(audited).toMatchObject({
      notifications: ROWS,
      checks: null,
      figures: [{ accepted: ROWS, delivered: ROWS }],
    });
    const nodes = await nodesWhen((database) => new AuditRepository(database).range([environmentId], range, 5));
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
