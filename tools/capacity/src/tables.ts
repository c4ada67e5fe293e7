import type { Figures } from './figures';
import { type Cost, type Load, planFor } from './plan';

const RATES = [1_000, 5_000, 20_000, 100_000];

/** The tables of docs/capacity.md: the cost of a notification, and the plans for some loads. */
export function tables({ costs, at, machine }: Figures, load: Omit<Load, 'rate'>): string {
  const rows: [string, Cost][] = [
    ['in-app, in bulk', costs.in_app],
    ['email, in bulk', costs.email],
    ['email, a call for each', costs.lone],
  ];
  const ms = (seconds: number): string => (seconds * 1000).toFixed(3);
  const kib = (count: number): string => (count / 1024).toFixed(1);
  const plans = RATES.map((rate) => ({ rate, ...planFor({ ...load, rate }, costs) }));
  const podsOf = (role: string): string =>
    plans.map(({ roles }) => String(roles.find((one) => one.role === role)!.pods)).join(' | ');
  return [
    `Ours, measured ${at.slice(0, 10)} on ${machine.processors} x ${machine.model}, ` +
      `Node ${machine.node.replace('v', '')}, for one notification:`,
    '',
    '| | gateway ms | engine ms | worker ms | Postgres ms | Redis ms | KiB stored | KiB of log | bytes in the queue |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ([name, cost]) =>
        `| ${name} | ${ms(cost.gateway)} | ${ms(cost.engine)} | ${ms(cost.worker)} | ` +
        `${ms(cost.postgres)} | ${ms(cost.redis)} | ` +
        `${kib(cost.databaseBytes)} | ${kib(cost.walBytes)} | ${Math.round(cost.queueBytes)} |`,
    ),
    '',
    `A worker had ${costs.callsAtOnce.toFixed(1)} calls at a time under way to one account. ` +
      'With these, 70 % email and 30 % in-app, and all options',
    'as they are:',
    '',
    `| notifications/s | ${plans.map(({ rate }) => rate.toLocaleString('en')).join(' | ')} |`,
    `| --- | ${plans.map(() => '---').join(' | ')} |`,
    ...['gateway', 'engine', 'worker-email', 'worker-in-app'].map((role) => `| ${role} pods | ${podsOf(role)} |`),
    `| Postgres cores | ${plans.map(({ postgres }) => postgres.cores.toFixed(1)).join(' | ')} |`,
    `| Postgres log, MiB/s | ${plans
      .map(({ postgres }) => (postgres.walBytesPerSecond / 2 ** 20).toFixed(0))
      .join(' | ')} |`,
    `| stored a day, GiB | ${plans.map(({ postgres }) => (postgres.bytesPerDay / 2 ** 30).toFixed(0)).join(' | ')} |`,
    `| Redis cores | ${plans.map(({ redis }) => redis.cores.toFixed(2)).join(' | ')} |`,
  ].join('\n');
}
