import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../checker';
import type { Experiment, Figure, Trial } from '../experiment';
import { openScenario, type Scenario } from '../scenario';
import type { World } from '../world';

const CALLS_AT_ONCE = 200;
const KEYS = 1_000;
const KILLS = 50;

type Answer = { status: number; text: string; retryAfter?: string; isReplay: boolean };

/** T2: identical calls at the same moment, by transactionId and by idempotency key, while gateways are killed. */
export const identicalCalls: Experiment = {
  t: 'T2',
  title: 'identical calls at the same moment, while gateways are killed',
  asked: 'exactly 1 effect for each key; 409, 422 and replays right in 100 %; replies byte-identical',
  minutes: 4,
  async run({ world: open, times, random, progress }: Trial) {
    const world = await open();
    const keys = times(KEYS, 12);
    const concurrent = Math.min(CALLS_AT_ONCE, times(20 * CALLS_AT_ONCE, 40));
    const scenario = await openScenario({ world, name: 'T2', workflows: ['mail'], load: { perSecond: 100, bulk: 1 } });
    const wantedKills = times(KILLS, 3);
    let kills = 0;
    const wrong: Fault[] = [];
    for (let n = 0; n < keys; n += 1) {
      progress(`key ${n + 1} of ${keys}`);
      const isKeyed = n % 2 === 0;
      const kill = Math.floor(((n + 1) * wantedKills) / keys) > kills;
      const calling = callTogether(world, scenario, n, isKeyed, concurrent);
      if (kill) {
        await delay(random.between(0, 30));
        random.pick(world.placesOf('gateway').filter(({ isReady }) => isReady))?.kill();
        kills += 1;
      }
      wrong.push(...(await calling));
      if (kill) await world.heal();
    }
    const effects = await world.stores.query<{ t: string; count: number }>(
      `SELECT payload ->> 't' AS t, count(*)::int AS count FROM trigger WHERE environment_id = $1 GROUP BY 1`,
      [scenario.environmentId],
    );
    const notOne = keys - effects.filter(({ count }) => count === 1).length;
    // The caller of these events is not the load generator, so only the calls of the provider are compared.
    const { history } = await scenario.finish();
    const doubled = history.calls.length - new Set(history.calls.map(({ transactionId }) => transactionId)).size;
    const figures: Figure[] = [
      { what: `${keys - notOne} of ${keys} keys with exactly 1 effect`, reached: notOne === 0 },
      { what: `${wrong.length} wrong responses`, reached: wrong.length === 0 },
      { what: `${doubled} messages sent twice`, reached: doubled === 0 },
    ];
    return {
      done: `${concurrent} identical calls x ${keys} keys, ${kills} kills`,
      figures,
      faults: wrong,
    };
  },
};

async function callTogether(
  world: World,
  { key, name }: Scenario,
  n: number,
  isKeyed: boolean,
  concurrent: number,
): Promise<Fault[]> {
  const t = `${name}-${String(n).padStart(7, '0')}`;
  const own = isKeyed ? {} : { transactionId: t };
  const body = (more = ''): string =>
    JSON.stringify({
      name: 'mail',
      to: { subscriberId: `s-${n}`, email: 's@chaos.test' },
      payload: { t, more },
      ...own,
    });
  const send = (text: string): Promise<Answer | undefined> => post(world, key, text, isKeyed ? t : undefined);
  const answers = await Promise.all(Array.from({ length: concurrent }, () => send(body())));
  // A caller repeats until a gateway acknowledges.
  const deadline = Date.now() + 60_000;
  let success = answers.find((answer) => answer?.status === 201);
  while (!success && Date.now() < deadline) {
    await delay(200);
    const again = await send(body());
    answers.push(again);
    if (again?.status === 201) success = again;
  }
  const faults: Fault[] = [];
  const wrong = (what: string): void => void faults.push({ kind: 'wrong response', what: `${t}: ${what}` });
  if (!success) wrong('no success');
  for (const answer of answers) {
    if (!answer) continue;
    const { status, text, retryAfter } = answer;
    const mayComeAgain = (status === 503 || (isKeyed && status === 409)) && retryAfter !== undefined;
    if (status === 201 ? text !== success?.text : !mayComeAgain) wrong(`${status} ${text.slice(0, 100)}`);
  }
  if (isKeyed && success) {
    const replay = await send(body());
    if (replay && (replay.text !== success.text || !replay.isReplay)) wrong(`replay: ${replay.status} ${replay.text}`);
    const other = await send(body('different'));
    if (other && other.status !== 422) wrong(`another body: ${other.status}`);
  }
  return faults;
}

async function post(world: World, key: string, body: string, idempotencyKey?: string): Promise<Answer | undefined> {
  const urls = world.gateways();
  try {
    const response = await fetch(`${urls[Math.floor(Math.random() * urls.length)]}/v1/events/trigger`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const retryAfter = response.headers.get('retry-after') ?? undefined;
    return {
      status: response.status,
      text: await response.text(),
      isReplay: response.headers.get('idempotency-replay') === 'true',
      ...(retryAfter !== undefined && { retryAfter }),
    };
  } catch {
    return undefined;
  }
}
