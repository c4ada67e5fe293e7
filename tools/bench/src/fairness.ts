import { Pool as HttpPool } from 'undici';
import type { JsonObject } from '@clarion/contracts';
import type { LoopReading } from '@clarion/testing';
import { callerOf } from './hostile-calls';
import { startProcess } from './processes';
import { type Figure, median, percentile, progress } from './report';
import type { Role } from './roles';
import type { Scene, Stage } from './stage';

/** Triggers are sent every `everyMs`; a message that is later than `missedMs` counts as missing. */
export type FairnessOptions = { seconds: number; everyMs: number; missedMs: number; forms?: string[] };

const CHANNELS = ['in_app', 'email'] as const;
const ROLES: Role[] = ['gateway', 'engine', 'in_app', 'email', 'sms', 'chat', 'push'];
/** The form of `npm start`, and one process for each role. */
const FORMS: Record<string, Role[][]> = {
  'one process': [ROLES],
  'a process for each role': ROLES.map((role) => [role]),
};

/** The rate limits of the default configuration; other benchmarks have none. */
const LIMITS = {
  CLARION_RATE_LIMIT_TRIGGER: '60000',
  CLARION_RATE_LIMIT_CONFIGURATION: '6000',
  CLARION_RATE_LIMIT_GLOBAL: '6000',
};

const GOALS = { arrivedMs: 4_000, halfMs: 1_500, liveP99Ms: 250, liveMs: 1_000 };

/**
 * The messages of one organization while another sends heavy templates through every interface that processes them:
 * from the call to the message that is recorded as sent, and the liveness probe of the gateway meanwhile.
 */
export async function fairness(stage: Stage, options: FairnessOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const form of options.forms ?? Object.keys(FORMS)) {
    const scene = await stage.open('fairness', { gateway: false, variables: LIMITS });
    const started = [];
    for (const roles of FORMS[form]!) started.push({ roles, process: await scene.start(...roles) });
    const http = new HttpPool(scene.url, { connections: 4 });
    const { process: attacker } = await startProcess('hostile-process', [
      JSON.stringify({ url: scene.url, key: await createOrganization(scene), attacks: 'delivery' }),
    ]);
    try {
      await prepareGood(http, scene);
      const idle = await measure(http, scene, { ...options, seconds: 5 });
      progress(`fairness, ${form}, idle: ${describe(idle)}`);
      for (const { process } of started) await process.readLoop();
      attacker.tell({ attack: true });
      const attacked = await measure(http, scene, options);
      const loops = await Promise.all(
        started.map(async ({ roles, process }) => `${roles.join('+')}: ${loopOf(await process.readLoop())}`),
      );
      const statuses = await attacker.ask({ attack: false });
      progress(`fairness, ${form}: ${describe(attacked)}, the heavy calls were answered ${JSON.stringify(statuses)}`);
      figures.push(...figuresOf(form, attacked, loops));
    } finally {
      await attacker.stop();
      await http.close();
      await scene.close();
    }
  }
  return figures;
}

type Measured = {
  arrivals: Record<(typeof CHANNELS)[number], number[]>;
  missing: number;
  sent: number;
  live: number[];
};

/** Triggers at even intervals, looks for their messages, and probes the gateway. */
async function measure(
  http: HttpPool,
  scene: Scene,
  { seconds, everyMs, missedMs }: FairnessOptions,
): Promise<Measured> {
  const measured: Measured = { arrivals: { in_app: [], email: [] }, missing: 0, sent: 0, live: [] };
  const end = performance.now() + seconds * 1_000;
  /** When a message of the transaction is missing, since when. */
  const open = new Map<string, number>();
  let isTriggering = true;
  const triggers = async (): Promise<void> => {
    while (performance.now() < end) {
      const begin = performance.now();
      const transactionId = await trigger(http, scene.key);
      for (const channel of CHANNELS) open.set(`${transactionId} ${channel}`, begin);
      measured.sent += 1;
      await pause(everyMs);
    }
    isTriggering = false;
  };
  const arrivals = async (): Promise<void> => {
    while (isTriggering || open.size > 0) {
      for (const { name, channel } of await sentMessages(scene, [...open.keys()])) {
        measured.arrivals[channel].push(performance.now() - open.get(name)!);
        open.delete(name);
      }
      for (const [name, since] of open) {
        if (performance.now() - since < missedMs) continue;
        measured.missing += 1;
        measured.arrivals[name.split(' ')[1] as (typeof CHANNELS)[number]].push(Infinity);
        open.delete(name);
      }
      await pause(50);
    }
  };
  const probes = async (): Promise<void> => {
    while (performance.now() < end) {
      const begin = performance.now();
      const { body } = await http.request({ method: 'GET', path: '/health/live' });
      await body.dump();
      measured.live.push(performance.now() - begin);
      await pause(20);
    }
  };
  await Promise.all([triggers(), arrivals(), probes()]);
  return measured;
}

