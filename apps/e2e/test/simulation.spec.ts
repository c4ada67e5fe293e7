import { corpus, runs } from '@clarion/testing';
import { MUTANTS } from './simulation/mutants';
import { type Coverage, simulate } from './simulation/simulate';

/**
 * Runs the real engine and workers while processes crash and freeze at any call, the queue loses and duplicates jobs,
 * clocks are wrong and providers fail in every way. `CLARION_SIMULATION_SEEDS=10000` runs more seeds;
 * `CLARION_SIMULATION_SEED=123` prints the trace of one seed.
 */
const SEEDS = Number(process.env['CLARION_SIMULATION_SEEDS'] ?? runs(200, 60));
const ONLY = process.env['CLARION_SIMULATION_SEED'];
/** The last lines of the trace that a failure prints. */
const LINES_SHOWN = 120;
const SEEDS_PER_MUTANT = 6_000;

const MINUTES = 60_000;

describe('simulation', () => {
  if (ONLY !== undefined) {
    it('prints the trace of one seed', async () => {
      const { problems, trace } = await simulate(Number(ONLY), { tracing: true });
      process.stdout.write(`${trace}\n`);
      expect(problems).toEqual([]);
    });
    return;
  }

  const total: Record<string, number> = {};
  let failure = '';

  beforeAll(async () => {
    for (let seed = 1; seed <= SEEDS && failure === ''; seed += 1) {
      const { problems, coverage } = await simulate(seed);
      addUp(total, coverage);
      if (problems.length > 0) failure = await describeFailure(seed, problems);
      // Yields to the event loop.
      if (seed % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }, 30 * MINUTES);

  it(`upholds every invariant for ${SEEDS} seeds`, () => {
    expect(failure).toBe('');
    expect(total['seeds']).toBe(SEEDS);
  });

  it('covers every step outcome and every kind of fault', () => {
    const expected = [
      ...['in_app', 'sms', 'push', 'delay', 'digest', 'throttle', 'custom'].map((type) => `${type} completed`),
      ...[
        'sms failed',
        'sms canceled',
        'sms skipped',
        'sms merged',
        'digest merged',
        'digest skipped',
        'throttle skipped',
      ],
      ...[
        'resent',
        'held',
        'quarantined',
        'failovers',
        'successors',
        'crashes',
        'freezes',
        'stops',
        'lost jobs',
        'raced claims',
        'rate_limit waits',
        'outages',
      ],
    ];
    expect(expected.filter((name) => !total[name])).toEqual([]);
  });

  it('produces the same trace twice for the same seed', async () => {
    const [one, other] = [await simulate(7, { tracing: true }), await simulate(7, { tracing: true })];
    expect(one.trace.split('\n').length).toBeGreaterThan(20);
    expect(other.trace).toBe(one.trace);
  });

  it.each(corpus(MUTANTS, 4))(
    'detects a store that breaks $breaks',
    async ({ Store, detectedBy, from = 1 }) => {
      let found: string[] = [];
      for (let seed = from; seed < from + SEEDS_PER_MUTANT && found.length === 0; seed += 1) {
        const { problems } = await simulate(seed, { Store });
        found = problems.filter((problem) => detectedBy.test(problem));
      }
      expect(found).not.toEqual([]);
    },
    10 * MINUTES,
  );
});

function addUp(total: Record<string, number>, coverage: Coverage): void {
  total['seeds'] = (total['seeds'] ?? 0) + 1;
  for (const [name, times] of Object.entries(coverage)) total[name] = (total[name] ?? 0) + times;
}

/** The problems of a seed and the end of its trace. */
async function describeFailure(seed: number, problems: string[]): Promise<string> {
  const { trace } = await simulate(seed, { tracing: true });
  const lines = trace.split('\n').slice(-LINES_SHOWN).join('\n');
  const hint = `The end of the trace (CLARION_SIMULATION_SEED=${seed} prints all of it):`;
  return `seed ${seed}: ${problems.join('; ')}\n${hint}\n${lines}`;
}
