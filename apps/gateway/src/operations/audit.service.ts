import { Injectable } from '@nestjs/common';
import {
  type AuditDto,
  type AuditedBy,
  type AuditRangeDto,
  type AuditRangeQuery,
  DomainError,
  type EnvironmentId,
  invalidField,
  LIMITS,
  OUTCOMES,
  type OutcomeTotalsDto,
} from '@clarion/contracts';
import {
  AUDIT_CHECKS,
  type AuditCheck,
  type AuditedRecords,
  AuditRepository,
  type EnvironmentIds,
  isStatementTimeout,
  MINUTES_KEPT_HOURS,
  type RolledUp,
} from '@clarion/persistence';
import { notATime, parseTime } from '../edge/http/time-range';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Minutes of the rollups are merged into hours after a while; a range is rounded to hours some time before. */
const MINUTES_READ_MS = (MINUTES_KEPT_HOURS - 2) * HOUR;

/** A statement reads as much time as takes about this long, so a large table is read in many short statements. */
const STATEMENT_MS = 1_000;
const FIRST_WINDOW = 10 * MINUTE;

const FIGURES = ['accepted', 'delivered', 'failed', 'skipped', 'inFlight', 'inDoubt'] as const;

type Range = { after: Date; before: Date };

type WalkOptions = {
  /** Ids to list for each figure and each check. */
  ids: number;
  /** Read the rows also where the rollups add up. */
  rows?: boolean;
  onProgress?: (done: number, total: number) => void;
};

@Injectable()
export class AuditService {
  constructor(private readonly audit: AuditRepository) {}

  async transaction(environmentId: EnvironmentId, transactionId: string): Promise<AuditDto> {
    const triggerId = await this.audit.triggerOf(environmentId, transactionId);
    if (!triggerId) throw new DomainError('not_found', `Transaction ${transactionId} was not found`);
    const sum = new Sum();
    sum.add(await this.audit.trigger(environmentId, triggerId, LIMITS.auditIds));
    return sum.report(LIMITS.auditIds);
  }

  async ofEnvironments(environmentIds: EnvironmentIds, query: AuditRangeQuery): Promise<AuditRangeDto> {
    const before = readBound('until', query.until) ?? new Date();
    const after = readBound('since', query.since) ?? new Date(before.getTime() - HOUR);
    if (after > before) {
      throw invalidField('since', 'since must not be later than until, which is now by default', query.since);
    }
    if (before.getTime() - after.getTime() > LIMITS.auditDays * DAY) {
      const message = `since must be at most ${LIMITS.auditDays} day earlier than until, which is now by default`;
      throw invalidField('since', message, query.since);
    }
    return this.range(environmentIds, { after, before }, { ids: LIMITS.auditIds, rows: query.rows });
  }

  /**
   * All notifications that were made in the range; of all environments without `environmentIds`. The rows of an hour
   * are not read if it has many notifications and its rollups and its open work add up.
   */
  async range(
    environmentIds: EnvironmentIds,
    wanted: Range,
    { ids, rows = false, onProgress }: WalkOptions,
  ): Promise<AuditRangeDto> {
    const { after, before } = await this.round(wanted);
    const sum = new Sum();
    let comparedBy: AuditedBy = 'rows';
    const hours = this.walk(environmentIds, { after, before }, ids, rows ? 'rows' : 'rollups');
    for await (const { from, to, records } of hours) {
      if (rows) {
        sum.add(records);
      } else if (records.notifications > LIMITS.auditedRows && addsUp(records)) {
        sum.add(records);
        comparedBy = 'rollups';
      } else {
        const read = this.walk(environmentIds, { after: from, before: to }, ids, 'rows');
        for await (const { records: all } of read) sum.add(all);
      }
      onProgress?.(to - after, before - after);
    }
    return {
      after: new Date(after).toISOString(),
      before: new Date(before).toISOString(),
      comparedBy,
      ...sum.report(ids),
    };
  }

  /** Reads one window after the other, as long as a statement can read; of rollups, at most an hour of the clock. */
  private async *walk(
    environmentIds: EnvironmentIds,
    { after, before }: { after: number; before: number },
    ids: number,
    comparedBy: AuditedBy,
  ) {
    const [longest, first] = comparedBy === 'rows' ? [7 * DAY, FIRST_WINDOW] : [HOUR, HOUR];
    let length = first;
    for (let from = after; from < before;) {
      const to = Math.min(from + length, (Math.floor(from / longest) + 1) * longest, before);
      const began = performance.now();
      try {
        const range = { after: new Date(from), before: new Date(to) };
        const records = await this.audit.range(environmentIds, range, ids, comparedBy);
        const took = Math.max(performance.now() - began, 1);
        yield { from, to, records };
        from = to;
        length = wholeMinutes(Math.min((length * STATEMENT_MS) / took, 2 * length, longest));
      } catch (error) {
        if (!isStatementTimeout(error) || to - from <= MINUTE) throw error;
        length = wholeMinutes((to - from) / 4);
      }
    }
  }

