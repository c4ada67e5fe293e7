import type { EnvironmentId } from '@clarion/contracts/core';
import { ContextRepository, EnvironmentRepository } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase, watchStatements } from '@clarion/testing';

describe('contexts, ensured', () => {
  let test: TestDatabase;
  let contexts: ContextRepository;
  const environments: EnvironmentId[] = [];

  beforeAll(async () => {
    test = await createTestDatabase();
    contexts = new ContextRepository(test.database);
    const repository = new EnvironmentRepository(test.database);
    const organization = await repository.insertOrganization('O');
    for (const name of ['one', 'two']) {
      const input = { organizationId: organization.id, name, identifier: name, type: 'dev' as const };
      environments.push((await repository.insert(input))!.id);
    }
  });
  afterAll(() => test.drop());

  const summary = (rows: { environmentId: EnvironmentId; type: string; contextId: string; data: unknown }[]) =>
    rows
      .map(({ environmentId, type, contextId, data }) => [environments.indexOf(environmentId), type, contextId, data])
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

  it('creates missing contexts, keeps existing ones and returns each once, in one statement', async () => {
    const [one, two] = environments as [EnvironmentId, EnvironmentId];
    await contexts.insert(one, { type: 'team', contextId: 'red', data: { old: true } });
    const statements = watchStatements(test.dataSource);
    const rows = await contexts.ensureMany([
      { environmentId: one, type: 'team', contextId: 'red', data: { old: false } },
      { environmentId: one, type: 'team', contextId: 'blue', data: { a: 1 } },
      { environmentId: two, type: 'team', contextId: 'red' },
      { environmentId: one, type: 'team', contextId: 'blue', data: { a: 2 } },
    ]);
    expect(statements()).toHaveLength(1);
    expect(summary(rows)).toEqual([
      [0, 'team', 'blue', { a: 1 }],
      [0, 'team', 'red', { old: true }],
      [1, 'team', 'red', null],
    ]);
    expect(await contexts.find(one, { type: 'team', contextId: 'red' })).toMatchObject({ data: { old: true } });
  });

  it('returns the same rows to concurrent callers', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, caller) =>
        contexts.ensureMany(
          (caller % 2 ? names : names.toReversed()).map((contextId) => ({
            environmentId: environments[0]!,
            type: 'race',
            contextId,
          })),
        ),
      ),
    );
    for (const rows of answers) expect(rows.map(({ contextId }) => contextId).toSorted()).toEqual(names);
    expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(names.length);
  });

  const isAnyBlocked = async (): Promise<boolean> => {
    const [row] = await test.database.query<{ blocked: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock') AS blocked`,
    );
    return row!.blocked;
  };

  it('waits for a row that another transaction is creating', async () => {
    const [environmentId] = environments as [EnvironmentId];
    const name = { environmentId, type: 'late', contextId: 'one' };
    let waiting: Promise<{ id: string }[]> | undefined;
    const [first] = await test.database.transaction(async () => {
      const rows = await contexts.ensureMany([{ ...name, data: { first: true } }]);
      waiting = test.database.outsideTransaction(() => contexts.ensureMany([name]));
      // The other one is past its first read and stands before our row.
      while (!(await test.database.outsideTransaction(isAnyBlocked)));
      return rows;
    });
    expect(await waiting).toEqual([expect.objectContaining({ id: first!.id, data: { first: true } })]);
  });

  it('sends no statement for an empty list', async () => {
    expect(await contexts.ensureMany([])).toEqual([]);
  });
});
