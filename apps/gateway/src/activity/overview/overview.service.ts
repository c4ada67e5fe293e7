import { Injectable } from '@nestjs/common';
import {
  type ActivityGroupsDto,
  CHANNELS,
  type ChannelOverviewDto,
  type IntegrationOverviewListDto,
  type OverviewTotalsDto,
  type OverviewDto,
  type OverviewQuery,
  type WorkflowStatisticsListDto,
} from '@clarion/contracts';
import {
  ActivityRepository,
  Database,
  type Figures,
  type IntegrationUse,
  type KeyOwner,
  OverviewRepository,
  StuckRepository,
} from '@clarion/persistence';
import { largestFirst, toErrorGroupDto } from '../activity-rows';
import { readCountedRange } from './counted-range';

const DAY_MS = 24 * 3600 * 1000;
/** How far back the last error of an integration may be. */
const LAST_ERROR_MS = 7 * DAY_MS;

@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    private readonly overview: OverviewRepository,
    private readonly activity: ActivityRepository,
    private readonly openWork: StuckRepository,
  ) {}

  async retrieve({ environmentId }: KeyOwner, query: OverviewQuery): Promise<OverviewDto> {
    const { after, before, bucketSeconds } = readCountedRange(query);
    const [figures, retried] = await Promise.all([
      this.overview.figures(environmentId, { after, before }, bucketSeconds),
      this.database.asSystem(() => this.openWork.retried([environmentId])),
    ]);
    const channels = CHANNELS.map((channel) => describeChannel(channel, figures));
    const totals = addUp(channels.map((channel) => channel.totals));
    return {
      after: after.toISOString(),
      before: before.toISOString(),
      bucketSeconds,
      totals,
      reconciles: channels.every(({ difference }) => difference === 0),
      difference: differenceOf(totals),
      channels,
      series: figures.points.map(({ at, inDoubt: _, ...point }) => ({ at: new Date(at).toISOString(), ...point })),
      retrying: retried.map(({ environmentId: _, environment: __, nextAt, ...group }) => ({
        ...group,
        nextAt: nextAt.toISOString(),
      })),
    };
  }

  /** The groups of the same range, and the failures before a replay. */
  async errorGroups({ environmentId }: KeyOwner, query: OverviewQuery): Promise<ActivityGroupsDto> {
    const { after, before } = readCountedRange(query);
    const [{ groups, isBounded, searched }, replayed] = await Promise.all([
      this.activity.groups(environmentId, {
        outcomes: ['failed', 'in_doubt'],
        after,
        // The filter of the activity includes its end.
        before: new Date(before.getTime() - 1),
      }),
      this.overview.replayedFailures(environmentId, { after, before }),
    ]);
    return {
      data: largestFirst([...groups, ...replayed.groups].map(toErrorGroupDto)),
      searched,
      isBounded: isBounded || replayed.isBounded,
    };
  }

  async integrations({ environmentId }: KeyOwner): Promise<IntegrationOverviewListDto> {
    const ago = (ms: number): Date => new Date(Date.now() - ms);
    const rows = await this.overview.integrations(environmentId, ago(LAST_ERROR_MS), ago(DAY_MS));
    return { data: rows.map(toIntegrationDto) };
  }

  async workflows({ environmentId }: KeyOwner, query: OverviewQuery): Promise<WorkflowStatisticsListDto> {
    const rows = await this.overview.workflows(environmentId, readCountedRange(query));
    return {
      data: rows.map(({ id, lastTriggeredAt, ...row }) => ({
        _id: id,
        ...row,
        lastTriggeredAt: lastTriggeredAt?.toISOString() ?? null,
      })),
    };
  }
}

function addUp(parts: Partial<OverviewTotalsDto>[]): OverviewTotalsDto {
  const sum = (name: keyof OverviewTotalsDto): number => parts.reduce((total, part) => total + (part[name] ?? 0), 0);
  return {
    accepted: sum('accepted'),
    delivered: sum('delivered'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    inFlight: sum('inFlight'),
    inDoubt: sum('inDoubt'),
    failures: sum('failures'),
    recovered: sum('recovered'),
  };
}

const differenceOf = ({ accepted, delivered, failed, skipped, inFlight, inDoubt }: OverviewTotalsDto): number =>
  accepted - delivered - failed - skipped - inFlight - inDoubt;

function describeChannel(
  channel: ChannelOverviewDto['channel'],
  { points, inFlight, backlog, now }: Figures,
): ChannelOverviewDto {
  const open = inFlight.find((row) => row.channel === channel);
  const totals = addUp([...points.filter((point) => point.channel === channel), { inFlight: open?.count ?? 0 }]);
  const waiting = backlog.find((row) => row.channel === channel);
  const oldest = waiting?.oldestDueAt ? new Date(waiting.oldestDueAt) : undefined;
  return {
    channel,
    totals,
    difference: differenceOf(totals),
    backlog: {
      due: waiting?.due ?? 0,
      delayed: waiting?.delayed ?? 0,
      oldestDueAt: oldest?.toISOString() ?? null,
      lagSeconds: oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1000) : 0,
    },
  };
}

function toIntegrationDto({ id, health, lastError, lastErrorAt, lastErrorRecovered, hours, ...row }: IntegrationUse) {
  return {
    _id: id,
    ...row,
    hours: hours.map(({ at, ...hour }) => ({ at: new Date(at).toISOString(), ...hour })),
    health: {
      state: health?.state ?? ('closed' as const),
      since: health?.since ?? null,
      pausedUntil: health?.until ?? null,
      lastError: lastError ?? health?.reason ?? null,
      lastErrorAt: lastErrorAt?.toISOString() ?? (health?.reason ? health.since : null),
      lastErrorRecovered: lastErrorRecovered ?? false,
    },
  };
}
