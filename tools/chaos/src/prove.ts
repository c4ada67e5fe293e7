import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '@clarion/persistence';
import type { App } from '@clarion/testing';
import { type Fault, type FaultKind, summarizeFaults } from './checker';
import { flushRedis, killOne } from './nemesis';
import type { Random } from './random';
import type { Row } from './report';
import { openScenario, type ScenarioOptions } from './scenario';
import { type Edit, openScratchCopy } from './scratch-copy';
import type { World, WorldOptions } from './world';

/** A remedy that is switched off in a copy, what is done to the copy, and what the checker must find then. */
type Proof = {
  remedy: string;
  edits: Edit[];
  scenario: Pick<ScenarioOptions, 'workflows' | 'emailProvider' | 'rateLimit'>;
  /** `answerAfter` sets how long the provider takes from now on; `SLOW_MS` before. */
  deed(world: World, random: Random, answerAfter: (milliseconds: number) => void): Promise<void>;
  expected: FaultKind;
};

const PLACES: App[] = ['gateway', 'gateway', 'engine', 'worker-email', 'worker-email'];
const CLAIMS = 'libs/persistence/dist/work/steps/step-claim.sql.js';
const SWEEP = 'libs/persistence/dist/work/sweep.repository.js';
const SLOW_MS = 400;
const EVENTS = 300;
/** Long enough for a lease to end and for the rows to be sent again. */
const DRAIN_MS = 60_000;

/** Until the provider has had so many calls. */
async function untilCalled({ provider }: World, count: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (provider.count < count && Date.now() < deadline) await delay(20);
}

/** Kills all email workers while they call the provider, three times. */
const killWorkers = async (world: World): Promise<void> => {
  for (let kill = 0; kill < 3; kill += 1) {
    await untilCalled(world, world.provider.count + 10);
    for (const worker of world.placesOf('worker-email')) worker.kill();
    await Promise.all(world.placesOf('worker-email').map((worker) => worker.ready()));
  }
};

export const PROOFS: Proof[] = [
  {
    remedy: 'the sweeper offers rows whose job was lost',
    edits: [
      {
        file: 'libs/workflow/dist/sweeper.js',
        from: 'start() {\n        this.loop.start();',
        to: 'start() {',
      },
    ],
    scenario: { workflows: ['mail'] },
    deed: async (world, random) => {
      // Jobs wait in Redis while the engine takes none.
      const [engine] = world.placesOf('engine');
      await delay(700);
      engine!.freeze();
      await delay(LEASE_MS / 4);
      await flushRedis.run(world, random);
      engine!.resume();
    },
    expected: 'open step',
  },
  {
    remedy: 'the mark before a provider call says that a message may have been sent',
    edits: [{ file: CLAIMS, from: 'sending_since = now()', to: 'sending_since = NULL' }],
    scenario: { workflows: ['mail'] },
    deed: killWorkers,
    expected: 'doubled call',
  },
  {
    remedy: 'the mark names the fence, so that a worker without the claim cannot send',
    edits: [
      { file: CLAIMS, from: ' AND (w.fence = i.fence OR w.claim_id = i.claim_id)\nRETURNING', to: '\nRETURNING' },
    ],
    // With a limit, a message gets its mark right before its call.
    scenario: { workflows: ['mail'], rateLimit: 1_000 },
    deed: async (world, _random, answerAfter) => {
      // Messages wait in the worker without a mark when it is frozen, and are being sent by the other when it goes on.
      answerAfter(3_000);
      await delay(2_500);
      const sentByBoth = world.provider.count;
      const [worker] = world.placesOf('worker-email');
      worker!.freeze();
      // The other sends what it has itself. When the lease has ended, it sends the marked messages of the frozen one
      // again, and then those without a mark.
      answerAfter(0);
      await delay(LEASE_MS - 4_000);
      answerAfter(3_000);
      await untilCalled(world, world.provider.count + sentByBoth / 2 + 4);
      worker!.resume();
      await delay(3_000);
      answerAfter(SLOW_MS);
    },
    expected: 'doubled call',
  },
  {
    remedy: 'the gateway answers after the commit',
    edits: [
      {
        file: 'apps/gateway/dist/triggers/trigger-store.js',
        from: 'const insert = () => this.triggers.insertMany(environmentId, triggers, call);',
        to: `const insert = async () => {
            setTimeout(() => this.triggers.insertMany(environmentId, triggers, call).catch(() => undefined), 400);
            return triggers.map((trigger) => ({ ...trigger, stored: true }));
        };`,
      },
    ],
    scenario: { workflows: ['mail'] },
    deed: async (world, random) => {
      for (let kill = 0; kill < 4; kill += 1) {
        await delay(1_500);
        await killOne('gateway').run(world, random);
      }
    },
    expected: 'lost event',
  },
  {
    remedy: 'a claim takes rows that are due by the clock of the database only',
    edits: [
      {
        file: 'libs/persistence/dist/work/claims.sql.js',
        from: "const IS_DUE = `w.due_at - now()::timestamptz(3) <= interval '0'`",
        to: 'const IS_DUE = `true`',
      },
      { file: SWEEP, from: 'w.due_at <= now()', to: 'true' },
      { file: SWEEP, from: 'w.due_at <= l.until', to: 'true', isEverywhere: true },
    ],
    scenario: { workflows: ['delayed'] },
    deed: () => delay(2_000),
    expected: 'early timer',
  },
  {
    remedy: 'every call for a message has the same idempotency key',
    edits: [
      {
        file: 'libs/providers/dist/email/resend.provider.js',
        from: "'idempotency-key': message.id",
        to: "'idempotency-key': message.id + Math.random()",
      },
    ],
    scenario: { workflows: ['mail'], emailProvider: 'resend' },
    deed: killWorkers,
    expected: 'changed key',
  },
];

