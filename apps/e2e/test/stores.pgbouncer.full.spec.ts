import {
  connectWhenAvailable,
  createDataSource,
  Database,
  directUrlFault,
  findPooler,
  migrate,
} from '@clarion/persistence';
import { type PgBouncer, startPgBouncer, until } from '@clarion/testing';
import { allEnded, type Clarion, startOwnClarion } from './harness';

const EVENTS = 30;
const SERVER_CONNECTIONS = 3;
const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** All roles through a PgBouncer in transaction mode: each transaction may get another server connection. */
describe('Clarion behind PgBouncer in transaction mode', () => {
  let bouncer: PgBouncer;
  let clarion: Clarion;
  let pooledUrl: string;

  beforeAll(async () => {
    bouncer = await startPgBouncer(process.env['CLARION_TEST_DATABASE_URL']!, { poolSize: SERVER_CONNECTIONS });
    clarion = await startOwnClarion({
      route: (url) => (pooledUrl = bouncer.url(databaseOf(url))),
      environment: { CLARION_DATABASE_POOL: '20' },
    });
  });
  afterAll(async () => {
    await clarion?.close();
    await bouncer?.stop();
  });

  it('delivers the events of two environments at once, and shows each its own', async () => {
    const other = await clarion.callOk<{ apiKeys: { key: string }[] }>('POST', '/v1/environments', { name: 'Other' });
    const as = async <T>(key: string, method: string, path: string, body?: object): Promise<T> => {
      const answer = await fetch(clarion.url + path, {
        method,
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text) as T;
    };
    const keys = { one: clarion.key, two: other.apiKeys[0]!.key };
    const credentials = { apiKey: 'SG.key', from: 'hello@clarion.test', senderName: 'Clarion' };
    const step = { name: 'Mail', type: 'email', controlValues: { subject: 'x', body: 'Hello {{payload.n}}' } };
    for (const key of Object.values(keys)) {
      await as(key, 'POST', '/v1/integrations', {
        providerId: 'sendgrid',
        channel: 'email',
        active: true,
        credentials,
      });
      await as(key, 'POST', '/v2/workflows', { name: 'mail', workflowId: 'mail', active: true, steps: [step] });
    }

    const triggered = Object.entries(keys).flatMap(([name, key]) =>
      Array.from({ length: EVENTS }, (_, n) =>
        as(key, 'POST', '/v1/events/trigger', {
          name: 'mail',
          to: { subscriberId: `${name}-${n}`, email: 'a@x.test' },
          payload: { n },
          transactionId: `${name}-${n}`,
        }),
      ),
    );
    await Promise.all(triggered);
    const listed = async (key: string): Promise<string[]> => {
      const { data } = await as<{ data: { transactionId: string; jobs: { status: string }[] }[] }>(
        key,
        'GET',
        '/v1/notifications?limit=50',
      );
      return data.filter(({ jobs }) => jobs[0]?.status === 'completed').map(({ transactionId }) => transactionId);
    };
    // Many lists at once, while the rows are written through the same server connections.
    const expected = (name: string): string[] => Array.from({ length: EVENTS }, (_, n) => `${name}-${n}`).sort();
    await until(async () => {
      const lists = await Promise.all([keys.one, keys.two, keys.one, keys.two, keys.one, keys.two].map(listed));
      const [ones, twos] = [0, 1].map((own) => lists.filter((_, at) => at % 2 === own).flat());
      expect(ones!.filter((id) => !id.startsWith('one-'))).toEqual([]);
      expect(twos!.filter((id) => !id.startsWith('two-'))).toEqual([]);
      return lists.every(({ length }) => length === EVENTS);
    });
    expect((await listed(keys.one)).sort()).toEqual(expected('one'));
    expect((await listed(keys.two)).sort()).toEqual(expected('two'));
    expect(clarion.provider.count).toBe(2 * EVENTS);
    const pools = await bouncer.admin('SHOW POOLS');
    const pool = pools.find(({ database }) => database === databaseOf(pooledUrl))!;
    const connections = ['sv_active', 'sv_idle', 'sv_used', 'sv_tested', 'sv_login'].map((name) => Number(pool[name]));
    expect(connections.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(SERVER_CONNECTIONS);
  });

  it('runs in-app, digest and idempotent requests, which use transactions and locks', async () => {
    await clarion.workflow('inbox', [
      { type: 'digest', controlValues: { amount: 1, unit: 'seconds' } },
      { type: 'in_app', controlValues: { body: 'Hello' } },
    ]);
    const transactionId = await clarion.trigger('inbox', 'ada');
    await clarion.activity(transactionId, allEnded());
    const send = () =>
      fetch(`${clarion.url}/v2/topics`, {
        method: 'POST',
        headers: {
          authorization: `ApiKey ${clarion.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'topic-1',
        },
        body: JSON.stringify({ key: 'news', name: 'News' }),
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.text()).toBe(await first.text());
  });

  it('keeps the time limits with each statement and each transaction, and leaves nothing on a connection', async () => {
    const pooler = await findPooler(pooledUrl);
    // PgBouncer tracks prepared statements from version 1.21 on.
    expect(pooler).toEqual({ tracksStatements: Number(bouncer.version.split('.')[1]) >= 21 });
    const dataSource = await connectWhenAvailable({ url: pooledUrl, poolSize: 5, lookupsOnly: true }, () => undefined);
    const database = new Database(dataSource);
    const seen = () =>
      database.prepared<Record<string, string>>(
        'spec_settings',
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
                current_setting('enable_seqscan') AS scans, current_setting('jit') AS jit, current_user::text AS role`,
        [],
      );
    try {
      const limits = { statement: '10s', lock: '3s', scans: 'off', jit: 'off' };
      const many = await Promise.all(Array.from({ length: 20 }, seen));
      for (const rows of many) expect(rows).toEqual([{ ...limits, role: 'postgres' }]);
      const tenant = await database.asTenant(clarion.environmentId, () => database.transaction(seen));
      expect(tenant).toEqual([{ ...limits, role: 'clarion_tenant' }]);
      const [left] = await dataSource.query<Record<string, string>[]>(
        `SELECT current_setting('statement_timeout') AS statement, current_user::text AS role,
                current_setting('clarion.environment_id', true) AS environment`,
      );
      expect(left).toMatchObject({ statement: '0', role: 'postgres' });
      expect(left!['environment'] || '').toBe('');
    } finally {
      await dataSource.destroy();
    }
  });

  it('refuses migrations and the queue on Postgres, and says what to set', async () => {
    const dataSource = await createDataSource({ url: pooledUrl, pooler: { tracksStatements: false } }).initialize();
    try {
      await expect(migrate(dataSource)).rejects.toThrow(
        /leads to a connection pooler: set CLARION_DATABASE_DIRECT_URL/,
      );
    } finally {
      await dataSource.destroy();
    }
    expect(await directUrlFault(pooledUrl)).toMatch(/^CLARION_QUEUE=postgres needs .* set CLARION_DATABASE_DIRECT_URL/);
    expect(await directUrlFault(process.env['CLARION_TEST_DATABASE_URL']!)).toBeUndefined();
  });
});
