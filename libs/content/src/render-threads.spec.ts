import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '@clarion/contracts';
import { TemplateRenderer } from './template-renderer';

/** Takes tens of milliseconds, far less than the time limit of these specs. */
const HEAVY = '{% for a in (1..150) %}{% for b in (1..150) %}{% endfor %}{% endfor %}{{ n }}';
const NEVER_ENDS = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
const JOBS = 40;

describe('RenderThreads', () => {
  const renderers: TemplateRenderer[] = [];
  const renderer = (...[limits]: ConstructorParameters<typeof TemplateRenderer>): TemplateRenderer => {
    renderers.push(new TemplateRenderer({ timeLimitMs: 20_000, ...limits }));
    return renderers.at(-1)!;
  };
  afterEach(async () => {
    await Promise.all(renderers.splice(0).map((one) => one.close()));
  });

  const item = (environmentId: string, body: string, variables: JsonObject = {}) => ({
    environmentId,
    controls: { body },
    variables,
  });

  /** Counts the threads of this process with this nice value; only Linux has a priority per thread. */
  function threadsWithNice(nice: number): number {
    if (process.platform !== 'linux') return 0;
    const values = readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      // The name in parentheses may hold spaces; the nice value is the 17th field after it.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    });
    return values.filter((value) => value === nice).length;
  }

  /** How many jobs of environment A finish before the one job of B that was queued behind all of them. */
  async function doneBefore(jobsOfA: Promise<unknown>[], jobOfB: () => Promise<unknown>) {
    let done = 0;
    for (const job of jobsOfA) void job.then(() => (done += 1));
    await jobOfB();
    const before = done;
    await Promise.all(jobsOfA);
    return before;
  }

  it.each([1, 2])(
    'lets an environment wait for only a few jobs of another environment, with %i thread(s)',
    async (threads) => {
      const one = renderer({ threads });
      const flood = Array.from({ length: JOBS }, (_, n) => one.render(item('a', HEAVY, { n })));
      const before = await doneBefore(flood, () => one.render(item('b', 'Hello {{n}}', { n: 1 })));
      expect(before).toBeLessThanOrEqual(3);
    },
  );

  it('interleaves another environment with a large batch of one call', async () => {
    const one = renderer({ threads: 1 });
    await one.renderMany([item('a', 'fast {{n}}')]);
    let floodIsDone = false;
    const flood = one
      .renderMany(Array.from({ length: JOBS }, (_, n) => item('a', HEAVY, { n })))
      .then(() => (floodIsDone = true));
    await one.render(item('b', 'Hello {{n}}'));
    expect(floodIsDone).toBe(false);
    await flood;
  });

  it('shares thread time, not the number of jobs, between two busy environments', async () => {
    const one = renderer({ threads: 1 });
    const flood = Array.from({ length: JOBS }, (_, n) => one.render(item('a', HEAVY, { n })));
    const before = await doneBefore(flood, () =>
      one.renderMany(Array.from({ length: 500 }, (_, n) => item('b', 'Hello {{n}}', { n }))),
    );
    expect(before).toBeLessThan(JOBS / 2);
  });

  it('reserves a thread from an environment whose jobs are slow', async () => {
    const one = renderer({ threads: 2 });
    await one.render(item('a', HEAVY));
    const endless = [1, 2, 3].map((n) => one.render(item('a', NEVER_ENDS + n)).catch(() => 'closed'));
    // Environment B is served although environment A has work for every thread, for as long as it lasts.
    for (let n = 0; n < 20; n += 1) {
      expect(await one.render(item('b', 'Hello {{n}}', { n }))).toEqual({ ok: true, controls: { body: `Hello ${n}` } });
    }
    await one.close();
    // On a slow machine the first job may have reached its memory limit already.
    expect(await Promise.all(endless)).toContain('closed');
  });

  it('reserves a thread from an environment that had a job terminated, even when its other jobs are fast', async () => {
    const one = renderer({ threads: 2, timeLimitMs: 800 });
    expect(await one.render(item('a', NEVER_ENDS))).toMatchObject({
      fault: { message: expect.stringContaining('took longer than 800 ms') },
    });
    await one.renderMany(Array.from({ length: 200 }, (_, n) => item('a', 'fast {{n}}', { n })));
    const endless = [1, 2, 3].map((n) => one.render(item('a', NEVER_ENDS + n)).then(() => 'ended'));
    const first = await Promise.race([...endless, one.render(item('b', 'Hello {{n}}')).then(() => 'served')]);
    expect(first).toBe('served');
    await Promise.all(endless);
  });

  it('lowers the priority only of the thread that runs slow jobs', async () => {
    const one = renderer({ threads: 2, slowNice: 7 });
    await one.render(item('b', 'Hello {{n}}'));
    expect(threadsWithNice(7)).toBe(0);
    // The first jobs make the environment known as slow.
    for (let n = 0; n < 8; n += 1) await one.render(item('a', HEAVY + HEAVY + HEAVY, { n }));
    await one.render(item('b', 'Hello {{n}}'));
    expect(threadsWithNice(7)).toBe(process.platform === 'linux' ? 1 : 0);
  });

  it('rejects a repeatedly too costly text only in the environment that it belongs to', async () => {
    const one = renderer({ timeLimitMs: 300, threads: 1 });
    const sometimes = `{% if slow %}${NEVER_ENDS}{% else %}fast{% endif %}`;
    for (let strike = 0; strike < 3; strike += 1) await one.render(item('a', sometimes, { slow: true }));
    expect(await one.render(item('a', sometimes))).toMatchObject({ ok: false });
    expect(await one.render(item('b', sometimes))).toEqual({ ok: true, controls: { body: 'fast' } });
  });

  it('gives the remaining jobs a fault when the time limit of the call is used up', async () => {
    const one = renderer({ callLimitMs: 1, threads: 1 });
    const rendered = await one.renderMany(Array.from({ length: 10 }, (_, n) => item('a', HEAVY, { n })));
    expect(rendered[0]).toMatchObject({ ok: true });
    expect(rendered.at(-1)).toEqual({
      ok: false,
      fault: { path: 'body', message: 'is too costly: the request took more than 1 ms' },
    });
    expect((await one.render(item('a', 'the next call: {{n}}'))).ok).toBe(true);
  });

  it('rejects jobs with Retry-After only for the environment that has used up its budget', async () => {
    const one = renderer({ budget: { msPerSecond: 1, burstMs: 10 } });
    expect((await one.render(item('a', HEAVY))).ok).toBe(true);
    await expect(one.render(item('a', 'Hello {{n}}'))).rejects.toMatchObject({
      code: 'too_many_requests',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    expect((await one.render(item('b', 'Hello {{n}}'))).ok).toBe(true);
  });

  it('reports a budget that is used up and rejects nothing where there is no default budget', async () => {
    const one = renderer();
    one.setBudgets(new Map([['a', 1]]));
    expect((await one.render(item('a', HEAVY))).ok).toBe(true);
    expect(one.overBudget('a')).toEqual({ waitMs: expect.any(Number) as number, msPerSecond: 1 });
    expect(one.overBudget('b')).toBeUndefined();
    expect((await one.render(item('a', 'Hello {{n}}'))).ok).toBe(true);
    one.setBudgets(new Map());
    expect(one.overBudget('a')).toBeUndefined();
  });

  it('completes every job of many environments in order', async () => {
    const one = renderer({ threads: 2 });
    const environments = Array.from({ length: 50 }, (_, n) => `environment-${n}`);
    for (let round = 0; round < 3; round += 1) {
      const rendered = await one.renderMany(
        Array.from({ length: 1_000 }, (_, n) => item(environments[n % 50]!, 'Hello {{n}}', { n })),
      );
      expect(rendered).toEqual(
        Array.from({ length: 1_000 }, (_, n) => ({ ok: true, controls: { body: `Hello ${n}` } })),
      );
    }
  });
});
