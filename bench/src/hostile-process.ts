import { Pool as HttpPool } from 'undici';
import type { JsonObject } from '@clarion/contracts';
import { exitOnFault, whenAskedToStop } from '@clarion/platform';
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

const ATTACKS: ((call: Caller, n: number) => Promise<number>)[] = [
  // A payload schema with a backtracking pattern.
  (call, n) =>
    call('/v1/events/trigger/bulk', {
      events: Array.from({ length: 60 }, () => ({ name: 'pattern', to: 'x', payload: { a: `${n}${BACKTRACKED}` } })),
    }),
  // A schema that is slow to compile.
  (call, n) => call('/v2/workflows/saved', { name: 'Saved', steps: [], payloadSchema: choices(300, n) }, 'PUT'),
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

/**
 * The hostile environment: `{ "attack": true }` starts its callers, `false` stops them; the answer counts responses by
 * status.
 */
async function main(): Promise<void> {
  const { url, key } = JSON.parse(process.argv[2]!) as { url: string; key: string };
  const http = new HttpPool(url, { connections: ATTACKS.length * CALLERS });
  const call = callerOf(http, key);
  let isAttacking = false;
  let callers: Promise<void>[] = [];
  let statuses: Record<number, number> = {};
  let n = 0;
  const attackOn = async (attack: (typeof ATTACKS)[number]): Promise<void> => {
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
      callers = ATTACKS.flatMap((one) => Array.from({ length: CALLERS }, () => attackOn(one)));
      return;
    }
    await Promise.all(callers);
    process.send!({ statuses });
  };
  process.on('message', (message) => void obey(message as { attack: boolean }).catch(exitOnFault));
  process.send!({ ready: true });
  whenAskedToStop(() => http.close());
}

/** Each level tries the next level twice. */
function choices(depth: number, n: number): JsonObject {
  const $defs: JsonObject = { [`d${depth}`]: { required: [`never${n}`] } };
  for (let level = 0; level < depth; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
}

main().catch(exitOnFault);