async function trigger(http: HttpPool, key: string): Promise<string> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/v1/events/trigger',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'light',
      to: { subscriberId: 'ada', email: 'ada@example.com' },
      payload: { name: 'Ada' },
    }),
  });
  const answer = (await body.json()) as { transactionId: string };
  if (statusCode !== 201) throw new Error(`a trigger was refused: ${statusCode}`);
  return answer.transactionId;
}

async function sentMessages(
  { database, environment }: Scene,
  names: string[],
): Promise<{ name: string; channel: (typeof CHANNELS)[number] }[]> {
  if (names.length === 0) return [];
  return database.query(
    `SELECT t.transaction_id || ' ' || m.channel AS name, m.channel
       FROM message m JOIN trigger t ON t.id = m.trigger_id
      WHERE m.environment_id = $1 AND m.status = 'sent' AND t.transaction_id || ' ' || m.channel = ANY ($2::text[])`,
    [environment.id, names],
  );
}

function figuresOf(form: string, { arrivals, missing, sent, live }: Measured, loops: string[]): Figure[] {
  const of = CHANNELS.map((channel): Figure => {
    const times = arrivals[channel];
    const [half, longest] = times.length > 0 ? [median(times), Math.max(...times)] : [Infinity, Infinity];
    return {
      what: `${form}: ${channel} of another organization, from the trigger to sent (p50, longest of ${sent})`,
      measured: `${seconds(half)}, ${seconds(longest)}`,
      goal: `<= ${seconds(GOALS.halfMs)}, <= ${seconds(GOALS.arrivedMs)}`,
      reached: half <= GOALS.halfMs && longest <= GOALS.arrivedMs,
    };
  });
  const [p99, slowest] = [percentile(live, 0.99), Math.max(...live)];
  return [
    ...of,
    {
      what: `${form}: messages that did not arrive in time`,
      measured: String(missing),
      goal: '0',
      reached: missing === 0,
    },
    {
      what: `${form}: /health/live meanwhile (p99, longest of ${live.length})`,
      measured: `${seconds(p99)}, ${seconds(slowest)}`,
      goal: `<= ${seconds(GOALS.liveP99Ms)}, <= ${seconds(GOALS.liveMs)}`,
      reached: p99 <= GOALS.liveP99Ms && slowest <= GOALS.liveMs,
      lines: loops,
    },
  ];
}

const loopOf = ({ blockedMs, lateMs, cpuMs, delays }: LoopReading): string =>
  `the event loop was blocked for ${seconds(blockedMs)} at most, late by ${seconds(percentile(delays, 0.99))} (p99) ` +
  `and ${seconds(lateMs)} (most), and took ${seconds(cpuMs)} of the processor`;

function describe({ arrivals, missing, sent, live }: Measured): string {
  const times = CHANNELS.map((channel) => `${channel} ${seconds(median(arrivals[channel]))}`).join(', ');
  return `${sent} triggers, ${times}, ${missing} missing, /health/live p99 ${seconds(percentile(live, 0.99))}`;
}

async function createOrganization(scene: Scene): Promise<string> {
  const response = await fetch(`${scene.url}/v1/organizations`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${scene.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Heavy' }),
  });
  const text = await response.text();
  const key = /"key":"([^"]+)"/.exec(text)?.[1];
  if (!key) throw new Error(`the organization was not created: ${response.status} ${text}`);
  return key;
}

async function prepareGood(http: HttpPool, scene: Scene): Promise<void> {
  const body = 'Hello {{payload.name}}';
  const steps: JsonObject[] = [
    { name: 'Show', type: 'in_app', controlValues: { body } },
    { name: 'Mail', type: 'email', controlValues: { subject: body, body } },
  ];
  const status = await callerOf(http, scene.key)('/v2/workflows', { name: 'Light', workflowId: 'light', steps });
  if (status !== 201) throw new Error(`the workflow was not created: ${status}`);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`;
