import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { CRASHES_ALLOWED } from '@clarion/persistence';
import { correctness, type Experiment } from '../experiment';
import type { Place } from '../processes';
import { openScenario } from '../scenario';

const EVENTS = 20_000;
/** One of so many messages ends every worker that sends it. */
const ONE_IN = 1_000;

/** T10: a message that ends its worker, again and again. */
export const poison: Experiment = {
  t: 'T10',
  title: 'messages that end every worker that sends them',
  asked: `the others 100 %; each poison quarantined after ${CRASHES_ALLOWED} crashes at most`,
  minutes: 5,
  missing: () => (process.platform === 'linux' ? undefined : 'finding the process of a connection needs /proc'),
  async run({ world: open, times, progress }) {
    const world = await open();
    const events = times(EVENTS, 1_000);
    const poisons = Math.max(1, Math.round(events / ONE_IN));
    const every = Math.floor(events / poisons);
    const isPoison = (transactionId: string): boolean => Number(transactionId.slice(-7)) % every === every - 1;
    const scenario = await openScenario({
      world,
      name: 'T10',
      workflows: ['mail'],
      load: { perSecond: 100, bulk: 10 },
    });
    const workers = world.placesOf('worker-email');
    let kills = 0;
    world.provider.behave(scenario.account, ({ transactionId, port }) => {
      if (!isPoison(transactionId)) return undefined;
      const worker = findCaller(workers, { from: port, to: Number(new URL(world.provider.url).port) });
      progress(`${transactionId} ends ${worker?.name ?? 'an unknown process'}, kill ${(kills += 1)}`);
      worker?.kill();
      return { close: 'after-reading' };
    });
    await scenario.load.send(events);
    const { faults, history } = await scenario.finish({
      mayFail: ({ transactionId }) => isPoison(transactionId),
      deadlineMs: 600_000,
    });
    const steps = history.records.steps.filter(({ type }) => type === 'email');
    const quarantined = steps.filter(
      ({ transactionId, state }) => isPoison(transactionId) && state === 'failed',
    ).length;
    const healthy = steps.filter(
      ({ transactionId, state }) => !isPoison(transactionId) && state === 'completed',
    ).length;
    const calls = history.calls.filter(({ transactionId }) => isPoison(transactionId));
    const most = Math.max(
      0,
      ...[...new Set(calls.map(({ transactionId }) => transactionId))].map(
        (id) => calls.filter(({ transactionId }) => transactionId === id).length,
      ),
    );
    return {
      done: `${poisons} poisons in ${events} messages, ${kills} crashes`,
      figures: [
        { what: `${healthy} of ${events - poisons} others delivered`, reached: healthy === events - poisons },
        { what: `${quarantined} of ${poisons} quarantined`, reached: quarantined === poisons },
        { what: `${most} crashes of one poison at most`, reached: most <= CRASHES_ALLOWED },
        ...correctness(faults),
      ],
      faults,
    };
  },
};

/** The tables of /proc change while they are read, so a connection can be missing in one reading. */
const READINGS = 20;

/** The ports of a connection. Connections to different servers may have the same local port. */
type Ports = { from: number; to: number };

function findCaller(places: Place[], ports: Ports): Place | undefined {
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const place = callerOf(places, ports);
    if (place) return place;
  }
  return undefined;
}

/** The place whose process has the connection. */
function callerOf(places: Place[], { from, to }: Ports): Place | undefined {
  const end = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connection = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(end(from)) && remote?.endsWith(end(to)));
  const inode = connection?.[9];
  return places.find(({ pid }) => pid !== undefined && socketsOf(pid).includes(`socket:[${inode}]`));
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${name}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
