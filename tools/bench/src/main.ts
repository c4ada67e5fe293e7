import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '@clarion/platform';
import { accept } from './accept';
import { BASE_COMMIT, costs } from './costs';
import { email } from './email';
import { fairness } from './fairness';
import { fanOut } from './fan-out';
import { history } from './history';
import { hostile } from './hostile';
import { inApp } from './in-app';
import { lanes } from './lanes';
import { latency } from './latency';
import { lists, messages } from './lists';
import { type Figure, keepFigures, printTable, progress, type Section } from './report';
import { providers } from './providers';
import { scale } from './scale';
import { soak } from './soak';
import { sockets } from './sockets';
import { setStage, type Stage } from './stage';
import { waits } from './waits';

/** What was asked for on the command line. The last four are for `costs`. */
type Asked = {
  wanted: string[];
  help: boolean;
  short: boolean;
  base: string | undefined;
  baselines: boolean;
  millionMembers: boolean;
  rounds: number | undefined;
};

type Suite = {
  title: string;
  run: (stage: Stage, short: boolean, asked: Asked) => Promise<Figure[]>;
  /** The baseline needs Redis. */
  needsRedis?: boolean;
  /** Left out of the short form unless it is named: a spec covers it, or little data says nothing. */
  onlyInFull?: boolean;
  /** Left out unless it is named, because it takes half an hour. */
  onlyByName?: boolean;
};

/**
 * `npm run bench -- [name ...] [--short]`: prints one table. Every figure is a ratio measured within this run, because
 * the machines are shared and absolute times are not comparable.
 *
 * `--short` is what `npm test` runs: little data, few requests, and goals so loose that a busy machine meets them. It
 * fails only for regressions of about ten times. With so few requests the median counts instead of the 95th percentile.
 * The real goals are those of the full form.
 */
