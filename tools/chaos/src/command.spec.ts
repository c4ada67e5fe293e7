import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf, scaleOf } from './experiment';
import { EXPERIMENTS } from './experiments';
import { readOptions } from './options';
import { seededRandom } from './random';
import { PROOFS } from './prove';
import { tablePart } from './reliability-page';
import type { Row } from './report';
import { edited } from './scratch-copy';

const row: Row = {
  t: 'T1',
  title: 'kills',
  done: '6 kills',
  reached: '0 lost',
  asked: '0 lost',
  verdict: 'pass',
  notes: [],
  seconds: 3,
};

describe('npm run chaos', () => {
  const known = EXPERIMENTS.map(({ t }) => t);
  const read = (...words: string[]) => readOptions(words, known, () => 42);

  it('reads its options and makes a seed without one', () => {
    expect(read()).toMatchObject({ help: false, minutes: 20, seed: 42, only: [], short: false, prove: false });
    expect(read('-h').help).toBe(true);
    expect(read('--only', 't1,T8', '--only', 'T16', '--seed', '7', '--minutes', '0.5')).toMatchObject({
      only: ['T1', 'T8', 'T16'],
      seed: 7,
      minutes: 0.5,
    });
  });

  it.each([
    [['--minutes', 'ten'], '--minutes must be a number from 0.1, not "ten"'],
    [['--minutes', '0'], '--minutes must be a number from 0.1, not "0"'],
    [['--seed', '1.5'], '--seed must be a number from 0, not "1.5"'],
    [['--only', 'T99'], '--only: there is no T99; there are T1, T2'],
    [['--fast'], "Unknown option '--fast'"],
  ])('rejects %j and names the option', (words, message) => {
    expect(() => read(...words)).toThrow(message);
  });

  it('repeats its random choices for a seed', () => {
    const choices = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.between(0, 9));
    };
    expect(choices(1)).toEqual(choices(1));
    expect(choices(1)).not.toEqual(choices(2));
    expect(new Set(choices(3)).size).toBeGreaterThan(4);
  });

  it('scales experiments to the minutes of the run, never above their full form', () => {
    const experiments = EXPERIMENTS.filter(({ t }) => t === 'T1' || t === 'T8');
    expect(scaleOf(experiments, 100)).toBe(1);
    expect(scaleOf(experiments, 6.8)).toBeCloseTo(0.5);
    expect(scaleOf(experiments, 0.1)).toBe(0.01);
  });

  it('fails an experiment that misses a figure or has a fault', () => {
    const [experiment] = EXPERIMENTS;
    const outcome = { done: 'much', figures: [{ what: '0 lost', reached: true }], faults: [] };
    expect(rowOf(experiment!, outcome, 1)).toMatchObject({ verdict: 'pass', reached: '0 lost', notes: [] });
    const missed = { ...outcome, figures: [{ what: '1 lost', reached: false }] };
    expect(rowOf(experiment!, missed, 1)).toMatchObject({ verdict: 'fail', notes: ['missed: 1 lost'] });
    const faulty = { ...outcome, faults: [{ kind: 'lost event' as const, what: 'a' }] };
    expect(rowOf(experiment!, faulty, 1)).toMatchObject({ verdict: 'fail', notes: ['1 x lost event (a)'] });
  });

  it('writes a line for each experiment with its run, and keeps the lines of the others', () => {
    const run = { minutes: 20, seed: 7, at: new Date('2026-01-02T03:04:05Z'), machine: '2 processors' };
    const missed: Row = { ...row, t: 'T12', verdict: 'fail', notes: ['missed: 1 lost'] };
    const before = tablePart([row, missed], run);
    expect(before).toContain('| T1 | 6 kills | 0 lost | 0 lost | pass | `--minutes 20 --seed 7`, 2026-01-02 |');
    expect(before).toContain('- T12: missed: 1 lost');
    const after = tablePart(
      [
        { ...row, t: 'T2' },
        { ...row, verdict: 'fail', notes: ['x'] },
      ],
      { ...run, seed: 8 },
      before,
    );
    expect([...after.matchAll(/^\| (T\d+) .*(pass|FAIL) .*--seed (\d)/gm)].map(([, ...found]) => found)).toEqual([
      ['T1', 'FAIL', '8'],
      ['T2', 'pass', '8'],
      ['T12', 'FAIL', '7'],
    ]);
    expect(after.match(/^- .*$/gm)).toEqual(['- T1: x', '- T12: missed: 1 lost']);
  });

  it.each(PROOFS)('finds in the build what it switches off to prove: $remedy', ({ edits }) => {
    expect(edits.length).toBeGreaterThan(0);
    for (const edit of edits) expect(edited(edit)).toContain(edit.to);
  });

  it('has every experiment in docs/reliability.md, with the figure that it asks for', () => {
    const page = readFileSync(join(__dirname, '../../../docs/reliability.md'), 'utf8');
    const listed = page.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
    for (const { t, title, asked } of EXPERIMENTS) expect(listed).toContain(`| ${t} | ${title} | ${asked} |`);
  });
});