  /** Rounds outward to what the rollups can be compared for, and begins with what is kept. */
  private async round({ after, before }: Range): Promise<{ after: number; before: number }> {
    const kept = (await this.audit.keptSince()).getTime();
    const unit = after.getTime() < Date.now() - MINUTES_READ_MS ? HOUR : MINUTE;
    return {
      after: Math.max(Math.floor(after.getTime() / unit) * unit, kept),
      before: Math.ceil(before.getTime() / unit) * unit,
    };
  }
}

const addsUp = ({ figures, checks }: AuditedRecords): boolean =>
  !checks && figures.every((counted) => differenceOf(counted) === 0);

const wholeMinutes = (milliseconds: number): number => Math.max(1, Math.floor(milliseconds / MINUTE)) * MINUTE;

function readBound(field: 'since' | 'until', text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (!time) throw invalidField(field, notATime(field), text);
  return time;
}

type ChannelTotals = AuditDto['channels'][number];

/** Adds up the records of several windows. */
class Sum {
  private readonly channels = new Map<string, ChannelTotals & { rollups?: RolledUp[number] }>();
  private readonly checks = new Map<AuditCheck, { count: number; ids: string[] }>();
  private readonly events = { accepted: 0, failed: 0, canceled: 0, open: 0 };
  private notifications = 0;
  private isCompared = false;

  add(records: AuditedRecords & { rollups?: RolledUp }): void {
    for (const figures of records.figures) addFigures(this.channel(figures).totals, figures);
    for (const listed of records.ids) {
      const { steps } = this.channel(listed);
      const known = steps.find(({ outcome }) => outcome === listed.outcome);
      // One by one: a call cannot have hundreds of thousands of arguments.
      if (known) for (const id of listed.ids) known.ids.push(id);
      else steps.push({ outcome: listed.outcome, ids: listed.ids });
    }
    for (const { name, count, ids } of records.checks ?? []) {
      const known = this.checks.get(name) ?? { count: 0, ids: [] };
      this.checks.set(name, { count: known.count + count, ids: [...known.ids, ...(ids ?? [])] });
    }
    for (const name of Object.keys(this.events) as (keyof typeof this.events)[])
      this.events[name] += records.events[name];
    this.notifications += records.notifications;
    if (records.rollups) this.addRollups(records.rollups);
  }

  report(ids: number): AuditDto {
    const channels = [...this.channels.values()].map(({ rollups, ...channel }) => ({
      ...channel,
      steps: channel.steps
        .map((listed) => ({ ...listed, ids: listed.ids.slice(0, ids) }))
        .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome)),
      difference: differenceOf(channel.totals),
      agreesWithOverview: !this.isCompared || agree(channel.totals, rollups),
    }));
    channels.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    const totals = emptyTotals();
    for (const channel of channels) addFigures(totals, channel.totals);
    const checks = Object.entries(AUDIT_CHECKS).map(([name, description]) => {
      const found = this.checks.get(name as AuditCheck);
      return { name, description, count: found?.count ?? 0, ids: found?.ids.slice(0, ids) ?? [] };
    });
    return {
      reconciles:
        checks.every(({ count }) => count === 0) &&
        channels.every(({ difference, agreesWithOverview }) => difference === 0 && agreesWithOverview),
      events: this.events,
      notifications: this.notifications,
      totals,
      channels,
      checks,
    };
  }

  private addRollups(rollups: RolledUp): void {
    this.isCompared = true;
    for (const counted of rollups) {
      const channel = this.channel(counted);
      if (!channel.rollups) channel.rollups = { ...counted };
      else for (const name of FIGURES) if (name !== 'inFlight') channel.rollups[name] += counted[name];
    }
  }

  private channel(of: { environment_id: EnvironmentId; channel: ChannelTotals['channel'] }) {
    const empty = {
      environmentId: of.environment_id,
      channel: of.channel,
      totals: emptyTotals(),
      difference: 0,
      agreesWithOverview: true,
      steps: [],
    };
    const key = keyOf(empty);
    const known = this.channels.get(key) ?? empty;
    this.channels.set(key, known);
    return known as ChannelTotals & { rollups?: RolledUp[number] };
  }
}

const keyOf = ({ environmentId, channel }: Pick<ChannelTotals, 'environmentId' | 'channel'>): string =>
  `${environmentId} ${channel}`;

const emptyTotals = (): OutcomeTotalsDto => ({
  accepted: 0,
  delivered: 0,
  failed: 0,
  skipped: 0,
  inFlight: 0,
  inDoubt: 0,
});

function addFigures(totals: OutcomeTotalsDto, more: Pick<OutcomeTotalsDto, (typeof FIGURES)[number]>): void {
  for (const name of FIGURES) totals[name] += more[name];
}

const differenceOf = ({ accepted, delivered, failed, skipped, inFlight, inDoubt }: OutcomeTotalsDto): number =>
  accepted - delivered - failed - skipped - inFlight - inDoubt;

/** The overview counts what is in flight from the open work, so its rollups do not have it. */
const agree = (totals: OutcomeTotalsDto, rollups: RolledUp[number] | undefined): boolean =>
  FIGURES.every((name) => name === 'inFlight' || totals[name] === (rollups?.[name] ?? 0));
