import { Pool as HttpPool } from 'undici';
import type { JsonObject } from '@clarion/contracts';
import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { nestedChoices } from '@clarion/testing';
import { type Caller, callerOf } from './hostile-calls';

const NEVER_ENDS = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
/** Just below the time limit of a job. */
const HEAVY = '{% for a in (1..400) %}{% for b in (1..400) %}{% endfor %}{% endfor %}';
const BACKTRACKED = `${'a'.repeat(40)}b`;
const LONG = 'a'.repeat(300_000);

/** Concurrent callers per attack. */
const CALLERS = 2;
/** The pause between two calls, also after a 429: hostile callers ignore `Retry-After`. */
const PAUSE_MS = 10;

type Attack = (call: Caller, n: number) => Promise<number>;

/** Against the calls of others: everything that a call makes the gateway do. */
const ON_CALLS: Attack[] = [
  // A payload schema with a backtracking pattern.
  (call, n) =>
    call('/v1/events/trigger/bulk', {
      events: Array.from({ length: 60 }, () => ({ name: 'pattern', to: 'x', payload: { a: `${n}${BACKTRACKED}` } })),
    }),
  // A schema that is slow to compile.
  (call, n) =>
    call('/v2/workflows/saved', { name: 'Saved', steps: [], payloadSchema: nestedChoices(300, `never${n}`) }, 'PUT'),
  // A template that is slow to parse.
  (call, n) =>
    call(
      '/v2/workflows/saved',
      {
        name: 'Saved',
        steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: `{{a${n} | append: b}}`.repeat(30_000) } }],
      },
      'PUT',
    ),
  // A template that is slow to render.
  (call, n) =>
    call('/v2/workflows/content/step/show/preview', { controlValues: { body: `${n % 2 ? NEVER_ENDS : HEAVY}${n}` } }),
  // A template whose variables are slow to find.
  (call, n) =>
    call('/v2/workflows/content/step/show/preview', {
      controlValues: {
        body: `${'{% if a %}{% capture b %}'.repeat(40)}${n}${'{% endcapture %}{% endif %}'.repeat(40)}`,
      },
    }),
  // Rules that are slow to evaluate.
  (call) =>
    call('/v1/events/trigger?dryRun=true', {
      name: 'ruled',
      to: 'x',
      payload: { s: LONG, l: LONG.slice(0, 20_000).split('') },
    }),
];

/** Workflows with templates that take from a few milliseconds to longer than a job may take. */
const LOOPS = [60, 120, 200, 320, 500];
const loop = (turns: number): string =>
  `{% for a in (1..${turns}) %}{% for b in (1..${turns}) %}{% endfor %}{% endfor %}{{payload.n}}`;
const heavySteps = (turns: number): JsonObject[] => [
  { name: 'Show', stepId: 'show', type: 'in_app', controlValues: { body: loop(turns) } },
  { name: 'Mail', type: 'email', controlValues: { subject: 'Heavy', body: loop(turns) } },
];
const heavyEvent = (n: number): JsonObject => ({
  name: `heavy-${LOOPS[n % LOOPS.length]}`,
  to: { subscriberId: `s${n % 100}`, email: 'heavy@example.com' },
  payload: { n },
});

/** Against the messages of others: heavy templates in delivery, and what an author does at the same time. */
const ON_DELIVERY: Attack[] = [
  (call, n) =>
    call('/v1/events/trigger/bulk', { events: Array.from({ length: 8 }, (_, at) => heavyEvent(8 * n + at)) }),
  (call, n) =>
    call(`/v2/workflows/heavy-200/step/show/preview`, {
      controlValues: { body: `${n % 2 ? NEVER_ENDS : loop(320)}${n}` },
    }),
  (call, n) => call('/v1/events/trigger?dryRun=true', heavyEvent(n)),
  (call, n) => call('/v1/subscribers/s1/explain', { workflowId: `heavy-${LOOPS[n % LOOPS.length]}`, payload: { n } }),
  (call, n) => call('/v1/events/trigger', { name: 'pattern', to: 'x', payload: { a: `${n}${BACKTRACKED}` } }),
  (call, n) =>
    call('/v2/workflows/saved', { name: 'Saved', steps: [], payloadSchema: nestedChoices(300, `never${n}`) }, 'PUT'),
  // 200 kB of keys.
  (call, n) =>
    call(
      '/v2/workflows/saved',
      { name: 'Saved', steps: [{ name: 'Show', type: 'in_app', controlValues: { body: 'b', data: manyKeys(n) } }] },
      'PUT',
    ),
];

async function prepareDelivery(call: Caller): Promise<void> {
  const workflows: JsonObject[] = [
    ...LOOPS.map((turns) => ({ workflowId: `heavy-${turns}`, steps: heavySteps(turns) })),
    {
      workflowId: 'pattern',
      steps: heavySteps(1),
      validatePayload: true,
      payloadSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    },
    { workflowId: 'saved', steps: [] },
  ];
  for (const workflow of workflows) {
    const status = await call('/v2/workflows', { name: String(workflow['workflowId']), ...workflow });
    if (status !== 201) throw new Error(`a workflow was not created: ${status}`);
  }
  await call('/v2/subscribers', { subscriberId: 's1', email: 'heavy@example.com' });
}

const manyKeys = (n: number): JsonObject =>
  Object.fromEntries(Array.from({ length: 16_000 }, (_, at) => [`${n}k${at.toString(36)}`, at % 10]));

/** Every attack has these callers. `prepare` runs before the first one. */
const SETS = {
  calls: { attacks: ON_CALLS, prepare: () => Promise.resolve() },
  delivery: { attacks: ON_DELIVERY, prepare: prepareDelivery },
};

/**
 * The hostile environment: `{ "attack": true }` starts its callers, `false` stops them; the answer counts responses by
 * status.
 */
async function main(): Promise<void> {
  const {
    url,
    key,
    attacks: set,
  } = JSON.parse(process.argv[2]!) as {
    url: string;
    key: string;
    attacks: keyof typeof SETS;
  };
  const { attacks, prepare } = SETS[set];
  const http = new HttpPool(url, { connections: attacks.length * CALLERS });
  const call = callerOf(http, key);
  await prepare(call);
  let isAttacking = false;
  let callers: Promise<void>[] = [];
  let statuses: Record<number, number> = {};
  let n = 0;
  const attackOn = async (attack: Attack): Promise<void> => {
    while (isAttacking) {
      const status = await attack(call, (n += 1));
      statuses[status] = (statuses[status] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const obey = async ({ attack }: { attack: boolean }): Promise<void> => {
    isAttacking = attack;
    if (attack) {
      statuses = {};
      callers = attacks.flatMap((one) => Array.from({ length: CALLERS }, () => attackOn(one)));
      return;
    }
    await Promise.all(callers);
    process.send!({ statuses });
  };
  process.on('message', (message) => void obey(message as { attack: boolean }).catch(exitOnFault));
  process.send!({ ready: true });
  whenAskedToStop(() => http.close());
}

main().catch(exitOnFault);
