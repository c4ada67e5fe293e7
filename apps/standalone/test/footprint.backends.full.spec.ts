import { existsSync, readdirSync, readFileSync } from 'node:fs';
// eslint-disable-next-line clarion/no-restricted-syntax -- an idle process is measured
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@clarion/embedded';
import { Client } from 'pg';
import { Installation } from './installation';

/** Every role has looked for work and has measured its lag by then. */
const SETTLED_MS = 8_000;
const SHRUNK_MS = 60_000;
const MOST_CONNECTIONS = 12;
/** What Postgres runs beside the connections: each is a process. */
const BACKGROUND = ['autovacuum launcher', 'background writer', 'checkpointer', 'walwriter'];
/** Far above the 220 MB that an idle installation takes: other versions of Node and Postgres differ. */
const MOST_MEGABYTES = 280;

describe('an idle `npm start`', () => {
  let installation: Installation;
  beforeEach(() => void (installation = new Installation()));
  afterEach(() => installation.remove());

  it('holds few connections to Postgres and little memory', async () => {
    const started = installation.start();
    await installation.ready(started);
    await delay(SETTLED_MS);

    const backends = async (isClient: boolean): Promise<string[]> =>
      (await listBackends(installation.dataDir)).filter((type) => (type === 'client backend') === isClient);
    const measure = async () => {
      const processes = processTree(started.child.pid!);
      const megabytes = Math.round(processes.map(megabytesOf).reduce((sum, own) => sum + own, 0));
      return { connections: (await backends(true)).length, processes, megabytes };
    };
    let idle = await measure();
    // A busy machine makes the statements of the start wait, and pools grow; without work they shrink again. The
    // garbage of the start is collected some time after it.
    const isLarge = (): boolean => idle.connections > MOST_CONNECTIONS || idle.megabytes >= MOST_MEGABYTES;
    for (const deadline = Date.now() + SHRUNK_MS; isLarge() && Date.now() < deadline;) {
      await delay(1_000);
      idle = await measure();
    }
    const { connections, processes, megabytes } = idle;
    process.stdout.write(
      `Idle: ${connections} connections to Postgres, ${processes.length} processes, ${megabytes} MB (PSS)\n`,
    );
    expect((await backends(false)).filter((type) => type !== 'autovacuum worker').sort()).toEqual(BACKGROUND);
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(MOST_CONNECTIONS);
    expect(megabytes).toBeLessThan(MOST_MEGABYTES);
  });
});

/** The types of the processes of Postgres, without that of this connection. */
async function listBackends(dataDir: string): Promise<string[]> {
  // The running server, not a new one.
  const { url } = await startEmbeddedPostgres({ dataDir });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ type: string }>(
      `SELECT backend_type AS type FROM pg_stat_activity WHERE pid <> pg_backend_pid()`,
    );
    return rows.map(({ type }) => type);
  } finally {
    await client.end();
  }
}

/** The process and everything that it started; only the process itself where there is no /proc. */
function processTree(root: number): number[] {
  if (!existsSync('/proc/self/stat')) return [root];
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), parentOf(pid)] as const);
  const tree = [root];
  for (const pid of tree) tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

/** The field after the name, which is in parentheses and may contain anything. */
const parentOf = (pid: string): number => Number(/^.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1]);

/** Memory that processes share counts for each in part. */
const megabytesOf = (pid: number): number =>
  (Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024) / 1e6;

/** Empty for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
