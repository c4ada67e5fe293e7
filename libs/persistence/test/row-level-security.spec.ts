import { type EnvironmentId, newId } from '@clarion/contracts';
import { listTenantTables, TENANT_ROLE } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';

describe('row-level security', () => {
  let test: TestDatabase;
  const [a, b] = [newId(), newId()];

  beforeAll(async () => {
    test = await createTestDatabase();
    const organization = newId();
    await test.database.query(`INSERT INTO organization (id, name) VALUES ($1, 'O')`, [organization]);
    for (const id of [a, b]) {
      await test.database.query(
        `INSERT INTO environment (id, organization_id, name, identifier) VALUES ($1, $2, $1::uuid::text, $1::uuid::text)`,
        [id, organization],
      );
    }
  });
  afterAll(() => test.drop());

  const tables = () => listTenantTables(test.dataSource);
  const insertSubscriber = (environmentId: EnvironmentId, subscriberId: string) =>
    test.database.execute(`INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, $3)`, [
      newId(),
      environmentId,
      subscriberId,
    ]);

  it('protects every table with an environment_id by a policy for reads and writes', async () => {
    const rows = await test.database.query<{ name: string; enabled: boolean; using: string; check: string }>(
      `SELECT c.relname AS name, c.relrowsecurity AS enabled,
              pg_get_expr(p.polqual, c.oid) AS using, pg_get_expr(p.polwithcheck, c.oid) AS check
         FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polcmd = '*'
              AND p.polroles = ARRAY[(SELECT oid FROM pg_roles WHERE rolname = '${TENANT_ROLE}')]
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1) ORDER BY 1`,
      [await tables()],
    );
    expect(rows.length).toBeGreaterThan(20);
    const own = '(environment_id = clarion_environment())';
    expect(rows).toEqual(rows.map(({ name }) => ({ name, enabled: true, using: own, check: own })));
  });

  it('gives a tenant no right to tables without a policy, including partitions by name', async () => {
    const rows = await test.database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT c.relrowsecurity AND NOT (c.relkind = 'v' AND c.relname LIKE '%\\_search')
          AND has_table_privilege('${TENANT_ROLE}', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')`,
    );
    expect(rows).toEqual([]);
  });

  it('protects the search views, which can use the indexes that a policy forbids', async () => {
    for (const environmentId of [a, b]) await fill(test, environmentId as EnvironmentId);
    const views = await test.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v'
          AND relname <> 'recorded_detail'`,
    );
    expect(views.map(({ name }) => name).sort()).toEqual(
      ['context', 'message', 'notification', 'subscriber', 'topic'].map((table) => `${table}_search`),
    );
    for (const { name } of views) {
      const environments = () =>
        test.database.query(`SELECT DISTINCT environment_id AS id FROM ${name} ORDER BY environment_id`);
      expect(await environments()).toEqual([a, b].sort().map((id) => ({ id })));
      expect(await test.database.asTenant(a as EnvironmentId, environments)).toEqual([{ id: a }]);
    }
    const plan = (relation: string) =>
      test.database.asTenant(a as EnvironmentId, () =>
        test.database.transaction(async () => {
          await test.database.query('SET LOCAL enable_seqscan = off');
          const rows = await test.database.query<Record<string, string>>(
            `EXPLAIN SELECT id FROM ${relation} WHERE email LIKE '%rare%'`,
          );
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        }),
      );
    expect(await plan('subscriber_search')).toContain('subscriber_email_trgm_idx');
    expect(await plan('subscriber')).not.toContain('subscriber_email_trgm_idx');
  });

  it('shows a tenant its own environment and no other', async () => {
    expect(
      await test.database.asTenant(a as EnvironmentId, () => test.database.query('SELECT id FROM environment')),
    ).toEqual([{ id: a }]);
  });

  it('ends the scope with the statement, so that the connection has no tenant afterwards', async () => {
    const small = await createTestDatabase(1);
    try {
      const who = () =>
        small.database.query(
          `SELECT current_user AS role, current_setting('clarion.environment_id', true) AS environment`,
        );
      const [before] = await who();
      expect(await small.database.asTenant(a as EnvironmentId, who)).toEqual([{ role: TENANT_ROLE, environment: a }]);
      expect((await who())[0]).toMatchObject({ role: (before as { role: string }).role });
      const failing = small.database.asTenant(a as EnvironmentId, () => small.database.query('SELECT 1/0'));
      await expect(failing).rejects.toThrow('division by zero');
      expect((await who())[0]).toMatchObject({ role: (before as { role: string }).role });
    } finally {
      await small.drop();
    }
  });

  it('keeps the scope in a transaction, also after a failed attempt and around statements of the system', async () => {
    const who = async () =>
      (
        await test.database.query<{ who: string }>(
          `SELECT current_user || ' ' || coalesce(current_setting('clarion.environment_id', true), '') AS who`,
        )
      )[0]!.who;
    const tenant = `${TENANT_ROLE} ${a}`;
    await test.database.asTenant(a as EnvironmentId, () =>
      test.database.transaction(async () => {
        expect(await who()).toBe(tenant);
        expect(await test.database.asSystem(who)).not.toContain(TENANT_ROLE);
        expect(await who()).toBe(tenant);
        await expect(
          test.database.attempt(async () => {
            await test.database.asSystem(() => test.database.query('SELECT 1'));
            await test.database.asSystem(() => test.database.query('SELECT 1/0'));
          }),
        ).rejects.toThrow('division by zero');
        expect(await who()).toBe(tenant);
      }),
    );
  });

  it('refuses rows for another environment, and rows without any', async () => {
    await expect(
      test.database.asTenant(a as EnvironmentId, () => insertSubscriber(b as EnvironmentId, 'planted')),
    ).rejects.toThrow('violates row-level security policy');
    await test.database.asTenant(a as EnvironmentId, () => insertSubscriber(a as EnvironmentId, 'own'));
    const move = () => test.database.execute(`UPDATE subscriber SET environment_id = $1`, [b]);
    await expect(test.database.asTenant(a as EnvironmentId, move)).rejects.toThrow(
      'violates row-level security policy',
    );
  });

  it('keeps SELECT, UPDATE and DELETE without a WHERE to the rows of the tenant, on every table', async () => {
    for (const environmentId of [a, b]) await fill(test, environmentId as EnvironmentId);
    const undo = new Error('undo');
    for (const table of await tables()) {
      const count = async (): Promise<Record<string, number>> => {
        const rows = await test.database.query<{ environment_id: string; n: number }>(
          `SELECT environment_id, count(*)::int AS n FROM "${table}" GROUP BY 1`,
        );
        return Object.fromEntries(rows.map(({ environment_id: id, n }) => [id, n]));
      };
      const before = await count();
      expect({ table, environments: Object.keys(before).sort() }).toEqual({ table, environments: [a, b].sort() });
      expect(await test.database.asTenant(newId(), count)).toEqual({});
      const change = (sql: string) =>
        test.database
          .asTenant(a as EnvironmentId, () => test.database.attempt(() => test.database.execute(sql)))
          .catch((error: Error) => refusal(error));
      const work = test.database.transaction(async () => {
        expect(await test.database.asTenant(a as EnvironmentId, count)).toEqual({ [a]: before[a] });
        const updated = await change(`UPDATE "${table}" SET environment_id = environment_id`);
        expect({ table, updated }).toEqual({ table, updated: updated === 'refused' ? 'refused' : before[a] });
        const deleted = await change(`DELETE FROM "${table}"`);
        expect({ table, deleted }).toEqual({ table, deleted: deleted === 'refused' ? 'refused' : before[a] });
        expect(await count()).toEqual(deleted === 'refused' ? before : { [b]: before[b] });
        throw undo;
      });
      await expect(work).rejects.toBe(undo);
    }
  });
});

/** A right that tenants do not have, or an operation that no role may run. */
function refusal(error: Error): 'refused' {
  if (/permission denied|immutable|append-only/.test(error.message)) return 'refused';
  throw error;
}

/** A row in each table, as far as there is none. */
async function fill({ database, dataSource }: TestDatabase, environmentId: EnvironmentId): Promise<void> {
  const tables = await listTenantTables(dataSource);
  await database.transaction(async () => {
    // Foreign keys are of no interest here, and neither are the triggers that keep rows from changing.
    await database.query(`SET LOCAL session_replication_role = replica`);
    for (const table of tables) {
      const columns = await database.query<{ name: string; type: string }>(
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $1 AND column_default IS NULL AND is_identity = 'NO'
            -- A translation belongs to a workflow or to a layout.
            AND (is_nullable = 'NO' OR (table_name, column_name) = ('translation', 'workflow_id'))
            AND column_name <> 'environment_id'`,
        [table],
      );
      const names = ['environment_id', ...columns.map(({ name }) => `"${name}"`)].join(', ');
      const values = columns.map(({ name, type }) => sample(table, name, type));
      await database.query(
        `INSERT INTO "${table}" (${names}) SELECT ${['$1', ...values].join(', ')}
          WHERE NOT EXISTS (SELECT 1 FROM "${table}" WHERE environment_id = $1)`,
        [environmentId],
      );
    }
  });
}

function sample(table: string, name: string, type: string): string {
  if (table === 'api_key' && name === 'scope') return `'read'`;
  if (table === 'publish' && name === 'origin') return `'publish'`;
  switch (type) {
    case 'uuid':
      return 'uuid_v7()';
    case 'bytea':
      return 'uuid_send(uuid_v7())';
    case 'json':
    case 'jsonb':
      return `'{}'`;
    case 'ARRAY':
      return `'{}'`;
    case 'bigint':
    case 'integer':
    case 'smallint':
      return '1';
    case 'boolean':
      return 'false';
    case 'timestamp with time zone':
      return 'now()';
    default:
      return 'uuid_v7()::text';
  }
}