const SUITES: Record<string, Suite> = {
  accept: {
    title: 'accept: from a bulk call to committed rows',
    run: (stage, short) =>
      accept(
        stage,
        short
          ? { rounds: 3, roundSeconds: 0.5, soakSeconds: 0, goal: 0.05 }
          : { rounds: 7, roundSeconds: 4, soakSeconds: 60, goal: 0.5 },
      ),
  },
  hostile: {
    onlyInFull: true,
    title: 'hostile: one environment does its worst, what the others notice',
    run: (stage, short) =>
      hostile(
        stage,
        short
          ? { rounds: 1, roundSeconds: 2, liveMs: 2_500, liveShare: 0.5, goal: 20 }
          : { rounds: 5, roundSeconds: 8, liveMs: 250, liveShare: 0.99, goal: 2 },
      ),
  },
  fairness: {
    onlyInFull: true,
    title: 'fairness: one organization sends heavy templates, when the messages of another arrive',
    run: (stage, short) =>
      fairness(
        stage,
        short
          ? { seconds: 5, everyMs: 500, missedMs: 30_000, forms: ['one process'] }
          : { seconds: 40, everyMs: 700, missedMs: 30_000 },
      ),
  },
  lanes: {
    onlyInFull: true,
    title: 'lanes: critical messages of an environment with a backlog, and bulk ones beside a flood of them',
    run: (stage, short) =>
      lanes(
        stage,
        short
          ? { backlog: 0, limited: { emails: 300, perSecond: 10 }, flood: 600, critical: 10, isTimed: false }
          : {
              backlog: 100_000,
              limited: { emails: 3_000, perSecond: 100 },
              flood: 10_000,
              critical: 100,
              isTimed: true,
            },
      ),
  },
  waits: {
    onlyInFull: true,
    title: 'waits: emails that wait for the limit of their account, for open breakers, and for a new key',
    run: (stage, short) =>
      waits(
        stage,
        short
          ? {
              limited: [{ emails: 100, sent: 50, perSecond: 5 }],
              open: { emails: 100, seconds: 5 },
              revoked: { emails: 100, seconds: 5 },
            }
          : {
              limited: [
                { emails: 1_000, sent: 1_000, perSecond: 5 },
                { emails: 5_000, sent: 1_000, perSecond: 5 },
              ],
              open: { emails: 1_000, seconds: 90 },
              revoked: { emails: 5_000, seconds: 90 },
            },
      ),
  },
  lists: {
    title: 'lists: a large environment to a small one',
    run: (stage, short) =>
      lists(
        stage,
        short
          ? { small: 1_000, large: 10_000, blocks: 1, requests: 5, percentile: 0.5, goal: 10 }
          : { small: 10_000, large: 1_000_000, blocks: 3, requests: 100, percentile: 0.95, goal: 2 },
      ),
  },
  messages: {
    onlyInFull: true,
    title: 'messages: the list by time of arrival, of a large environment to a small one',
    run: (stage, short) =>
      messages(
        stage,
        short
          ? { small: 1_000, large: 10_000, blocks: 1, requests: 5, percentile: 0.5, goal: 10 }
          : { small: 10_000, large: 1_000_000, blocks: 5, requests: 100, percentile: 0.5, goal: 1.5 },
      ),
  },
  'in-app': {
    needsRedis: true,
    title: 'in-app: from a bulk call to messages in the feed',
    run: (stage, short) =>
      inApp(
        stage,
        short
          ? { rounds: 1, notifications: 1_000, naiveNotifications: 200, rawGoal: 0.025, naiveGoal: 0.8 }
          : { rounds: 5, notifications: 20_000, naiveNotifications: 2_000, rawGoal: 0.25, naiveGoal: 8 },
      ),
  },
  email: {
    needsRedis: true,
    title: 'email: from a bulk call to a provider that answers at once',
    run: (stage, short) =>
      email(
        stage,
        short
          ? { rounds: 1, notifications: 1_000, naiveNotifications: 200, goal: 0.5 }
          : { rounds: 5, notifications: 10_000, naiveNotifications: 2_000, goal: 5 },
      ),
  },
  providers: {
    title: 'providers: adapters through the egress guard, to the bare libraries',
    run: (_, short) =>
      providers(short ? { rounds: 2, seconds: 0.3, goal: 0.07 } : { rounds: 21, seconds: 1, goal: 0.7 }),
  },
  latency: {
    needsRedis: true,
    title: 'latency: one trigger, one email, on an idle system',
    run: (stage, short) => latency(stage, short ? { runs: 20, goal: 20 } : { runs: 100, goal: 2 }),
  },
  'fan-out': {
    title: 'fan-out: one trigger to a topic',
    run: (stage, short) =>
      fanOut(
        stage,
        short
          ? { small: 2_000, large: 20_000, spread: 3, memoryMiB: 300, besideMs: 30_000 }
          : { small: 100_000, large: 1_000_000, spread: 1.2, memoryMiB: 150, besideMs: 1_000 },
      ),
  },
  sockets: {
    onlyInFull: true,
    title: 'sockets: connected inboxes of one gateway',
    run: (stage, short) =>
      sockets(stage, short ? { sockets: 200, memoryKiB: 200, ratio: 20 } : { sockets: 5_000, memoryKiB: 50, ratio: 3 }),
  },
  history: {
    onlyInFull: true,
    title: 'history: new notifications with a long past',
    run: (stage, short) =>
      history(
        stage,
        short
          ? { small: 1_000, large: 20_000, rounds: 1, notifications: 1_000, goal: 4 }
          : { small: 10_000, large: 1_000_000, rounds: 5, notifications: 10_000, goal: 1.3 },
      ),
  },
  scale: {
    onlyInFull: true,
    title: 'scale: one, two and four email workers, when a call takes 50 ms',
    run: (stage, short) =>
      scale(
        stage,
        short
          ? {
              api: { backlog: 2_000, perSecond: 100, goals: {} },
              mailServer: { backlog: 1_000, perSecond: 50, goals: {} },
              restSeconds: 2,
            }
          : {
              api: { backlog: 20_000, perSecond: 100, goals: { 2: 1.6 } },
              mailServer: { backlog: 6_000, perSecond: 50, goals: { 2: 1.6, 4: 2.5 } },
              restSeconds: 6,
            },
      ),
  },
  soak: {
    onlyByName: true,
    needsRedis: true,
    title: 'soak: half an hour at the highest rate of this machine',
    run: (stage, short) =>
      soak(
        stage,
        short
          ? { seconds: 20, batch: 1_000, leastRate: 0.1, memoryMiB: 30 }
          : { seconds: 1_800, batch: 20_000, leastRate: 0.9, memoryMiB: 10 },
      ),
  },
  costs: {
    onlyInFull: true,
    needsRedis: true,
    title: 'costs: what a notification takes of each part',
    run: (stage, short, { base, rounds, baselines, millionMembers }) =>
      costs(
        stage,
        short
          ? { notifications: 2_000, rounds: rounds ?? 1, base, latencyRuns: 20 }
          : {
              notifications: 20_000,
              rounds: rounds ?? 2,
              base,
              latencyRuns: 100,
              baselines: baselines
                ? {
                    inApp: { rounds: 3, notifications: 20_000, naiveNotifications: 2_000 },
                    email: { rounds: 3, notifications: 10_000, naiveNotifications: 2_000 },
                  }
                : undefined,
              fanOut: millionMembers ? { small: 100_000, large: 1_000_000 } : undefined,
            },
      ),
  },
};

