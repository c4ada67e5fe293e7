import { accept } from './accept';
import { lists } from './lists';
import { type Figure, printTable } from './report';
import { setStage, type Stage } from './stage';

/**
 * `npm run bench -- [accept|lists] [--short]`: one table; every figure is a ratio measured within this run, because the
 * machines are shared and a wall-clock number means nothing tomorrow.
 *
 * `--short` is what `npm test` runs: little data, few requests, and goals so loose that a busy machine does not miss them.
 * It fails on what got ten times worse, no sooner. So few requests have no 95th percentile worth the name: there the
 * median counts. The real goals are those of the full form.
 */
const SUITES: Record<string, { title: string; run: (stage: Stage, short: boolean) => Promise<Figure[]> }> = {
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
  lists: {
    title: 'lists: a large environment to a small one',
    run: (stage, short) =>
      lists(
        stage,
        short
          ? { small: 1_000, large: 20_000, blocks: 3, requests: 3, percentile: 0.5, goal: 10 }
          : { small: 10_000, large: 1_000_000, blocks: 3, requests: 100, percentile: 0.95, goal: 2 },
      ),
  },
};

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const short = words.includes('--short');
  const wanted = words.filter((word) => !word.startsWith('--'));
  const unknown = wanted.filter((word) => !(word in SUITES));
  if (unknown.length > 0)
    throw new Error(`unknown benchmark "${unknown[0]}"; there are: ${Object.keys(SUITES).join(', ')}`);
  const stage = await setStage();
  let missed = false;
  try {
    for (const name of wanted.length > 0 ? wanted : Object.keys(SUITES)) {
      const figures = await SUITES[name]!.run(stage, short);
      printTable(SUITES[name]!.title, figures);
      missed ||= figures.some(({ reached }) => !reached);
    }
  } finally {
    await stage.stop();
  }
  process.exitCode = missed ? 1 : 0;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
