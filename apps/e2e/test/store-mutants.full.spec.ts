import { Database } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { postgresStore } from './simulation/store-adapters';
import { keepsTheStoreContract } from './simulation/store-contract';

/** Breaks one rule in the SQL of the repositories. */
type Mutant = { breaks: string; from: string; to: string };

const OF_CLAIM = 'w.id = ANY ($1::uuid[]) AND (w.fence = i.fence OR w.claim_id = i.claim_id)';

/** The store contract must fail for each of them. */
const MUTANTS: Mutant[] = [
  { breaks: 'due times', from: `w.due_at - now()::timestamptz(3) <= interval '0'`, to: 'true' },
  { breaks: 'leases', from: '(h.fence = w.fence OR h.claim_id = w.claim_id)', to: 'false' },
  { breaks: 'the isolation of suspects', from: 'w.crash_count <= $4::int', to: '$4::int >= 0' },
  { breaks: 'the fence of the sending mark', from: `${OF_CLAIM}\nRETURNING`, to: 'true\nRETURNING' },
  {
    breaks: 'the new fence of marked steps',
    from: 'SET fence = w.fence + 1, claim_id = i.claim_id, sending_since',
    to: 'SET claim_id = i.claim_id, sending_since',
  },
  { breaks: 'the in-doubt mark of interrupted calls', from: 'sending_since = now()', to: 'sending_since = NULL' },
  {
    breaks: 'the in-doubt mark of released steps',
    from: 'CASE WHEN i.in_doubt THEN w.sending_since END',
    to: 'NULL::timestamptz',
  },
  {
    breaks: 'the fence of outcomes',
    from: 'w.fence = i.fence AND w.id = ANY ($1::uuid[])\n  RETURNING w.id, w.environment_id, w.trigger_id',
    to: 'w.id = ANY ($1::uuid[])\n  RETURNING w.id, w.environment_id, w.trigger_id',
  },
  {
    breaks: 'the fence of fan-out',
    from: 'w.id = i.id AND w.fence = i.fence AND w.id = ANY ($2::uuid[])',
    to: 'w.id = i.id AND w.id = ANY ($2::uuid[])',
  },
  {
    breaks: 'the new fence of committed pages',
    from: 'SET fence = w.fence + 1, crash_count = 0, claim_id = i.claim_id',
    to: 'SET crash_count = 0, claim_id = i.claim_id',
  },
  {
    breaks: 'the fence of windows that end',
    from: 'w.id = i.id AND w.fence = i.fence AND w.is_delayed',
    to: 'w.id = i.id AND w.is_delayed',
  },
  { breaks: 'the count of crashes', from: 'least(w.crash_count + 1,', to: 'least(w.crash_count,' },
  { breaks: 'the end of lapsed claims', from: 'c.lease_until <= now()', to: 'false' },
  { breaks: 'the grace after the database was away', from: 'SELECT grace_until <= now()', to: 'SELECT true' },
  { breaks: 'the share of an environment in the offers', from: 'least($1, cap - u.under_way)', to: '$1' },
  { breaks: 'the next step of a notification', from: `WHERE next = 'advance'`, to: 'WHERE false' },
];

class MutantDatabase extends Database {
  isBroken = false;

  constructor(
    { dataSource }: TestDatabase,
    private readonly mutant: Mutant,
  ) {
    super(dataSource);
  }

  override query<Row>(text: string, values?: unknown[]): Promise<Row[]> {
    return super.query(this.broken(text), values);
  }

  override prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const broken = this.broken(text);
    return super.prepared(broken === text ? name : `${name}, without ${this.mutant.breaks}`, broken, values);
  }

  private broken(text: string): string {
    const { from, to } = this.mutant;
    this.isBroken ||= text.includes(from);
    return text.replaceAll(from, to);
  }
}

type Test = (...row: unknown[]) => Promise<void> | void;

/** The tests of the contract, without jest. */
function testsOf(database: Database): { title: string; run(): Promise<void> }[] {
  const tests: { title: string; run(): Promise<void> }[] = [];
  const hooks: { before: Test; after: Test } = { before: () => undefined, after: () => undefined };
  const add = (title: string, test: Test, row: unknown[] = []): void => {
    const run = async (): Promise<void> => {
      await hooks.before();
      try {
        await test(...row);
      } finally {
        await hooks.after();
      }
    };
    tests.push({ title, run });
  };
  const each = (rows: readonly unknown[]) => (title: string, test: Test) => {
    for (const row of rows) add(title, test, Array.isArray(row) ? row : [row]);
  };
  const { describe, it, beforeEach, afterEach } = globalThis;
  Object.assign(globalThis, {
    describe: (_: string, define: () => void) => define(),
    it: Object.assign((title: string, test: Test) => add(title, test), { each }),
    beforeEach: (hook: Test) => (hooks.before = hook),
    afterEach: (hook: Test) => (hooks.after = hook),
  });
  try {
    keepsTheStoreContract(() => postgresStore(database));
  } finally {
    Object.assign(globalThis, { describe, it, beforeEach, afterEach });
  }
  return tests;
}

describe('the store contract', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('is kept by the repositories', async () => {
    const tests = testsOf(test.database);
    expect(tests.length).toBeGreaterThan(50);
    for (const { run } of tests) await run();
  });

  it.each(MUTANTS)('is not kept by repositories that break $breaks', async (mutant) => {
    const database = new MutantDatabase(test, mutant);
    const failed: string[] = [];
    for (const { title, run } of testsOf(database)) {
      await run().catch((error: Error) => failed.push(`${title}: ${error.message}`));
      // What a failed test leaves must not be what the next one fails for.
      if (failed.length > 0) break;
    }
    expect([database.isBroken, failed.length]).toEqual([true, 1]);
  });
});
