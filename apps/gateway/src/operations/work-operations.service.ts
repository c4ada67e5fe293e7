import { Injectable } from '@nestjs/common';
import {
  type ConnectedRoleDto,
  type EnvironmentErrorsDto,
  type EnvironmentId,
  type EnvironmentMatchDto,
  type ErrorListDto,
  idAtTime,
  type LookupMatchDto,
  type NotificationId,
  type OperationsLookupDto,
  type StuckListDto,
  type StuckRowDto,
  type UsageGroup,
  type UsageListDto,
  pick,
} from '@clarion/contracts';
import {
  ActivityRepository,
  type EnvironmentIds,
  OverviewRepository,
  StuckRepository,
  type StuckRow,
  UsageRepository,
} from '@clarion/persistence';
import { largestFirst, toActivityRowDto, toErrorGroupDto } from '../activity/activity-rows';
import { LookupService } from '../activity/lookup.service';
import { adviseOn } from './stuck-advice';

export type NamedEnvironment = { id: EnvironmentId; name: string };

/** Whether the caller may see which processes run. */
export type SeenRoles = 'all' | 'none';

/** Environments that are read at the same time. */
const AT_ONCE = 3;
/** Trace and request ids have no index: they are looked for where something was accepted in this time. */
const TRACED_MS = 24 * 3600 * 1000;
/** A step without delays before it ends this long after its notification was made: the last attempt comes then. */
const ATTEMPTS_MS = 8 * 3600 * 1000;
/** No notification has a larger id. */
const LAST_TIME = new Date(Date.UTC(9999, 0));
const NOTHING_SINCE = idAtTime(LAST_TIME.getTime());

