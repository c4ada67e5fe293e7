import {
  EXECUTION_DETAILS,
  type ExecutionDetailDto,
  type JobDto,
  LIMITS,
  type SpanKind,
  type StuckReason,
  type WaitKind,
} from '@clarion/contracts';
import type { StuckRow } from '@clarion/persistence';
import { withoutNulls } from '../../edge/http/page';

/** What an open step waits for, by the reason that `stuck` shows. A step that a process runs waits for nothing. */
const KINDS: Record<Exclude<StuckReason, 'delayed' | 'running'>, WaitKind> = {
  held: 'hold',
  limit: 'rate_limit',
  retry: 'retry',
  provider_paused: 'breaker',
  no_integration: 'queue',
  lease_ended: 'queue',
  in_doubt: 'queue',
  crashed: 'queue',
  unclaimed: 'queue',
  not_offered: 'queue',
};

const OPEN: ReadonlySet<string> = new Set(['pending', 'queued', 'running', 'delayed']);

export const isOpen = ({ status }: JobDto): boolean => OPEN.has(status);

/** Adds to each job what it waits for, and the parts of the time that it has taken. `rows` are the open steps. */
export function withWaits(jobs: JobDto[], rows: StuckRow[], createdAt: string, now: Date): JobDto[] {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return jobs.map((job) => {
    const row = rowOf.get(job._id);
    return { ...job, waitingFor: waitOf(job, row, jobs, createdAt), spans: spansOf(job, row ? now : undefined) };
  });
}

function waitOf(job: JobDto, row: StuckRow | undefined, jobs: JobDto[], createdAt: string): JobDto['waitingFor'] {
  if (row) return row.reason === 'running' ? null : waitOfRow(row, row.reason);
  if (!isOpen(job)) return null;
  // A step that was not reached has no row.
  const earlier = jobs.slice(0, jobs.indexOf(job)).findLast(isOpen);
  const reason = earlier && `The step "${earlier.step.name ?? earlier.type}" has not ended`;
  return withoutNulls({ kind: 'earlier_step' as const, since: createdAt, reason });
}

function waitOfRow(row: StuckRow, reason: Exclude<StuckReason, 'running'>): JobDto['waitingFor'] {
  const { type, since, dueAt, attempt, error, hold, health, limit, waitsForAccount } = row;
  const kind = reason === 'delayed' ? (type === 'digest' || type === 'delay' ? type : 'window') : KINDS[reason];
  const isTimed = kind !== 'hold' && kind !== 'queue' && !waitsForAccount;
  return withoutNulls({
    kind,
    since: since.toISOString(),
    until: kind === 'breaker' ? health?.until : isTimed ? dueAt.toISOString() : undefined,
    ...(attempt > 0 && { attempt, attempts: LIMITS.deliveryAttempts }),
    reason: hold?.reason ?? (kind === 'breaker' ? health?.reason : undefined) ?? limitReason(limit) ?? error,
    holdId: hold?.id,
  });
}

const limitReason = (limit: StuckRow['limit']): string | undefined =>
  limit?.limit === 'rate_limit'
    ? `The integration "${limit.integration}" sends at most ${limit.figure} messages a second`
    : limit
      ? `The environment has ${limit.figure} ms of render time a second`
      : undefined;

const HELD = EXECUTION_DETAILS.stepHeld.detail.slice(0, 'Step held:'.length);
const SELECTED = EXECUTION_DETAILS.providerSelected.detail.replace('{provider}', '').trim();

const figureOf = (name: string, raw: string | null | undefined): number | undefined => {
  const [, digits] = new RegExp(`"${name}":(\\d+)`).exec(raw ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** What begins with a detail: the kind of the part, and when the wait for the next attempt is over. */
function begins(before: SpanKind, { detail, raw }: ExecutionDetailDto): { kind: SpanKind; forMs?: number } {
  if (detail === EXECUTION_DETAILS.stepQueued.detail) return { kind: 'queue' };
  if (detail.startsWith(HELD)) return { kind: 'hold' };
  const forMs = figureOf('nextTryInMs', raw);
  if (forMs !== undefined) return { kind: 'retry', forMs };
  if (detail.endsWith(SELECTED)) return { kind: 'provider' };
  return { kind: before === 'provider' ? 'provider' : 'render' };
}

/** The parts follow each other without a gap, from the time when the step was queued to its end, or to now. */
function spansOf({ executionDetails }: JobDto, now: Date | undefined): JobDto['spans'] {
  const details = executionDetails.filter(({ createdAt, source }) => createdAt && source !== 'Webhook');
  const spans: { kind: SpanKind; from: number; to: number }[] = [];
  let kind: SpanKind = 'queue';
  let from = 0;
  const add = (until: number): void => {
    const last = spans.at(-1);
    if (last?.kind === kind) last.to = Math.max(last.to, until);
    else if (until > from) spans.push({ kind, from, to: until });
    from = Math.max(from, until);
  };
  for (const [index, detail] of details.entries()) {
    const next = details[index + 1];
    const to = next ? Date.parse(next.createdAt!) : now?.getTime();
    if (to === undefined) break;
    from = Date.parse(detail.createdAt!);
    const begun = begins(kind, detail);
    ({ kind } = begun);
    // The next detail says how long the preparation and the call before it took, where they have no detail.
    const calledAt = to - (figureOf('providerMs', next?.raw) ?? 0);
    const claimedAt = calledAt - (figureOf('preparedMs', next?.raw) ?? 0);
    add(Math.min(claimedAt, from + (begun.forMs ?? Infinity)));
    // After the wait for the next attempt the step is in the queue again.
    if (begun.forMs !== undefined) kind = 'queue';
    add(claimedAt);
    if (claimedAt < calledAt) kind = 'render';
    add(calledAt);
    if (calledAt < to) kind = 'provider';
    add(to);
  }
  return spans.map(({ kind: of, from: begin, to }) => ({
    kind: of,
    from: new Date(begin).toISOString(),
    to: new Date(to).toISOString(),
  }));
}