type OpenWorld = (options: Omit<WorldOptions, 'historyFile'>) => Promise<World>;

/** With nothing switched off, the checker must find nothing. */
const CONTROL: Proof = {
  remedy: 'nothing',
  edits: [],
  scenario: { workflows: ['mail'] },
  deed: killWorkers,
  expected: 'doubled call',
};

export async function prove(open: OpenWorld, random: Random, progress: (text: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const proof of [CONTROL, ...PROOFS]) {
    progress(`without: ${proof.remedy}`);
    const begin = Date.now();
    const found = await runWithout(proof, open, random).catch((error: unknown) => String(error).split('\n')[0]!);
    const row = rowOf(proof, found, Math.round((Date.now() - begin) / 1000));
    progress(`without: ${proof.remedy}: ${row.verdict} after ${row.seconds} s, ${row.reached}`);
    rows.push(row);
  }
  return rows;
}

function rowOf(proof: Proof, found: Fault[] | string, seconds: number): Row {
  const isControl = proof === CONTROL;
  const faults = typeof found === 'string' ? [] : found;
  const count = isControl ? faults.length : faults.filter(({ kind }) => kind === proof.expected).length;
  return {
    t: '',
    title: proof.remedy,
    done: isControl ? 'nothing is switched off' : `switched off: ${proof.remedy}`,
    reached: typeof found === 'string' ? found : `${count} faults`,
    asked: isControl ? '0 faults' : `the checker reports "${proof.expected}"`,
    verdict: typeof found !== 'string' && count > 0 !== isControl ? 'pass' : 'fail',
    notes: summarizeFaults(faults),
    seconds,
  };
}

async function runWithout({ edits, scenario: form, deed }: Proof, open: OpenWorld, random: Random): Promise<Fault[]> {
  const copy = openScratchCopy(edits);
  try {
    const world = await open({ folder: copy.folder, places: PLACES });
    try {
      const scenario = await openScenario({ world, name: 'proof', ...form, load: { perSecond: 60, bulk: 10 } });
      // Messages wait for their turn, so that a worker always has claimed some that it has not sent.
      let delayMs = SLOW_MS;
      world.provider.behave(scenario.account, () => ({ delayMs }));
      const sending = scenario.load.send(EVENTS);
      await deed(world, random, (milliseconds) => (delayMs = milliseconds));
      await sending;
      await world.heal();
      return (await scenario.finish({ deadlineMs: DRAIN_MS })).faults;
    } finally {
      await world.stop();
    }
  } finally {
    copy.remove();
  }
}
