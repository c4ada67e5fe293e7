import { Pool as HttpPool } from 'undici';
import type { JsonObject } from '@clarion/contracts';
import { type Figure, median, percentile, progress } from './report';
import type { Scene, Stage } from './stage';

export type HostileOptions = { rounds: number; roundSeconds: number; liveMs: number; liveShare: number; goal: number };

const NEVER_ENDS = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
/** Just below what a job may take. */
const HEAVY = '{% for a in (1..400) %}{% for b in (1..400) %}{% endfor %}{% endfor %}';
const BACKTRACKS = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
const BACKTRACKED = `${'a'.repeat(40)}b`;
const LONG = 'a'.repeat(300_000);

/** Each of them is called again and again, by callers of its own, all at once. */
const ATTACKS: Record<string, (call: Caller, n: number) => Promise<unknown>> = {
  'payload schema': (call, n) =>
    call('/v1/events/trigger/bulk', {
      events: Array.from({ length: 60 }, () => ({ name: 'pattern', to: 'x', payload: { a: `${n}${BACKTRACKED}` } })),
    }),
  'saving a schema': (call, n) =>
    call('/v2/workflows/saved', { name: 'Saved', steps: [], payloadSchema: choices(300, n) }, 'PUT'),
  'saving templates': (call, n) =>
    call(
      '/v2/workflows/saved',
      {
        name: 'Saved',
        steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: `{{a${n} | append: b}}`.repeat(30_000) } }],
      },
      'PUT',
    ),
  'preview of a loop': (call, n) =>
    call('/v2/workflows/content/step/show/preview', { controlValues: { body: `${n % 2 ? NEVER_ENDS : HEAVY}${n}` } }),
  'variables of a preview': (call, n) =>
    call('/v2/workflows/content/step/show/preview', {
      controlValues: {
        body: `${'{% if a %}{% capture b %}'.repeat(40)}${n}${'{% endcapture %}{% endif %}'.repeat(40)}`,
      },
    }),
  'dry run of rules': (call) =>
    call('/v1/events/trigger?dryRun=true', {
      name: 'ruled',
      to: 'x',
      payload: { s: LONG, l: LONG.slice(0, 20_000).split('') },
    }),
};

type Caller = (path: string, body: JsonObject, method?: 'POST' | 'PUT') => Promise<number>;

/**
 * What the other environments notice while one does its worst through every way by which tenants hand us work: the probe that decides
 * whether the gateway is restarted, and how long a trigger takes beside what it takes when nothing else goes on.
 */
export async function hostile(stage: Stage, options: HostileOptions): Promise<Figure[]> {
  const scene = await stage.open('hostile');
  const http = new HttpPool(scene.url, { connections: 64 });
  const good = callerOf(http, scene.key);
  const bad = callerOf(http, await createEnvironment(scene));
  try {
    await prepare(good, bad);
    const ratios: number[] = [];
    const live: number[] = [];
    await timesOf(options.roundSeconds, () => trigger(good));
    for (let round = 1; round <= options.rounds; round += 1) {
      const idle = await timesOf(options.roundSeconds, () => trigger(good));
      const attack = startAttack(bad);
      const [attacked, probes] = await Promise.all([
        timesOf(options.roundSeconds, () => trigger(good)),
        timesOf(options.roundSeconds, () => probe(http), 20),
      ]);
      const calls = await attack.stop();
      ratios.push(median(attacked) / median(idle));
      live.push(...probes);
      progress(
        `hostile: round ${round} of ${options.rounds}: a trigger takes ${ms(median(attacked))} for ${ms(median(idle))}, ` +
          `/health/live ${ms(percentile(probes, options.liveShare))}, ${calls} hostile calls answered`,
      );
    }
    const slowest = percentile(live, options.liveShare);
    return [
      {
        what: `/health/live while an environment does its worst, p${options.liveShare * 100} of ${live.length}`,
        measured: ms(slowest),
        goal: `<= ${options.liveMs} ms`,
        reached: slowest <= options.liveMs,
      },
      {
        what: 'a trigger of another environment meanwhile, to when nothing else goes on (p50)',
        measured: `${median(ratios).toFixed(2)} x`,
        goal: `<= ${options.goal.toFixed(1)} x`,
        reached: median(ratios) <= options.goal,
      },
    ];
  } finally {
    await http.close();
  }
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
    await good('/v2/workflows', workflow('bench', [inApp(body)], { validatePayload: true, payloadSchema: ordinary })),
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

/** Until it is stopped; what the callers are answered is their business. */
function startAttack(bad: Caller): { stop(): Promise<number> } {
  let stopped = false;
  let calls = 0;
  const callers = Object.values(ATTACKS).flatMap((attack) =>
    [0, 1].map(async () => {
      while (!stopped) {
        await attack(bad, (calls += 1));
        // One that is refused at once does not become a benchmark of refusals.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }),
  );
  return {
    async stop() {
      stopped = true;
      await Promise.all(callers);
      return calls;
    },
  };
}

/** The trigger has a payload schema, too: an ordinary one. */
async function trigger(good: Caller): Promise<void> {
  const status = await good('/v1/events/trigger', { name: 'bench', to: 'ada', payload: { name: 'Ada' } });
  if (status !== 201) throw new Error(`a trigger was refused: ${status}`);
}

async function probe(http: HttpPool): Promise<void> {
  const { statusCode, body } = await http.request({ method: 'GET', path: '/health/live' });
  await body.dump();
  if (statusCode !== 200) throw new Error(`/health/live answered ${statusCode}`);
}

/** One call after the other. */
async function timesOf(seconds: number, call: () => Promise<void>, pauseMs = 0): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const begin = performance.now();
    await call();
    times.push(performance.now() - begin);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return times;
}

const callerOf =
  (http: HttpPool, key: string): Caller =>
  async (path, json, method = 'POST') => {
    const { statusCode, body } = await http.request({
      method,
      path,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    await body.dump();
    return statusCode;
  };

/** Every level tries the next one twice. */
function choices(depth: number, n: number): JsonObject {
  const $defs: JsonObject = { [`d${depth}`]: { required: [`never${n}`] } };
  for (let level = 0; level < depth; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;
