import { type EnvironmentId, idAtTime, LIMITS, type NotificationId, type TailLineDto } from '@clarion/contracts';
import type { ActivityFilter, ActivityRepository, ActivityRow, UsageRepository } from '@clarion/persistence';
import { stateOf } from '../activity/activity-feed';
import { toActivityRowDto } from '../activity/activity-rows';
import type { NamedEnvironment } from './work-operations.service';

/** Rows of one page, pages of one environment in a read at most, and of all of them after their first. */
const PAGE = 200;
const PAGES = 5;
const MORE_PAGES = 20;
/** Notifications in flight of one environment whose changes are reported. */
const WATCHED = 1_000;
/** How old a notification may be that is reported for the first time. The last attempt comes within 8 hours. */
const NEW_MS = 5 * 60_000;
const ENDED_MS = 8 * 3600_000;
/** The range before a past end whose beginning is not given. */
const PAST_MS = 3600_000;
/** Environments that accepted nothing in this time are left out if there are many. */
const ACTIVE_MS = 10 * 60_000;

const NOTHING_SINCE = idAtTime(Date.UTC(9999, 0));

type Followed = {
  name: string;
  /** The state of each notification that was reported, or that was there at the start. */
  known: Map<NotificationId, string>;
  inFlight: Set<NotificationId>;
};

type Found = { environment: NamedEnvironment; rows: ActivityRow[] };

/**
 * Follows the activity of several environments: each read reports the notifications that match and are new, and those
 * whose steps changed. It remembers what it reported, so a read that fails is repeated without a loss.
 */
export class ActivityTail {
  private readonly followed = new Map<EnvironmentId, Followed>();
  private readonly startedAt = new Date();
  /** The time from which everything is reported. Without one, the tail begins with what is made after its start. */
  private readonly from: Date | undefined;
  /** The range is over, so nothing new comes into it. */
  readonly isPast: boolean;
  private ofRange: EnvironmentId[] | undefined;
  /** The last read had more to report than it reads. */
  isBounded = false;
  /** The last read left out environments, because more have activity than it reads. */
  isSelection = false;

  constructor(
    private readonly parts: { activity: ActivityRepository; usage: UsageRepository },
    private readonly filter: ActivityFilter,
  ) {
    const { after, before } = filter;
    this.isPast = before !== undefined && before <= this.startedAt;
    this.from = after ?? (this.isPast ? new Date(before!.getTime() - PAST_MS) : undefined);
  }

  /**
   * Oldest first. The first read of an environment only learns what was there before, unless the filter names a time.
   * All environments are read in a few statements; what a read that fails would have reported is found by the next one.
   */
  async read(environments: NamedEnvironment[], report: (line: TailLineDto) => void): Promise<void> {
    this.isBounded = false;
    const chosen = await this.busiest(environments);
    const isFirst = ({ id }: NamedEnvironment): boolean => !this.followed.has(id);
    const found = [
      ...(await this.matching(chosen.filter(isFirst), true)),
      ...(await this.matching(
        chosen.filter((environment) => !isFirst(environment)),
        false,
      )),
    ];
    const watched = found.map(({ environment: { id }, rows }) => {
      const seen = new Set(rows.map((row) => row.id));
      return [...(this.followed.get(id)?.inFlight ?? [])].filter((each) => !seen.has(each));
    });
    const asked = found.flatMap(({ environment: { id: environmentId }, rows }, index) =>
      watched[index]!.length > 0 ? [{ environmentId, rows, since: NOTHING_SINCE, watched: watched[index]! }] : [],
    );
    const again = await this.parts.activity.news(asked);
    asked.forEach(({ rows }, index) => rows.push(...again[index]!.rows));
    found
      .flatMap(({ environment, rows }) => this.linesOf(environment, rows))
      .sort((one, other) => one.at.localeCompare(other.at))
      .forEach(report);
  }

  /** If there are many: those with the most activity of late and, for the whole time, those of the range. */
  private async busiest(environments: NamedEnvironment[]): Promise<NamedEnvironment[]> {
    this.isSelection = false;
    if (environments.length <= LIMITS.tailedEnvironments) return environments;
    const ids = environments.map(({ id }) => id);
    const busiest = async (since: Date, until?: Date): Promise<EnvironmentId[]> => {
      const active = await this.parts.usage.active(ids, since, until);
      this.isSelection ||= active.length > LIMITS.tailedEnvironments;
      return active.slice(0, LIMITS.tailedEnvironments);
    };
    if (this.from) this.ofRange ??= await busiest(this.from, this.filter.before);
    const recent = this.isPast ? [] : await busiest(new Date(Date.now() - ACTIVE_MS));
    const wanted = new Set([...(this.ofRange ?? []), ...recent]);
    return environments.filter(({ id }) => wanted.has(id));
  }

  private linesOf({ id, name }: NamedEnvironment, rows: ActivityRow[]): TailLineDto[] {
    const isFirst = !this.followed.has(id);
    const followed = this.followed.get(id) ?? { name, known: new Map(), inFlight: new Set() };
    this.followed.set(id, followed);
    const lines = rows.flatMap((row) => this.learn(id, followed, row));
    if (!isFirst || this.from) return lines;
    const startedAt = this.startedAt.toISOString();
    return lines.filter(({ notification }) => notification.createdAt >= startedAt);
  }

  /** The newest that match, of each environment. It reads on in those where everything is new. */
  private async matching(environments: NamedEnvironment[], isFirst: boolean): Promise<Found[]> {
    const oldest = new Date(Date.now() - (this.filter.outcomes || isFirst ? ENDED_MS : NEW_MS));
    const filter = { ...this.filter, after: this.from ?? oldest };
    const ids = environments.map(({ id }) => id);
    const first = ids.length === 0 ? [] : await this.parts.activity.lists(ids, filter, { limit: PAGE });
    const found: Found[] = [];
    let more = MORE_PAGES;
    for (const [index, environment] of environments.entries()) {
      const { id } = environment;
      const known = this.followed.get(id)?.known;
      let page = first[index]!;
      const rows = [...page.rows];
      for (let pages = 1; ; pages += 1) {
        const last = page.rows.at(-1);
        // A search that found nothing may go on only once: it would read the whole history every second.
        if (!page.next || (last ? known?.has(last.id) : !isFirst)) break;
        if (pages === PAGES || more === 0) {
          if (!isFirst || this.from) this.isBounded = true;
          break;
        }
        more -= 1;
        page = await this.parts.activity.list(id, filter, { limit: PAGE, cursor: page.next });
        rows.push(...page.rows);
      }
      found.push({ environment, rows });
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
