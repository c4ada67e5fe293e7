import { createTestDatabase, type TestDatabase, until } from '@clarion/testing';
import { OnDemandPool } from '../src/connection/on-demand-pool';

const NEVER_MS = 60_000;

describe('OnDemandPool', () => {
  let test: TestDatabase;
  let pool: OnDemandPool;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => pool.end());
  afterAll(() => test.drop());

  const open = (growAfterMs: number, idleTimeoutMillis = NEVER_MS): OnDemandPool =>
    (pool = new OnDemandPool({ connectionString: test.url, max: 5, growAfterMs, idleTimeoutMillis }));
  const run = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => pool.query('SELECT pg_sleep(0.05)')));
  /** Holds connections until the returned function is called. */
  const hold = async (count: number): Promise<() => void> => {
    const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
    return () => clients.forEach((client) => client.release());
  };

  it('lets callers wait for its two connections as long as these become free soon', async () => {
    open(NEVER_MS);
    await run(20);
    expect(pool.totalCount).toBe(2);
  });

  it('opens further connections, up to its size, while callers wait', async () => {
    open(1);
    const release = await hold(5);
    expect(pool.totalCount).toBe(5);
    const waiting = pool.query('SELECT 1');
    expect(pool.waitingCount).toBe(1);
    release();
    await waiting;
    expect(pool.totalCount).toBe(5);
  });

  it('closes the connections without work and needs a waiting caller again to grow', async () => {
    open(1, 20);
    (await hold(5))();
    await until(() => pool.totalCount === 0);
    await pool.query('SELECT 1');
    expect(pool.options.max).toBe(2);
  });

  it('reports an unreachable server to every caller that waits', async () => {
    pool = new OnDemandPool({ host: '127.0.0.1', port: 1, max: 5, growAfterMs: 1, connectionTimeoutMillis: 200 });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => pool.query('SELECT 1')));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  });
});
