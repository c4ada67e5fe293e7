import { ClaimRunner } from './claim-runner';
import { Isolation } from './isolation';

type Row = { id: string; leavesMore?: boolean };

describe('ClaimRunner', () => {
  let free: Set<string>;
  /** The crashes of each suspect. */
  let suspects: Map<string, number>;
  let events: string[];
  /** Promises that `run` waits for, by the ids of its rows. */
  let gates: Map<string, Promise<void>>;
  let claimFailure: Error | undefined;
  /** Rows that fit into one claim. */
  let most: number;
  let failure: { ids: string; error: Error } | undefined;
  /** Ends the time in which isolated rows follow each other. */
  let endSeries: () => void;
  let isolation: Isolation;
  let runner: ClaimRunner<Row>;

  beforeEach(() => {
    free = new Set();
    suspects = new Map();
    events = [];
    gates = new Map();
    claimFailure = undefined;
    most = Infinity;
    failure = undefined;
    isolation = new Isolation(
      () => Promise.resolve(events.push('quiet')),
      () => new Promise<void>((resolve) => (endSeries = resolve)),
    );
    runner = makeRunner();
  });

  const makeRunner = (): ClaimRunner<Row> =>
    new ClaimRunner<Row>(
      {
        claim: (ids, mostCrashes) => {
          events.push(`claim ${ids.join()} ${mostCrashes > 1 ? 'any' : mostCrashes}`);
          if (claimFailure) return Promise.reject(claimFailure);
          const claimed = ids.filter((id) => free.has(id) || (suspects.get(id) ?? Infinity) <= mostCrashes);
          const leavesMore = claimed.length > most;
          return Promise.resolve(claimed.slice(0, most).map((id) => ({ id, leavesMore })));
        },
        suspects: (ids) => {
          events.push(`suspects ${ids.join()}`);
          return Promise.resolve(ids.flatMap((id) => (suspects.has(id) ? [{ id, crashes: suspects.get(id)! }] : [])));
        },
        run: async (rows) => {
          const ids = rows.map(({ id }) => id).join();
          events.push(`run ${ids}`);
          await gates.get(ids);
          if (failure?.ids === ids) throw failure.error;
          events.push(`end ${ids}`);
        },
        onError: (error, ids) => void events.push(`error ${ids.join()}: ${(error as Error).message}`),
      },
      isolation,
    );

  /** Lets the rows with these ids run until the returned function is called. */
  const hold = (ids: string): (() => void) => {
    let finish = (): void => undefined;
    gates.set(ids, new Promise((resolve) => (finish = resolve)));
    return finish;
  };
  /** Lets everything run that waits for nothing but a later turn of the event loop; isolated rows wait for one. */
  const pause = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  };

  it('runs all rows in one batch and does not ask for suspects when every row was claimed', async () => {
    free = new Set(['a', 'b']);
    await runner.run(['a', 'b']);
    expect(events).toEqual(['claim a,b 0', 'run a,b', 'end a,b']);
  });

  it('claims the rows that did not fit into the claim when the first have run', async () => {
    free = new Set(['a', 'b', 'c']);
    most = 1;
    const finish = hold('a');
    const run = runner.run(['a', 'b', 'c', 'd']);
    await pause();
    expect(events).toEqual(['claim a,b,c,d 0', 'run a']);
    finish();
    await run;
    expect(events.filter((event) => !event.startsWith('end'))).toEqual([
      'claim a,b,c,d 0',
      'run a',
      'claim b,c,d 0',
      'run b',
      'claim c,d 0',
      'run c',
      'suspects d',
    ]);
  });

  it('runs nothing when no row could be claimed and none is a suspect', async () => {
    await runner.run(['a', 'b']);
    await runner.drain();
    expect(events).toEqual(['claim a,b 0', 'suspects a,b']);
  });

  it('runs rows with one crash together, after the rest of the batch', async () => {
    free = new Set(['a', 'd']);
    suspects = new Map([
      ['b', 1],
      ['c', 1],
    ]);
    await runner.run(['a', 'b', 'c', 'd']);
    await runner.drain();
    expect(events).toEqual([
      'claim a,b,c,d 0',
      'run a,d',
      'end a,d',
      'suspects b,c',
      'claim b,c 1',
      'run b,c',
      'end b,c',
    ]);
  });

  it('runs four groups of suspects at a time, and the next one when any of them has ended', async () => {
    const ids = Array.from({ length: 34 }, (_, index) => `${index}`);
    suspects = new Map(ids.map((id) => [id, 1]));
    const finish = [0, 8, 16, 24].map((from) => hold(ids.slice(from, from + 8).join()));
    await runner.run(ids.slice(0, 33));
    await pause();
    expect(events.filter((event) => event.startsWith('run '))).toHaveLength(4);
    expect(events).not.toContain('claim 32 1');
    finish[2]!();
    await pause();
    expect(events.slice(-3)).toEqual(['claim 32 1', 'run 32', 'end 32']);
    await runner.run(['33']);
    await pause();
    expect(events.slice(-3)).toEqual(['claim 33 1', 'run 33', 'end 33']);
    const drained = runner.drain().then(() => events.push('drained'));
    for (const index of [0, 1]) finish[index]!();
    await pause();
    expect(events).not.toContain('drained');
    finish[3]!();
    await drained;
  });

  it('runs rows with two crashes one after another while no other row of the process runs', async () => {
    free = new Set(['x', 'y']);
    suspects = new Map([
      ['a', 2],
      ['b', 2],
      ['c', 2],
    ]);
    const [finishX, finishA] = [hold('x'), hold('a')];
    const running = makeRunner().run(['x']);
    await runner.run(['a', 'b']);
    await pause();
    expect(events).not.toContain('claim a any');
    finishX();
    await running;
    await pause();
    const later = makeRunner().run(['y']);
    await runner.runSuspectsOf(['c']);
    await pause();
    expect(events.slice(-3)).toEqual(['claim a any', 'run a', 'suspects c']);
    finishA();
    await Promise.all([later, runner.drain()]);
    expect(events.slice(events.indexOf('end a'))).toEqual([
      'end a',
      ...['quiet', 'claim b any', 'run b', 'end b'],
      ...['quiet', 'claim c any', 'run c', 'end c'],
      ...['claim y 0', 'run y', 'end y'],
    ]);
  });

  it('lets other rows run when rows with two crashes have run for long', async () => {
    free = new Set(['y']);
    suspects = new Map([
      ['a', 2],
      ['b', 2],
    ]);
    const finishA = hold('a');
    await runner.run(['a', 'b']);
    await pause();
    const later = makeRunner().run(['y']);
    endSeries();
    await pause();
    finishA();
    await Promise.all([later, runner.drain()]);
    const afterA = events.slice(events.indexOf('end a')).filter((event) => event !== 'suspects b');
    expect(afterA).toEqual([
      'end a',
      ...['claim y 0', 'run y', 'end y'],
      ...['quiet', 'claim b any', 'run b', 'end b'],
    ]);
  });

  it('does not isolate for rows that another process has run meanwhile', async () => {
    free = new Set(['x']);
    suspects = new Map([
      ['a', 2],
      ['b', 2],
    ]);
    const finishA = hold('a');
    await runner.run(['a', 'b']);
    await pause();
    endSeries();
    await pause();
    suspects.delete('b');
    finishA();
    await runner.drain();
    expect(events.slice(events.indexOf('end a'))).toEqual(['end a', 'suspects b']);
    // It may be lined up again later.
    suspects.set('b', 2);
    await runner.run(['b']);
    await runner.drain();
    expect(events.at(-1)).toBe('end b');
  });

  it('lines up a suspect once that two jobs name at the same time', async () => {
    suspects = new Map([['a', 1]]);
    await Promise.all([runner.runSuspectsOf(['a']), runner.runSuspectsOf(['a'])]);
    await runner.drain();
    expect(events.filter((event) => event === 'run a')).toHaveLength(1);
  });

  it('lets an isolated row run the rows that it opens', async () => {
    free = new Set(['inner']);
    suspects = new Map([['a', 2]]);
    const inner = makeRunner();
    await isolation.isolate(() => inner.runWithin(['inner']).then(() => false));
    expect(events).toEqual(['quiet', 'claim inner 0', 'run inner', 'end inner']);
  });

  it('does not line up a suspect that waits already', async () => {
    const ids = Array.from({ length: 33 }, (_, index) => `${index}`);
    suspects = new Map(ids.map((id) => [id, 1]));
    const finish = [0, 8, 16, 24].map((from) => hold(ids.slice(from, from + 8).join()));
    await runner.run(ids);
    await runner.run(['32']);
    for (const end of finish) end();
    await runner.drain();
    expect(events.filter((event) => event === 'claim 32 1')).toHaveLength(1);
  });

  it('does not line up a suspect that waits until an isolated row has run', async () => {
    suspects = new Map([['a', 1]]);
    let finish = (): void => undefined;
    const isolated = isolation.isolate(() => new Promise((resolve) => (finish = () => resolve(false))));
    await pause();
    await runner.runSuspectsOf(['a']);
    await runner.runSuspectsOf(['a']);
    finish();
    await isolated;
    await runner.drain();
    expect(events.filter((event) => event === 'claim a 1')).toHaveLength(1);
  });

  it('runs a suspect that could not be claimed when it is offered again', async () => {
    suspects = new Map([['a', 1]]);
    claimFailure = new Error('away');
    await runner.runSuspectsOf(['a']);
    await runner.drain();
    claimFailure = undefined;
    await runner.runSuspectsOf(['a']);
    await runner.drain();
    expect(events).toEqual(['suspects a', 'claim a 1', 'error a: away', 'suspects a', 'claim a 1', 'run a', 'end a']);
  });

  it('runs only the suspects of rows that were offered after a crash', async () => {
    free = new Set(['a']);
    suspects = new Map([['b', 1]]);
    await runner.runSuspectsOf(['a', 'b']);
    await runner.drain();
    expect(events).toEqual(['suspects a,b', 'claim b 1', 'run b', 'end b']);
  });

  it('reports suspects that fail and goes on with the next', async () => {
    suspects = new Map([
      ['a', 1],
      ['b', 3],
    ]);
    failure = { ids: 'a', error: new Error('no database') };
    await runner.run(['a', 'b']);
    await runner.drain();
    expect(events).toContain('error a: no database');
    expect(events.at(-1)).toBe('end b');
  });

  it('rejects when a batch fails, and looks for no suspects then', async () => {
    free = new Set(['a']);
    suspects = new Map([['b', 1]]);
    failure = { ids: 'a', error: new Error('no database') };
    await expect(runner.run(['a', 'b'])).rejects.toThrow('no database');
    expect(events).toEqual(['claim a,b 0', 'run a']);
  });
});
