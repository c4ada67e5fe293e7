import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type JsonObject, tenantShare } from '@clarion/contracts';
import { until } from '@clarion/testing';
import { TemplateRenderer } from './template-renderer';

/** Takes tens of milliseconds, far less than the time limit of these specs. */
const HEAVY = '{% for a in (1..150) %}{% for b in (1..150) %}{% endfor %}{% endfor %}{{ n }}';
const NEVER_ENDS = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
const JOBS = 16;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('RenderProcesses', () => {
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

  /** Counts the processes that this process started and that have this nice value. */
  function processesWithNice(nice: number): number {
    const lines = execFileSync('ps', ['-A', '-o', 'ppid=,ni='], { encoding: 'utf8' }).split('\n');
    return lines.filter((line) => line.trim().split(/\s+/).join() === `${process.pid},${nice}`).length;
  }

  /** The pids of the render processes that this process, or another one, started. */
  function childrenOf(parent = process.pid): number[] {
    const lines = execFileSync('ps', ['-A', '-ww', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
    const own = lines.filter((line) => line.includes('render-process.js') && Number.parseInt(line, 10) === parent);
    return own.map((line) => Number(line.trim().split(/\s+/)[1]));
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
    'lets an environment wait for only a few jobs of another environment, with %i process(es)',
    async (processes) => {
      const one = renderer({ processes });
      const flood = Array.from({ length: JOBS }, (_, n) => one.render(item('a', HEAVY, { n })));
      const before = await doneBefore(flood, () => one.render(item('b', 'Hello {{n}}', { n: 1 })));
      expect(before).toBeLessThanOrEqual(3);
    },
  );

  it('interleaves another environment with a large batch of one call', async () => {
    const one = renderer({ processes: 1 });
    await one.renderMany([item('a', 'fast {{n}}')]);
    let floodIsDone = false;
    const flood = one
      .renderMany(Array.from({ length: JOBS }, (_, n) => item('a', HEAVY, { n })))
      .then(() => (floodIsDone = true));
    await one.render(item('b', 'Hello {{n}}'));
    expect(floodIsDone).toBe(false);
    await flood;
  });

  it('refuses a job whose variables are nested deeper than the stack reaches, and goes on with the others', async () => {
    const one = renderer({ processes: 1 });
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const bodies = [item('a', HEAVY, { n: 1 }), item('a', HEAVY, { deep }), item('b', HEAVY, { n: 2 })];
    const results = await Promise.all(bodies.map((body) => one.render(body)));
    const message = expect.stringContaining('cannot be written as JSON');
    expect(results).toEqual([
      { ok: true, controls: { body: '1' } },
      { ok: false, fault: { path: 'body', message } },
      { ok: true, controls: { body: '2' } },
    ]);
  });

  it('shares render time, not the number of jobs, between two busy environments', async () => {
    const one = renderer({ processes: 1 });
    const flood = Array.from({ length: JOBS }, (_, n) => one.render(item('a', HEAVY, { n })));
    const before = await doneBefore(flood, () =>
      one.renderMany(Array.from({ length: 500 }, (_, n) => item('b', 'Hello {{n}}', { n }))),
    );
    expect(before).toBeLessThan(JOBS / 2);
  });

  it('reserves a process from an environment whose jobs are slow', async () => {
    const one = renderer({ processes: 2 });
    await one.render(item('a', HEAVY));
    const endless = [1, 2, 3].map((n) => one.render(item('a', NEVER_ENDS + n)).catch(() => 'closed'));
    // Environment B is served although environment A has work for every process, for as long as it lasts.
    for (let n = 0; n < 20; n += 1) {
      expect(await one.render(item('b', 'Hello {{n}}', { n }))).toEqual({ ok: true, controls: { body: `Hello ${n}` } });
    }
    await one.close();
    // On a slow machine the first job may have reached its memory limit already.
    expect(await Promise.all(endless)).toContain('closed');
  });

  it('reserves a process from an environment that had a job terminated, even when its other jobs are fast', async () => {
    const one = renderer({ processes: 2, timeLimitMs: 800 });
    expect(await one.render(item('a', NEVER_ENDS))).toMatchObject({
      fault: { message: expect.stringContaining('took longer than 800 ms') },
    });
    await one.renderMany(Array.from({ length: 200 }, (_, n) => item('a', 'fast {{n}}', { n })));
    const endless = [1, 2, 3].map((n) => one.render(item('a', NEVER_ENDS + n)).then(() => 'ended'));
    const first = await Promise.race([...endless, one.render(item('b', 'Hello {{n}}')).then(() => 'served')]);
    expect(first).toBe('served');
    await Promise.all(endless);
  });

  it('lowers the priority only of the process that runs slow jobs', async () => {
    const one = renderer({ processes: 2, slowNice: 7 });
    await one.render(item('b', 'Hello {{n}}'));
    expect(processesWithNice(7)).toBe(0);
    // The first jobs make the environment known as slow. The other process works too, or it would end on a slow machine.
    for (let n = 0; n < 4; n += 1) {
      await one.render(item('a', HEAVY.repeat(8), { n }));
      await one.render(item('b', 'Hello {{n}}'));
    }
    expect(processesWithNice(7)).toBe(1);
  });

  it('rejects a repeatedly too costly text only in the environment that it belongs to', async () => {
    const one = renderer({ timeLimitMs: 300, processes: 1 });
    const sometimes = `{% if slow %}${NEVER_ENDS}{% else %}fast{% endif %}`;
    for (let strike = 0; strike < 3; strike += 1) await one.render(item('a', sometimes, { slow: true }));
    expect(await one.render(item('a', sometimes))).toMatchObject({ ok: false });
    expect(await one.render(item('b', sometimes))).toEqual({ ok: true, controls: { body: 'fast' } });
  });

  it('gives the remaining jobs a fault when the time limit of the call is used up', async () => {
    const one = renderer({ callLimitMs: 1, processes: 1 });
    const rendered = await one.renderMany(Array.from({ length: 10 }, (_, n) => item('a', HEAVY, { n })));
    expect(rendered[0]).toMatchObject({ ok: true });
    expect(rendered.at(-1)).toEqual({
      ok: false,
      fault: { path: 'body', message: 'is too costly: the request took more than 1 ms' },
    });
    expect((await one.render(item('a', 'the next call: {{n}}'))).ok).toBe(true);
  });

  it('rejects jobs with Retry-After only for the environment that has used up its budget', async () => {
    const one = renderer({
      budget: { share: tenantShare({ environment: 1, organization: 1, gateway: 1_000 }), burstMs: 10 },
    });
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
    expect(one.overBudget('a')).toEqual({ waitMs: expect.any(Number) as number, msPerSecond: 1, level: 'environment' });
    expect(one.overBudget('b')).toBeUndefined();
    expect((await one.render(item('a', 'Hello {{n}}'))).ok).toBe(true);
    one.setBudgets(new Map());
    expect(one.overBudget('a')).toBeUndefined();
  });

  it('names only the text that does not end, also in a batch of jobs that are known to be fast', async () => {
    const one = renderer({ processes: 1, timeLimitMs: 400 });
    await one.render(item('a', 'known {{n}}{% if n %}{% endif %}'));
    const batch = await one.renderMany([
      item('a', '{% if true %}first{% endif %}'),
      { environmentId: 'a', controls: { subject: '{{n}}', data: { body: NEVER_ENDS } }, variables: {} },
      item('a', '{% if true %}last{% endif %}'),
    ]);
    expect(batch).toEqual([
      { ok: true, controls: { body: 'first' } },
      { ok: false, fault: { path: 'data.body', message: 'is too costly: took longer than 400 ms' } },
      { ok: true, controls: { body: 'last' } },
    ]);
  });

  it('runs a job again once whose process was killed from outside', async () => {
    const one = renderer({ processes: 1 });
    await one.render(item('a', 'known {{n}}{% if n %}{% endif %}'));
    const rendering = one.render(item('a', HEAVY.repeat(5), { n: 1 }));
    for (const pid of childrenOf()) process.kill(pid, 'SIGKILL');
    expect(await rendering).toEqual({ ok: true, controls: { body: '1'.repeat(5) } });
  });

  it('ends its processes when its own process is killed', async () => {
    const script = `
      const { TemplateRenderer } = require(${JSON.stringify(join(__dirname, '..', 'dist', 'template-renderer.js'))});
      setInterval(() => undefined, 1000);
      new TemplateRenderer().render({ environmentId: 'e', controls: { body: '{{a}}' }, variables: {} })
        .then(() => process.stdout.write('rendered'));`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(parent.stdout, 'data');
    const children = childrenOf(parent.pid);
    expect(children).toHaveLength(1);
    parent.kill('SIGKILL');
    await until(() => !isRunning(children[0]!));
  });

  it('completes every job of many environments in order', async () => {
    const one = renderer({ processes: 2 });
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
