import type { EnvironmentMatchDto, ErrorListDto, StuckListDto, UsageDto } from '@clarion/contracts';
import { LIMITS, USAGE_GROUPS } from '@clarion/contracts/core';
import { command, UsageError } from '../command';
import type { Output, Row } from '../output';
import { ENVIRONMENT, oneOf, ORGANIZATION, wantedEnvironments, wantedIds } from '../selection';
import { MOMENT, readMoment } from '../times';
import type { Tools } from '../tools';

const SHOWN = 20;
const LIMIT = { limit: { value: '<number>' } } as const;

export const WORK = [
  command({
    name: 'top',
    options: { by: { value: USAGE_GROUPS.join('|') }, ...ENVIRONMENT, ...ORGANIZATION, ...LIMIT },
    about: 'who and what uses the system now',
    canWatch: true,
    async run({ open, output, options, isJson }) {
      const by = oneOf('by', options.by, USAGE_GROUPS) ?? 'environment';
      const limit = readLimit(options.limit, SHOWN);
      const tools = await open();
      const { data } = await (await operations(tools)).top(await wantedIds(tools, options), { by, limit });
      if (isJson) return output.json(data);
      output.table(
        data.map((row) => usageRow(by, row)),
        'Nothing was accepted in the last minutes, and nothing is open.',
      );
    },
  }),
  command({
    name: 'stuck',
    options: { 'older-than': { value: '<duration>' }, ...ENVIRONMENT, ...ORGANIZATION, ...LIMIT },
    about: 'open work that waits longer than a minute: for what, and what to do; 1 if there is any',
    canWatch: true,
    async run({ open, output, options, isJson }) {
      const olderThan = (Date.now() - readMoment('older-than', options['older-than'] ?? '1m').getTime()) / 1000;
      const limit = readLimit(options.limit, SHOWN);
      const tools = await open();
      const stuck = await (await operations(tools)).stuck(await wantedIds(tools, options), { olderThan, limit });
      if (isJson) output.json(stuck);
      else showStuck(output, stuck);
      return stuck.total > 0 ? 1 : 0;
    },
  }),
  command({
    name: 'errors',
    options: { since: { value: MOMENT }, ...ENVIRONMENT, ...ORGANIZATION },
    about: 'failures of the last hour by provider, code and reason, with the people they touch',
    canWatch: true,
    async run({ open, output, options, isJson }) {
      const since = readMoment('since', options.since ?? '1h');
      const tools = await open();
      const environments = await wantedEnvironments(tools, options);
      const errors = await (await operations(tools)).errors(environments, since);
      if (isJson) return output.json(errors);
      showErrors(output, errors);
    },
  }),
  command({
    name: 'lookup',
    arguments: ['id'],
    options: { ...ENVIRONMENT, ...ORGANIZATION },
    about: 'what has this id: of a notification, message, transaction, subscriber, request, trace, ...; 1 if nothing',
    async run({ open, output, options, isJson, arguments: [id] }) {
      const tools = await open();
      const environments = await wantedEnvironments(tools, options);
      const { data } = await (await operations(tools)).lookup(environments, id!.trim());
      if (isJson) output.json(data);
      else showMatches(output, data);
      return data.length > 0 ? 0 : 1;
    },
  }),
];

const operations = async ({ database }: Tools) =>
  (await import('@clarion/gateway/command-line')).workOperationsOf(database);

function readLimit(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.stuckRows) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${LIMITS.stuckRows}`);
}

function usageRow(by: string, row: UsageDto): Row {
  return {
    ...((by === 'workflow' || by === 'integration') && { environment: row.environment }),
    [by]: row.name,
    'per s': row.acceptedPerSecond.toFixed(1),
    'per s, 5 min': row.acceptedPerSecond5m.toFixed(1),
    share: `${Math.round(row.share * 100)} %`,
    'failed, 5 min': row.failed5m,
    due: row.due,
    oldest: row.oldestDueSeconds === null ? null : duration(row.oldestDueSeconds),
    running: row.running,
    delayed: row.delayed,
    held: row.held,
    ...(by === 'integration' && { state: row.state ?? 'closed' }),
  };
}

function showStuck(output: Output, { data, total, counts, roles }: StuckListDto): void {
  if (total === 0) return output.line('Nothing waits longer than expected.');
  for (const row of data) {
    output.line(
      `${duration(row.waitedSeconds)}  ${row.environment}  ${row.workflowId ?? 'unknown workflow'}  ${row.type}` +
        `${row.subscriberId === null ? '' : ` to ${row.subscriberId}`}  ${row.reason}`,
    );
    output.line(`    waits for ${row.waitsFor}`);
    output.line(`    do: ${row.advice}`);
    output.line(
      `    ${row.type === 'trigger' ? 'trigger' : 'step'} ${row._id}, since ${row.since}, ${row.transactionId}`,
    );
  }
  output.line();
  output.line(`${total} in all: ${counts.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`);
  const running = roles.filter(({ role }) => !['cli', 'start', 'gateway'].includes(role)).map(({ role }) => role);
  output.line(`Connected to Postgres: ${running.join(', ') || 'no engine and no worker'}`);
}

function showErrors(output: Output, { data, since, isBounded }: ErrorListDto): void {
  output.table(
    data.map((group) => ({
      environment: group.environment,
      channel: group.channel,
      provider: group.providerId,
      code: group.code ?? group.outcome,
      messages: group.count,
      people: group.people,
      'reached otherwise': group.reachedOtherwise,
      first: group.firstAt,
      last: group.lastAt,
      sample: group.sampleNotificationId,
      reason: group.reason,
    })),
    `Nothing failed since ${since}.`,
  );
  if (isBounded) output.line(`An environment has more: its newest ${LIMITS.searchedHistory} failed steps were read.`);
}

function showMatches(output: Output, matches: EnvironmentMatchDto[]): void {
  if (matches.length === 0) return output.line('Nothing has this id.');
  for (const { kind, _id, title, environment, notification } of matches) {
    output.line(`${kind} ${_id} in ${environment}: ${title}`);
    if (!notification) continue;
    const { _id: id, outcome, createdAt, transactionId, workflow, subscriber } = notification;
    output.line(
      `    notification ${id}, ${outcome}, ${workflow?.workflowId ?? 'removed workflow'} to ` +
        `${subscriber?.subscriberId ?? 'deleted subscriber'}, made ${createdAt}, transaction ${transactionId}`,
    );
    for (const step of notification.steps) {
      const provider = step.providerId === null ? '' : ` (${step.providerId})`;
      output.line(`    ${step.type}${provider}: ${step.outcome}${step.reason ? `, ${step.reason}` : ''}`);
    }
  }
}

/** The largest two units: `2h 5m`. */
function duration(seconds: number): string {
  const parts = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
    [1, 's'],
  ] as const;
  const first = Math.max(
    parts.findIndex(([length]) => seconds >= length),
    0,
  );
  let left = seconds;
  return parts
    .map(([length, unit]) => {
      const count = Math.floor(left / length);
      left -= count * length;
      return `${count}${unit}`;
    })
    .slice(seconds === 0 ? 3 : first, first + 2)
    .join(' ');
}
