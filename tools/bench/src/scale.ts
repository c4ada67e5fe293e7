import { cpus } from 'node:os';
import { idAtTime } from '@clarion/contracts';
import { type Autoscaler, openAutoscaler, valueAt } from './autoscaler';
import { EMAIL_STEP, type EmailProvider, EVENTS, openEmailScene, Pipeline } from './pipeline';
import { type Figure, inColumns, progress } from './report';
import type { Scene, Stage } from './stage';

export type ScaleLoad = {
  /** The burst, in addition to the steady load. */
  backlog: number;
  perSecond: number;
  /** The goals relative to one worker, by number of workers. */
  goals: Record<number, number>;
};
export type ScaleOptions = {
  api: ScaleLoad;
  mailServer: ScaleLoad;
  /** How long it is observed after the backlog is gone. */
  restSeconds: number;
};

const CALL_MS = 50;
const WORKERS = [1, 2, 4];
const OLDEST = 'clarion_oldest_due_age_seconds{channel="email"}';
const DUE = 'clarion_due_steps{channel="email"}';
/** Of the series that are printed. */
const EACH_SECONDS = 2;
const STALLED_SECONDS = 60;
const REPORT_EVERY = 5;

/**
 * More workers of one channel, as an SRE sees it: a backlog on top of a steady load, the lag that the gateway exports
 * each second, and the number of pods that KEDA would choose. A worker has a fixed number of concurrent calls to one
 * account, so a slow provider is the bottleneck as long as the machine can keep up. For an API that is many calls; four
 * such workers need more than two processors. For a mail server a worker has few connections, and there the effect of
 * more workers is visible.
 */
export async function scale(stage: Stage, { api, mailServer, restSeconds }: ScaleOptions): Promise<Figure[]> {
  const figureOf = async (kind: string, providerId: EmailProvider, load: ScaleLoad): Promise<Figure> =>
    figure(
      `email workers to one, ${kind} that takes ${CALL_MS} ms`,
      await measure(stage, providerId, load, restSeconds),
      load.goals,
    );
  return [await figureOf('an API', 'sendgrid', api), await figureOf('a mail server', 'nodemailer', mailServer)];
}

type Look = {
  /** Seconds since the start. */
  second: number;
  oldest: number;
  due: number;
  pods: number;
  done: number;
  /** True while all of the backlog is accepted and not all of it is done. */
  isBacklog: boolean;
  processors: { busy: number; all: number };
};
type Run = { workers: number; looks: Look[] };
type Runs = { evaluatedBy: string; runs: Run[] };

