import { Pool as HttpPool } from 'undici';
import type { JsonObject } from '@clarion/contracts';
import { type Caller, callerOf } from './hostile-calls';
import { startProcess } from './processes';
import { type Figure, median, percentile, progress } from './report';
import type { Scene, Stage } from './stage';

export type HostileOptions = { rounds: number; roundSeconds: number; liveMs: number; liveShare: number; goal: number };

const BACKTRACKS = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };

/**
 * The workflows that the other environment triggers: one has an ordinary payload schema, which is checked in a render
 * thread.
 */
const GOOD = ['plain', 'checked'] as const;

/**
 * The effect of one hostile environment on the others, through every interface that processes tenant content: the
 * liveness probe, which decides whether the gateway is restarted, and the time of a trigger relative to an idle system.
 * The hostile callers run in a separate process, so that they do not block the event loop that measures.
 */
export async function hostile(stage: Stage, options: HostileOptions): Promise<Figure[]> {
  const scene = await stage.open('hostile');
  const http = new HttpPool(scene.url, { connections: 4 });
  const good = callerOf(http, scene.key);
  const key = await createEnvironment(scene);
  await prepare(good, callerOf(http, key));
  const { process: attacker } = await startProcess('hostile-process', [
    JSON.stringify({ url: scene.url, key, attacks: 'calls' }),
  ]);
  try {
    const ratios: Record<(typeof GOOD)[number], number[]> = { plain: [], checked: [] };
    const live: number[] = [];
    await measure(http, good, options.roundSeconds);
    for (let round = 1; round <= options.rounds; round += 1) {
      const idle = await measure(http, good, options.roundSeconds);
      attacker.tell({ attack: true });
      const attacked = await measure(http, good, options.roundSeconds);
      const statuses = await attacker.ask({ attack: false });
      for (const name of GOOD) ratios[name].push(median(attacked[name]) / median(idle[name]));
      live.push(...attacked.live);
      const times = GOOD.map((name) => `${ms(median(attacked[name]))} for ${ms(median(idle[name]))} (${name})`);
      progress(
        `hostile: round ${round} of ${options.rounds}: a trigger takes ${times.join(', ')}, /health/live ` +
          `${ms(percentile(attacked.live, options.liveShare))} for ${ms(percentile(idle.live, options.liveShare))}, ` +
          `the hostile calls were answered ${JSON.stringify(statuses)}`,
      );
    }
    const slowest = percentile(live, options.liveShare);
    const probes: Figure = {
      what: `/health/live while an environment does its worst, p${options.liveShare * 100} of ${live.length}`,
      measured: ms(slowest),
      goal: `<= ${options.liveMs} ms`,
      reached: slowest <= options.liveMs,
    };
    const triggers = GOOD.map((name): Figure => {
      const ratio = median(ratios[name]);
      const which = name === 'plain' ? 'without a payload schema' : 'with a payload schema';
      return {
        what: `a trigger of another environment ${which} meanwhile, to when nothing else goes on (p50)`,
        measured: `${ratio.toFixed(2)} x`,
        goal: `<= ${options.goal.toFixed(1)} x`,
        reached: ratio <= options.goal,
      };
    });
    return [probes, ...triggers];
  } finally {
    await attacker.stop();
    await http.close();
  }
}

type Times = Record<(typeof GOOD)[number] | 'live', number[]>;

/** Triggers one after the other, with probes at the same time. */
async function measure(http: HttpPool, good: Caller, seconds: number): Promise<Times> {
  const times: Times = { plain: [], checked: [], live: [] };
  const end = performance.now() + seconds * 1_000;
  const timed = async (into: number[], call: () => Promise<void>): Promise<void> => {
    const begin = performance.now();
    await call();
    into.push(performance.now() - begin);
  };
  const triggers = async (): Promise<void> => {
    while (performance.now() < end) for (const name of GOOD) await timed(times[name], () => trigger(good, name));
  };
  const probes = async (): Promise<void> => {
    while (performance.now() < end) {
      await timed(times.live, () => probe(http));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all([triggers(), probes()]);
  return times;
}

async function createEnvironment(scene: Scene): Promise<string> {
  const response = await fetch(`${scene.url}/v1/environments`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${scene.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Hostile' }),
  });
  const answer = (await response.json()) as { data?: { apiKeys: { key: string }[] }; apiKeys?: { key: string }[] };
  const [first] = (answer.data ?? answer).apiKeys ?? [];
  if (!first) throw new Error(`the environment was not created: ${response.status}`);
  return first.key;
}

async function prepare(good: Caller, bad: Caller): Promise<void> {
  const inApp = (controlValues: JsonObject, more: JsonObject = {}): JsonObject => ({
    name: 'Show',
    stepId: 'show',
    type: 'in_app',
    controlValues,
    ...more,
  });
  const workflow = (workflowId: string, steps: JsonObject[], more: JsonObject = {}): JsonObject => ({
    name: workflowId,
    workflowId,
    steps,
    ...more,
  });
  const ordinary = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 100 } } };
  const body = { body: 'Hello {{payload.name}}' };
  const like = { on: 'payload', field: 's', operator: 'LIKE', value: '%aaaaaaaaab%' };
  const group = { type: 'GROUP', value: 'OR', isNegated: false, children: Array.from({ length: 50 }, () => like) };
  const rule: JsonObject = { some: [{ var: 'payload.l' }, { some: [{ var: 'payload.l' }, { '==': [1, 2] }] }] };
  const created = [
    await good('/v2/workflows', workflow('plain', [inApp(body)])),
    await good('/v2/workflows', workflow('checked', [inApp(body)], { validatePayload: true, payloadSchema: ordinary })),
    await bad(
      '/v2/workflows',
      workflow('pattern', [inApp(body)], { validatePayload: true, payloadSchema: BACKTRACKS }),
    ),
    await bad('/v2/workflows', workflow('content', [inApp(body)])),
    await bad('/v2/workflows', workflow('saved', [])),
    await bad(
      '/v2/workflows',
      workflow(
        'ruled',
        Array.from({ length: 10 }, (_, n) =>
          n % 2
            ? inApp(body, { stepId: `s${n}`, filters: Array.from({ length: 5 }, () => group) })
            : inApp({ ...body, skip: rule }, { stepId: `s${n}` }),
        ),
      ),
    ),
  ];
  if (created.some((status) => status !== 201)) throw new Error(`workflows were not created: ${created.join()}`);
}

async function trigger(good: Caller, name: string): Promise<void> {
  const status = await good('/v1/events/trigger', { name, to: 'ada', payload: { name: 'Ada' } });
  if (status !== 201) throw new Error(`a trigger was refused: ${status}`);
}

async function probe(http: HttpPool): Promise<void> {
  const { statusCode, body } = await http.request({ method: 'GET', path: '/health/live' });
  await body.dump();
  if (statusCode !== 200) throw new Error(`/health/live answered ${statusCode}`);
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;
