import type { EnvironmentMatchDto, ErrorListDto, StuckListDto, UsageDto } from '@clarion/contracts';
import { LIMITS, shellWord, USAGE_GROUPS } from '@clarion/contracts/core';
import { command, UsageError } from '../command';
import type { Output, Row } from '../output';
import { ENVIRONMENT, oneOf, ORGANIZATION, wantedEnvironments, wantedIds } from '../selection';
import { durationOf, MOMENT, readMoment } from '../times';
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
      const { data, isBounded } = await (await operations(tools)).top(await wantedIds(tools, options), { by, limit });
      if (isJson) return output.json(data);
      output.table(
        data.map((row) => usageRow(by, row)),
        'Nothing was accepted in the last minutes, and nothing is open.',
      );
      if (isBounded)
        output.line('More work is open than was counted: due, waiting, running, delayed and held are too small.');
    },
  }),
  command({
    name: 'stuck',
    options: { 'older-than': { value: '<duration>' }, ...ENVIRONMENT, ...ORGANIZATION, ...LIMIT },
    about:
      'open work that waits longer than a minute: for what, and what to do; the longest wait of each kind, with ' +
      '--json single rows; 1 if there is any',
    canWatch: true,
    async run({ open, output, options, isJson }) {
      const olderThan = (Date.now() - readMoment('older-than', options['older-than'] ?? '1m').getTime()) / 1000;
      const limit = readLimit(options.limit, SHOWN);
      const tools = await open();
      const stuck = await (await operations(tools)).stuck(await wantedIds(tools, options), { olderThan, limit }, 'all');
      if (isJson) output.json(stuck);
      else showStuck(output, stuck);
      return stuck.total > 0 ? 1 : 0;
    },
  }),
  command({
    name: 'errors',
    options: { since: { value: MOMENT }, ...ENVIRONMENT, ...ORGANIZATION },
    about:
      'failures of the last hour by provider, code and reason, with the people they touch, also those that were ' +
      'replayed since, and what is tried again',
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
      const { data } = await (await operations(tools)).lookup(environments, id!.trim(), 'all');
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
    oldest: row.oldestDueSeconds === null ? null : durationOf(row.oldestDueSeconds),
    waiting: row.waiting,
    running: row.running,
    delayed: row.delayed,
    held: row.held,
    ...(by === 'integration' && { state: stateOf(row) }),
  };
}

/** A closed circuit breaker lets calls through, which the word alone does not say. */
function stateOf({ state, stateSince, stateReason }: UsageDto): string {
  if (state === null || state === 'closed') return 'calls are allowed';
  return `${state} since ${stateSince}${stateReason === null ? '' : `: ${stateReason}`}`;
}

function showStuck(output: Output, { data, total, counts, roles, isBounded }: StuckListDto): void {
  if (total === 0) return output.line('Nothing waits longer than expected.');
  const first = new Map<string, StuckListDto['data'][number]>();
  for (const row of data) {
    const kind = JSON.stringify([
      ...[row.reason, row.environmentId, row.workflowId, row.type, row.alike],
      // Each hold is a kind, with a command that resumes it.
      ...(row.reason === 'held' ? [row.waitsFor] : []),
    ]);
    if (!first.has(kind)) first.set(kind, row);
  }
  for (const row of first.values()) {
    output.line(
      `${durationOf(row.waitedSeconds)}  ${row.environment}  ${row.workflowId ?? 'unknown workflow'}  ${row.type}` +
        `${row.subscriberId === null ? '' : ` to ${row.subscriberId}`}  ${row.reason}` +
        `${row.alike === 1 ? '' : `, and ${row.alike - 1} like it`}`,
    );
    output.line(`    waits for ${row.waitsFor}`);
    output.line(`    do: ${row.advice}`);
    output.line(
      `    ${row.type === 'trigger' ? 'trigger' : 'step'} ${row._id}, since ${row.since}, ${row.transactionId}`,
    );
  }
  output.line();
  const reasons = counts.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  output.line(`${isBounded ? 'At least ' : ''}${total} in all: ${reasons}`);
  const running = roles.filter(({ role }) => !['cli', 'start', 'gateway'].includes(role)).map(({ role }) => role);
  const names = running.map((role) => (role === 'roles' ? 'a process with all roles' : role));
  output.line(`Connected to Postgres: ${names.join(', ') || 'no engine and no worker'}`);
}

function showErrors(output: Output, { data, retrying, since, isBounded }: ErrorListDto): void {
  output.table(
    data.map((group) => ({
      environment: group.environment,
      channel: group.channel,
      provider: group.providerId,
      code: group.code ?? group.outcome,
      messages: group.count,
      people: group.people,
      'reached otherwise': group.reachedOtherwise,
      replayed: group.isReplayed ? `${group.recovered} recovered` : null,
      first: group.firstAt,
      last: group.lastAt,
      sample: group.sampleNotificationId,
      reason: group.reason,
    })),
    `Nothing failed since ${since}.`,
  );
  if (isBounded) output.line(`An environment has more: its newest ${LIMITS.searchedHistory} failed steps were read.`);
  if (retrying.length === 0) return;
  output.line();
  output.line('Not failed yet, tried again:');
  output.table(
    retrying.map((group) => ({
      environment: group.environment,
      channel: group.channel,
      provider: group.providerId,
      messages: group.count,
      people: group.people,
      next: group.nextAt,
      sample: group.sampleNotificationId,
      reason: group.reason,
    })),
  );
}

/** Lists the notifications of the last day. */
const TAIL = 'npm run clarion -- tail --since 24h --until 0s';

/** The end of a page of the dashboard names what the page is about. */
const nameOf = (path: string): string => decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));

function showMatches(output: Output, matches: EnvironmentMatchDto[]): void {
  if (matches.length === 0) return output.line('Nothing has this id.');
  for (const { kind, _id, title, environment, environmentId, path, notification, hasMore, waiting } of matches) {
    const all = `${TAIL} --environment ${environmentId}`;
    output.line(`${kind} ${_id} in ${environment}: ${title}`);
    if (kind === 'subscriber') output.line(`    all that was sent: ${all} --subscriber ${shellWord(nameOf(path))}`);
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
    for (const { type, waitsFor, advice, waitedSeconds } of waiting) {
      output.line(`    ${type} waits for ${waitsFor}, for ${durationOf(waitedSeconds)}`);
      output.line(`        do: ${advice}`);
    }
    if (hasMore) {
      output.line(`    This is the newest of several; all: ${all} --transaction ${shellWord(transactionId ?? _id)}`);
    }
  }
}