/** What operators ask, across environments. `ids` are the environments; undefined means all. */
@Injectable()
export class WorkOperationsService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly stuckWork: StuckRepository,
    private readonly activity: ActivityRepository,
    private readonly overview: OverviewRepository,
    private readonly lookups: LookupService,
  ) {}

  async top(ids: EnvironmentIds, { by, limit }: { by: UsageGroup; limit: number }): Promise<UsageListDto> {
    const rows = await this.usage.read(by, ids, limit);
    return {
      data: rows.map(({ oldestDueAt, health, isBounded: _, ...row }) => ({
        ...row,
        oldestDueSeconds: oldestDueAt && secondsSince(oldestDueAt),
        state: health && health.state,
        stateSince: health && health.since,
        stateReason: health?.reason ?? null,
      })),
      isBounded: rows[0]?.isBounded ?? false,
    };
  }

  async stuck(
    ids: EnvironmentIds,
    { olderThan, limit }: { olderThan: number; limit: number },
    seen: SeenRoles,
  ): Promise<StuckListDto> {
    const [{ rows, counts, isBounded }, roles] = await Promise.all([
      this.stuckWork.read(ids, olderThan, limit),
      this.roles(seen),
    ]);
    return {
      data: rows.map((row) => toStuckRowDto(row, roles)),
      total: counts.reduce((sum, { count }) => sum + count, 0),
      isBounded,
      counts,
      roles: roles ?? [],
    };
  }

  private async roles(seen: SeenRoles): Promise<ConnectedRoleDto[] | undefined> {
    return seen === 'all' ? this.stuckWork.connectedRoles() : undefined;
  }

  /** The error groups of every environment that has failures, of steps that ended since then; the largest first. */
  async errors(environments: NamedEnvironment[], since: Date): Promise<ErrorListDto> {
    const made = new Date(Math.max(since.getTime() - ATTEMPTS_MS, 0));
    const all = environments.map(({ id }) => id);
    const [failed, retrying] = await Promise.all([this.usage.withFailures(all, made), this.stuckWork.retried(all)]);
    const ids = new Set(failed);
    const failing = environments.filter(({ id }) => ids.has(id));
    const found = await inEach(failing, async ({ id, name }) => {
      const parts = await Promise.all([
        this.activity.groups(id, { outcomes: ['failed', 'in_doubt'], after: made }, since),
        this.overview.replayedFailures(id, { after: made, before: LAST_TIME }, since),
      ]);
      const place = { environmentId: id, environment: name };
      return {
        isBounded: parts.some(({ isBounded }) => isBounded),
        data: parts
          .flatMap(({ groups }) => groups)
          .map((group): EnvironmentErrorsDto => ({ ...toErrorGroupDto(group), ...place })),
      };
    });
    return {
      data: largestFirst(found.flatMap(({ data }) => data)),
      retrying: retrying.map(({ nextAt, ...group }) => ({ ...group, nextAt: nextAt.toISOString() })),
      since: since.toISOString(),
      isBounded: found.some(({ isBounded }) => isBounded),
    };
  }

  async lookup(environments: NamedEnvironment[], id: string, seen: SeenRoles): Promise<OperationsLookupDto> {
    const named = await inEach(environments, (environment) =>
      this.matches(environment, seen, () => this.lookups.byName(environment.id, id)),
    );
    if (named.some(({ length }) => length > 0)) return { data: named.flat() };
    const active = new Set(
      await this.usage.active(
        environments.map((environment) => environment.id),
        new Date(Date.now() - TRACED_MS),
      ),
    );
    const requested = await inEach(
      environments.filter((environment) => active.has(environment.id)),
      (environment) => this.matches(environment, seen, () => this.lookups.byRequest(environment.id, id)),
    );
    return { data: requested.flat() };
  }

  private async matches(
    { id, name }: NamedEnvironment,
    seen: SeenRoles,
    find: () => Promise<LookupMatchDto[]>,
  ): Promise<EnvironmentMatchDto[]> {
    const found = await find();
    return inEach(found, async (match) => ({
      ...match,
      environmentId: id,
      environment: name,
      ...(await this.notificationOf(id, match, seen)),
    }));
  }

  private async notificationOf(
    environmentId: EnvironmentId,
    { kind, _id, path }: LookupMatchDto,
    seen: SeenRoles,
  ): Promise<Pick<EnvironmentMatchDto, 'notification' | 'hasMore' | 'waiting'>> {
    const none = { notification: null, hasMore: false, waiting: [] };
    if (kind === 'subscriber' || kind === 'workflow') return none;
    const { rows, next } =
      kind === 'transaction'
        ? await this.activity.list(environmentId, { transactionIds: [_id] }, { limit: 1 })
        : {
            next: null,
            ...(
              await this.activity.news([
                { environmentId, since: NOTHING_SINCE, watched: [path.slice(path.lastIndexOf('/') + 1)] },
              ])
            )[0]!,
          };
    const [row] = rows;
    if (!row) return none;
    return {
      notification: toActivityRowDto(row),
      hasMore: next !== null,
      waiting: row.outcome === 'in_flight' ? await this.waitsOf(environmentId, row.id, seen) : [],
    };
  }

  private async waitsOf(environmentId: EnvironmentId, id: NotificationId, seen: SeenRoles): Promise<StuckRowDto[]> {
    const [rows, roles] = await Promise.all([this.stuckWork.ofNotification(environmentId, id), this.roles(seen)]);
    return rows.map((row) => toStuckRowDto(row, roles));
  }
}

const toStuckRowDto = (row: StuckRow, roles: ConnectedRoleDto[] | undefined): StuckRowDto => ({
  ...pick(row, 'reason', 'environmentId', 'environment', 'type'),
  _id: row.id,
  ...pick(row, 'notificationId', 'transactionId', 'workflowId', 'subscriberId'),
  since: row.since.toISOString(),
  waitedSeconds: secondsSince(row.since),
  ...adviseOn(row, roles),
  alike: row.alike,
});

const secondsSince = (time: Date): number => Math.max(0, Math.round((Date.now() - time.getTime()) / 1000));

/** The results in order, a few at a time. */
async function inEach<T, R>(items: T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(read))));
  }
  return results;
}
