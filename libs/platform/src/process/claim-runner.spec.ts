import { ClaimRunner } from './claim-runner';

type Row = { id: string };

describe('ClaimRunner', () => {
  let free: Set<string>;
  let suspects: Set<string>;
  let events: string[];
  /** Promises that `run` waits for, by the ids of its rows. */
  let gates: Map<string, Promise<void>>;
  let failure: { ids: string; error: Error } | undefined;
  let runner: ClaimRunner<Row>;

  beforeEach(() => {
    free = new Set();
    suspects = new Set();
    events = [];
    gates = new Map();
    failure = undefined;
    runner = new ClaimRunner<Row>({
      claim: (ids, alone) => {
        events.push(`claim ${ids.join()}${alone ? ' alone' : ''}`);
        const claimed = ids.filter((id) => free.has(id) || (alone && suspects.has(id)));
        return Promise.resolve(claimed.map((id) => ({ id })));
      },
      suspects: (ids) => {
        events.push(`suspects ${ids.join()}`);
        return Promise.resolve(ids.filter((id) => suspects.has(id)));
      },
      run: async (rows, alone) => {
        const ids = rows.map(({ id }) => id).join();
        events.push(`run ${ids}${alone ? ' alone' : ''}`);
        await gates.get(ids);
        if (failure?.ids === ids) throw failure.error;
      },
      onError: (error, id) => void events.push(`error ${id}: ${(error as Error).message}`),
    });
  });

  it('runs all rows in one batch and does not ask for suspects when every row was claimed', async () => {
    free = new Set(['a', 'b']);
    await runner.run(['a', 'b']);
    expect(events).toEqual(['claim a,b', 'run a,b']);
  });

  it('runs nothing when no row could be claimed and none is a suspect', async () => {
    await runner.run(['a', 'b']);
    await runner.drain();
    expect(events).toEqual(['claim a,b', 'suspects a,b']);
  });

  it('runs suspects one at a time, after the rest of the batch', async () => {
    free = new Set(['a', 'd']);
    suspects = new Set(['b', 'c']);
    await runner.run(['a', 'b', 'c', 'd']);
    await runner.drain();
    expect(events).toEqual([
      'claim a,b,c,d',
      'run a,d',
      'suspects b,c',
      'claim b alone',
      'run b alone',
      'claim c alone',
      'run c alone',
    ]);
  });

  it('starts no suspect before the one before it has finished, across batches', async () => {
    suspects = new Set(['a', 'b']);
    let finish = (): void => undefined;
    gates.set('a', new Promise((resolve) => (finish = resolve)));
    await runner.run(['a']);
    await runner.run(['b']);
    await new Promise(setImmediate);
    expect(events).not.toContain('claim b alone');
    finish();
    await runner.drain();
    expect(events.slice(-2)).toEqual(['claim b alone', 'run b alone']);
  });

  it('skips a suspect that another process has claimed meanwhile', async () => {
    suspects = new Set(['a', 'b']);
    let finish = (): void => undefined;
    gates.set('a', new Promise((resolve) => (finish = resolve)));
    await runner.run(['a', 'b']);
    suspects.clear();
    finish();
    await runner.drain();
    expect(events.at(-1)).toBe('claim b alone');
  });

  it('reports a suspect that fails and goes on with the next', async () => {
    suspects = new Set(['a', 'b']);
    failure = { ids: 'a', error: new Error('no database') };
    await runner.run(['a', 'b']);
    await runner.drain();
    expect(events.slice(-3)).toEqual(['error a: no database', 'claim b alone', 'run b alone']);
  });

  it('rejects when a batch fails, and looks for no suspects then', async () => {
    free = new Set(['a']);
    suspects = new Set(['b']);
    failure = { ids: 'a', error: new Error('no database') };
    await expect(runner.run(['a', 'b'])).rejects.toThrow('no database');
    expect(events).toEqual(['claim a,b', 'run a']);
  });
});