const HELP = `npm run bench -- [name ...] [options]    measures and prints one table; without a name all but soak

${Object.values(SUITES)
  .map(({ title }) => `  ${title}`)
  .join('\n')}

  --short            little data and loose goals
  --base <commit>    what costs compares with (${BASE_COMMIT}); --no-base compares with nothing
  --rounds <n>       how often costs measures each case
  --no-baselines     leaves the comparison of costs to bare inserts and to a naive pipeline out
  --fan-out          costs measures a topic of a million members too
`;

/** The arguments. `costs` compares to a base unless `--no-base` is given; in the short form only with `--base`. */
function readAsked(words: string[]): Asked {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      base: { type: 'string' },
      'no-base': { type: 'boolean', default: false },
      'no-baselines': { type: 'boolean', default: false },
      'fan-out': { type: 'boolean', default: false },
      rounds: { type: 'string' },
    },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1))
    throw new Error(`--rounds must be a whole number from 1, not "${values.rounds}"`);
  return {
    wanted: positionals,
    help: values.help,
    short: values.short,
    base: values['no-base'] ? undefined : (values.base ?? (values.short ? undefined : BASE_COMMIT)),
    baselines: !values['no-baselines'],
    millionMembers: values['fan-out'],
    rounds,
  };
}

async function main(): Promise<void> {
  const asked = readAsked(process.argv.slice(2));
  const { wanted, short } = asked;
  if (asked.help) {
    process.stdout.write(HELP);
    return;
  }
  const unknown = wanted.filter((word) => !(word in SUITES));
  if (unknown.length > 0)
    throw new Error(`unknown benchmark "${unknown[0]}"; there are: ${Object.keys(SUITES).join(', ')}`);
  const usual = Object.keys(SUITES).filter((name) => !SUITES[name]!.onlyByName && !(short && SUITES[name]!.onlyInFull));
  const stage = await setStage();
  const sections: Section[] = [];
  try {
    for (const name of wanted.length > 0 ? wanted : usual) {
      const { title, run, needsRedis } = SUITES[name]!;
      if (needsRedis && !stage.hasRedis) progress(`${name} is left out: there is no redis-server on PATH`);
      else sections.push({ name, title, figures: await run(stage, short, asked) });
    }
  } finally {
    // Show what was measured before the error.
    printTable(sections);
    await stage.stop();
  }
  if (!short) keepFigures(sections, join(loadConfig().CLARION_DATA_DIR, 'bench.json'));
  process.exitCode = sections.some(({ figures }) => figures.some(({ reached }) => !reached)) ? 1 : 0;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
