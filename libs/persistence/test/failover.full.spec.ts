import { newId } from '@clarion/contracts';
import { connectWhenAvailable, Database, inspectDatabase, isDatabaseUnavailable, migrate } from '@clarion/persistence';
import { type PostgresPair, startPostgresPair, until } from '@clarion/testing';
import type { DataSource } from 'typeorm';

/** A primary with a synchronous standby, and a URL that names both. */
describe('Postgres with a standby', () => {
  let pair: PostgresPair;
  let dataSource: DataSource;
  let database: Database;

  beforeAll(async () => {
    pair = await startPostgresPair({ synchronous: true });
    dataSource = await connectWhenAvailable({ url: pair.url(), poolSize: 4 }, () => undefined);
    await migrate(dataSource);
    database = new Database(dataSource);
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await pair?.stop();
  });

  const organizations = () => database.query<{ name: string }>(`SELECT name FROM organization ORDER BY name`);
  const port = async (): Promise<number> =>
    (await database.query<{ port: number }>(`SELECT current_setting('port')::int AS port`))[0]!.port;
  const untilAgain = (holds: () => Promise<boolean>): Promise<void> => until(() => holds().catch(() => false));

  it('shows whether an acknowledged write is on a second server', async () => {
    const { standbys, ...state } = await inspectDatabase(dataSource);
    expect(state).toMatchObject({
      isInRecovery: false,
      readOnly: false,
      synchronousCommit: 'on',
      synchronousStandbyNames: 'two',
      keepsCommitsOnStandby: true,
      maxConnections: 100,
      fsync: false,
      fullPageWrites: true,
      pooler: false,
      missingPartitions: [],
    });
    expect(state.version).toMatch(/^\d+/);
    expect(state.sizeBytes).toBeGreaterThan(1e6);
    expect(state.connections).toBeGreaterThan(0);
    expect(standbys).toEqual([expect.objectContaining({ name: 'two', state: 'streaming', syncState: 'sync' })]);

    await pair.setSynchronous(false);
    await untilAgain(async () => !(await inspectDatabase(dataSource)).keepsCommitsOnStandby);
    await pair.setSynchronous(true);
    const standby = await connectWhenAvailable({ url: pair.standby.url, poolSize: 2 }, () => undefined);
    expect(await inspectDatabase(standby)).toMatchObject({ isInRecovery: true, readOnly: true, standbys: [] });
    await standby.destroy();
  });

  it('keeps every acknowledged write when the primary is killed, and continues on the promoted standby', async () => {
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let isWriting = true;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; isWriting; n += 1) {
        const name = `${writer}-${n}`;
        try {
          await database.execute(`INSERT INTO organization (id, name) VALUES ($1, $2)`, [newId(), name]);
          acknowledged.push(name);
        } catch (error) {
          failures.push(error);
          // eslint-disable-next-line clarion/no-restricted-syntax -- a caller tries again later
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const writers = [1, 2, 3].map(write);
    await untilAgain(async () => acknowledged.length > 50);
    await pair.killPrimary();
    const atDeath = acknowledged.length;
    await pair.promote();
    await untilAgain(async () => acknowledged.length > atDeath + 50);
    isWriting = false;
    await Promise.all(writers);

    expect(await port()).toBe(pair.primary.port);
    const stored = new Set((await organizations()).map(({ name }) => name));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    // The only errors are those after which a caller tries again.
    expect(failures.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
  });

  it('writes to the server that was promoted last, although the old primary is back', async () => {
    // The old primary was not told of the promotion and still accepts writes. It is the first host of the URL.
    const promoted = pair.primary.port;
    await pair.restartOldPrimary();
    expect(pair.url()).toContain(`127.0.0.1:${pair.standby.port},127.0.0.1:${promoted}/`);
    const other = await connectWhenAvailable({ url: pair.url(), poolSize: 2 }, () => undefined);
    const [row] = await other.query<{ port: number }[]>(`SELECT current_setting('port')::int AS port`);
    await other.destroy();
    expect(row!.port).toBe(promoted);
  });

  it('waits while no host accepts writes', async () => {
    await pair.rejoin();
    const waits: string[] = [];
    const standbyOnly = `${pair.standby.url}?target_session_attrs=read-write`;
    const stop = new Error('seen');
    await expect(
      connectWhenAvailable({ url: standbyOnly, poolSize: 2 }, ({ message }) => {
        waits.push(message);
        throw stop;
      }),
    ).rejects.toBe(stop);
    expect(waits).toEqual(['no server of the database URL accepts writes at the moment']);
  });
});
