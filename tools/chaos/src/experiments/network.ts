import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { correctness, type Experiment } from '../experiment';
import { openScenario } from '../scenario';

/** T29: all connections of a store at once: nothing arrives, and nothing is refused. */
export const partitions: Experiment = {
  t: 'T29',
  title: 'network partitions between the processes and each store, and a slow network',
  asked: '0 lost, 0 doubled without a flag, only 2xx and 503 with Retry-After',
  minutes: 2,
  async run({ world: open, times, random, progress }) {
    const world = await open();
    const rounds = times(6, 1);
    const scenario = await openScenario({
      world,
      name: 'T29',
      workflows: ['mixed'],
      load: { perSecond: 40, bulk: 10 },
    });
    const { redisProxy, postgresProxy } = world.stores;
    const sending = scenario.load.send(rounds * 15 * 40);
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, proxy] of Object.entries({ Redis: redisProxy, Postgres: postgresProxy })) {
        progress(`round ${round} of ${rounds}: no packet reaches ${name}`);
        world.note({ partition: name });
        proxy.freeze();
        await delay(random.between(2_000, 4_000));
        proxy.thaw();
        // What was sent meanwhile is lost, so the connections are useless, as after a real partition.
        for (const connection of proxy.connections()) connection.cut();
        await delay(1_500);
      }
      progress(`round ${round} of ${rounds}: every packet takes 100 ms longer`);
      for (const proxy of [redisProxy, postgresProxy]) proxy.delay(100);
      await delay(3_000);
      for (const proxy of [redisProxy, postgresProxy]) proxy.delay(0);
    }
    await sending;
    await world.heal();
    const { faults, acknowledged } = await scenario.finish();
    return {
      done: `${2 * rounds} partitions and ${rounds} slow phases in ${acknowledged} events`,
      figures: correctness(faults),
      faults,
    };
  },
};

const FULL_MIB = 48;

/** T30: the tables that every event needs are on a small file system, which another file fills. */
export const fullDisk: Experiment = {
  t: 'T30',
  title: 'no space left on the disk of Postgres',
  asked: '0 lost; only 2xx and 503 with Retry-After; a success <= 10 s after there is space again',
  minutes: 1,
  missing: () => (process.getuid?.() === 0 && canMount() ? undefined : 'a small file system needs root and mount'),
  async run({ world: open, progress }) {
    const world = await open();
    const { stores } = world;
    const folder = mkdtempSync(join(tmpdir(), 'clarion-chaos-disk-'));
    // A standby on the same machine would use the same folder.
    await stores.postgres.stopStandby('immediate');
    run('mount', '-t', 'tmpfs', '-o', `size=${FULL_MIB}m,mode=0700`, 'tmpfs', folder);
    try {
      const [account] = await stores.query<{ path: string }>(
        `SELECT setting AS path FROM pg_settings WHERE name = 'data_directory'`,
      );
      run('chown', '--reference', account!.path, folder);
      const scenario = await openScenario({
        world,
        name: 'T30',
        workflows: ['mail'],
        load: { perSecond: 40, bulk: 10 },
      });
      await scenario.load.send(50);
      // New rows of open work need space there: every accepted event inserts one.
      await stores.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
      await stores.query(`ALTER TABLE work SET TABLESPACE small`);
      await stores.query(`ALTER TABLE transaction SET TABLESPACE small`);
      progress('the disk is full');
      const [free] = run('sh', '-c', `df --output=avail -m ${folder} | tail -1`).split('\n');
      run('sh', '-c', `head -c ${Number(free) * 1024 * 1024} /dev/zero > ${folder}/filler || true`);
      const sending = scenario.load.send(3_000);
      await delay(8_000);
      const refused = scenario.load.responses.filter(({ status }) => status === 503).length;
      run('rm', `${folder}/filler`);
      const begin = Date.now();
      await world.call(scenario.key, 'GET', '/v2/workflows');
      const tookMs = Date.now() - begin;
      await sending;
      const { faults, acknowledged } = await scenario.finish();
      return {
        done: `8 s without space in ${acknowledged} events, ${refused} responses 503`,
        figures: [
          { what: `a success ${tookMs} ms after there was space`, reached: tookMs <= 10_000, isTiming: true },
          ...correctness(faults),
        ],
        faults,
      };
    } finally {
      await stores.query(`ALTER TABLE work SET TABLESPACE pg_default`);
      await stores.query(`ALTER TABLE transaction SET TABLESPACE pg_default`);
      await stores.query(`DROP TABLESPACE small`);
      run('umount', '-l', folder);
      rmSync(folder, { recursive: true });
      await stores.postgres.rejoin();
    }
  },
};

function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr.toString()}`);
  return stdout.toString().trim();
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-chaos-try-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return isMounted;
}
