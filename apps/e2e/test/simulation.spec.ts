import { simulate } from './simulation/simulate';

it('runs', async () => {
  const from = Number(process.env['FROM'] ?? 1);
  const count = Number(process.env['COUNT'] ?? 200);
  const begin = performance.now();
  const kinds = new Map<string, number[]>();
  const total: Record<string, number> = {};
  for (let seed = from; seed < from + count; seed += 1) {
    const { problems, seen } = await simulate(seed);
    for (const [k, v] of Object.entries({
      ...seen.ended,
      calls: seen.calls,
      resent: seen.resent,
      quarantined: seen.quarantined,
    }))
      total[k] = (total[k] ?? 0) + v;
    if (problems.length) {
      const kind = problems[0]!.replace(/[0-9a-f]{8}-\S+/g, '#').replace(/\d+/g, 'N');
      kinds.set(kind, [...(kinds.get(kind) ?? []), seed]);
    }
  }
  const ms = performance.now() - begin;
  process.stdout.write(`cpu ${process.cpuUsage().user / 1000 / count}\n`);
  process.stdout.write(`${ms / count} ms per seed\n${JSON.stringify(total)}\n`);
  for (const [k, s] of kinds) process.stdout.write(`${s.length}x ${k} e.g. ${s.slice(0, 5)}\n`);
  if (process.env['ONE']) {
    const { trace, problems } = await simulate(Number(process.env['ONE']), { tracing: true });
    process.stdout.write(trace + '\n' + problems.join('\n') + '\n');
  }
}, 600_000);
