import { type EnvironmentId, idAtTime, LIMITS, type NotificationId, type TailLineDto } from '@clarion/contracts';
import type { ActivityFilter, ActivityRepository, ActivityRow, UsageRepository } from '@clarion/persistence';
import { stateOf } from '../activity/activity-feed';
import { toActivityRowDto } from '../activity/activity-rows';
import type { NamedEnvironment } from './work-operations.service';

/** Rows of one page, and pages of one read at most. */
const PAGE = 200;
const PAGES = 5;
/** Notifications in flight of one environment whose changes are reported. */
const WATCHED = 1_000;
/** How old a notification may be that is reported for the first time. The last attempt comes within 8 hours. */
const NEW_MS = 5 * 60_000;
const ENDED_MS = 8 * 3600_000;
/** Environments that accepted nothing in this time are left out if there are many. */
const ACTIVE_MS = 10 * 60_000;

const NOTHING_SINCE = idAtTime(Date.UTC(9999, 0));

type Followed = {
  name: string;
  /** The state of each notification that was reported, or that was there at the start. */
  known: Map<NotificationId, string>;
  inFlight: Set<NotificationId>;
};

/**
 * Follows the activity of several environments: each read returns the notifications that match and are new, and those
 * whose steps changed. It remembers what it reported, so a read that fails is repeated without a loss.
 */
export class ActivityTail {
  private readonly followed = new Map<EnvironmentId, Followed>();
  private readonly startedAt = new Date().toISOString();
  private isStarted = false;

  constructor(
    private readonly parts: { activity: ActivityRepository; usage: UsageRepository },
    private readonly filter: ActivityFilter,
  ) {}

  /** Oldest first. The first read only learns what was there before. */
  async read(environments: NamedEnvironment[]): Promise<TailLineDto[]> {
    const lines: TailLineDto[] = [];
    for (const environment of await this.busiest(environments)) lines.push(...(await this.readOne(environment)));
    const isFirst = !this.isStarted;
    this.isStarted = true;
    return lines
      .filter(({ notification }) => !isFirst || notification.createdAt >= this.startedAt)
      .sort((one, other) => one.at.localeCompare(other.at));
  }

  private async busiest(environments: NamedEnvironment[]): Promise<NamedEnvironment[]> {
    if (environments.length <= LIMITS.tailedEnvironments) return environments;
    const ids = environments.map(({ id }) => id);
    const active = await this.parts.usage.active(ids, new Date(Date.now() - ACTIVE_MS));
    const wanted = new Set(active.slice(0, LIMITS.tailedEnvironments));
    return environments.filter(({ id }) => wanted.has(id));
  }

  private async readOne({ id, name }: NamedEnvironment): Promise<TailLineDto[]> {
    const followed = this.followed.get(id) ?? { name, known: new Map(), inFlight: new Set() };
    this.followed.set(id, followed);
    const rows = await this.matching(id, followed);
    const seen = new Set(rows.map((row) => row.id));
    const watched = [...followed.inFlight].filter((each) => !seen.has(each));
    if (watched.length > 0) {
      const again = await this.parts.activity.news(id, { since: NOTHING_SINCE, known: [], watched });
      rows.push(...again.rows);
    }
    return rows.flatMap((row) => this.learn(id, followed, row));
  }

  /** The newest that match. It reads on while everything is new. */
  private async matching(id: EnvironmentId, { known }: Followed): Promise<ActivityRow[]> {
    const found: ActivityRow[] = [];
    const after = new Date(Date.now() - (this.filter.outcomes ? ENDED_MS : NEW_MS));
    let cursor: NotificationId | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const { rows, next } = await this.parts.activity.list(id, { after, ...this.filter }, { limit: PAGE, cursor });
      found.push(...rows);
      const last = rows.at(-1);
      if (!next || !last || known.has(last.id)) break;
      cursor = next;
    }
    return found;
  }

  private learn(environmentId: EnvironmentId, followed: Followed, row: ActivityRow): TailLineDto[] {
    const state = stateOf(row);
    const before = followed.known.get(row.id);
    followed.inFlight.delete(row.id);
    if (row.outcome === 'in_flight') remember(followed.inFlight, row.id);
    if (before === state) return [];
    followed.known.delete(row.id);
    followed.known.set(row.id, state);
    const [oldest] = followed.known.keys();
    if (followed.known.size > 20 * WATCHED) followed.known.delete(oldest!);
    const notification = toActivityRowDto(row);
    const ends = notification.steps.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt]));
    return [
      {
        environmentId,
        environment: followed.name,
        change: before === undefined ? 'new' : 'changed',
        at: ends.sort().at(-1) ?? notification.createdAt,
        notification,
      },
    ];
  }
}

function remember(inFlight: Set<NotificationId>, id: NotificationId): void {
  inFlight.add(id);
  const [oldest] = inFlight;
  if (inFlight.size > WATCHED) inFlight.delete(oldest!);
}