async function measure(stage: Stage, providerId: EmailProvider, load: ScaleLoad, restSeconds: number): Promise<Runs> {
  const { scene, close } = await openEmailScene(stage, `scale_${providerId}`, {
    providerId,
    words: [`delay=${CALL_MS}`],
  });
  await scene.start('engine');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  const autoscaler = await openAutoscaler(scene, 'worker-email');
  const runs: Run[] = [];
  try {
    for (const workers of WORKERS) {
      const what = `scale: ${providerId}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
      const started = await Promise.all(Array.from({ length: workers }, () => scene.start('email')));
      await pipeline.deliver(500 * workers, `${what}: warming up`);
      await untilAtRest(scene);
      runs.push({ workers, looks: await watch(scene, pipeline, autoscaler, load, restSeconds, what) });
      await Promise.all(started.map((worker) => worker.stop()));
    }
  } finally {
    await autoscaler.stop();
    await pipeline.close();
    await close();
  }
  return { evaluatedBy: autoscaler.evaluatedBy, runs };
}

/** The gateway caches the lag for a moment; wait so that the curves start from zero. */
async function untilAtRest(scene: Scene): Promise<void> {
  while ((await valueAt(scene, DUE)) > 0) await sleep(0.2);
}

/** Samples once a second, from the first call of the burst until the backlog has been gone for a while. */
async function watch(
  scene: Scene,
  pipeline: Pipeline,
  autoscaler: Autoscaler,
  { backlog, perSecond }: ScaleLoad,
  restSeconds: number,
  what: string,
): Promise<Look[]> {
  const first = idAtTime(Date.now() - 1);
  const begin = performance.now();
  const clock = (): number => (performance.now() - begin) / 1000;
  const looks: Look[] = [];
  let [accepted, isBurstOver, isOver] = [0, false, false];
  const burst = async (): Promise<void> => {
    await pipeline.accept(backlog);
    accepted += backlog;
    isBurstOver = true;
  };
  const steady = async (): Promise<void> => {
    for (let calls = 1; !isOver; calls += 1) {
      await pipeline.accept(EVENTS);
      accepted += EVENTS;
      await sleep((calls * EVENTS) / perSecond - clock());
    }
  };
  const look = async (): Promise<void> => {
    let [goneAt, movedAt] = [Infinity, 0];
    while (!isOver) {
      const [oldest, due, pods, done] = await Promise.all([
        valueAt(scene, OLDEST),
        valueAt(scene, DUE),
        autoscaler.podsWanted(),
        pipeline.countDone(first, what),
      ]);
      const second = clock();
      if (isBurstOver && accepted - done <= EVENTS) goneAt = Math.min(goneAt, second);
      if (done > (looks.at(-1)?.done ?? 0)) movedAt = second;
      if (second - movedAt > STALLED_SECONDS) throw new Error(`${what}: ${done} are done, and nothing moves`);
      looks.push({
        second,
        oldest,
        due,
        pods,
        done,
        isBacklog: isBurstOver && goneAt === Infinity,
        processors: processorTime(),
      });
      if (looks.length % REPORT_EVERY === 0) progress(`${what}: ${done} done after ${second.toFixed(0)} s`);
      isOver = second >= goneAt + restSeconds;
      if (!isOver) await sleep(looks.length - clock());
    }
  };
  try {
    await Promise.all([burst(), steady(), look()]);
  } finally {
    isOver = true;
  }
  await pipeline.untilDone(first, accepted, what);
  return looks;
}

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, seconds * 1000)));

/** Processor time of the whole machine since it started, including other programs. */
function processorTime(): Look['processors'] {
  const times = cpus().map(({ times: one }) => one);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}

function figure(what: string, { evaluatedBy, runs }: Runs, goals: Record<number, number>): Figure {
  const rows = runs.map(summaryOf);
  const one = rows[0]!.perSecond;
  const more = rows.slice(1).map((row) => ({ ...row, ratio: row.perSecond / one, goal: goals[row.workers] }));
  const said = (say: (row: (typeof more)[number]) => string): string =>
    more.map((row) => `${say(row)} with ${row.workers}`).join(', ');
  return {
    what,
    measured: said(({ ratio }) => `${ratio.toFixed(2)} x`),
    goal: said(({ goal }) => (goal === undefined ? 'none' : `>= ${goal.toFixed(1)} x`)),
    reached: more.every(({ ratio, goal = 0 }) => ratio >= goal),
    values: Object.fromEntries(rows.map(({ workers, perSecond }) => [`perSecond${workers}`, perSecond])),
    lines: [
      ...inColumns([
        [
          'workers',
          'sent/s',
          'to one',
          'calls at a time, each',
          'gone after',
          'oldest',
          'due',
          'pods',
          'processors busy',
        ],
        ...rows.map((row) => [
          String(row.workers),
          row.perSecond.toFixed(0),
          `${(row.perSecond / one).toFixed(2)} x`,
          ((row.perSecond * CALL_MS) / 1000 / row.workers).toFixed(1),
          `${row.goneAfter.toFixed(0)} s`,
          `${row.oldest.toFixed(1)} s`,
          String(row.due),
          String(row.pods),
          `${(100 * row.busy).toFixed(0)} %`,
        ]),
      ]),
      `(oldest, due and pods: the most that there was; the queries of KEDA were evaluated by ${evaluatedBy})`,
      ...runs.flatMap(curvesOf),
    ],
  };
}

/** The rate of the time with a backlog: before it calls are accepted, after it there is too little to do. */
function summaryOf({ workers, looks }: Run) {
  const backlog = looks.filter(({ isBacklog }) => isBacklog);
  const [from, to] = [backlog[0], backlog.at(-1)];
  if (!from || !to || from === to) throw new Error(`scale: a backlog too small to say anything of ${workers} workers`);
  const most = (of: (look: Look) => number): number => Math.max(...looks.map(of));
  return {
    workers,
    perSecond: (to.done - from.done) / (to.second - from.second),
    busy: (to.processors.busy - from.processors.busy) / (to.processors.all - from.processors.all),
    goneAfter: looks[looks.indexOf(to) + 1]!.second,
    oldest: most(({ oldest }) => oldest),
    due: most(({ due }) => due),
    pods: most(({ pods }) => pods),
  };
}

function curvesOf({ workers, looks }: Run): string[] {
  const shown = looks.filter((_, index) => index % EACH_SECONDS === 0);
  const row = (name: string, of: (look: Look) => number): string[] => [
    name,
    ...shown.map((look) => of(look).toFixed(0)),
  ];
  return [
    '',
    ...inColumns([
      row(workers === 1 ? '1 worker: second' : `${workers} workers: second`, ({ second }) => second),
      row('oldest due, s', ({ oldest }) => oldest),
      row('due', ({ due }) => due),
      row('pods asked for', ({ pods }) => pods),
    ]),
  ];
}
