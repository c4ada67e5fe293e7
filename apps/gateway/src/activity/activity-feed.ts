import { createHash } from 'node:crypto';
import { type EnvironmentId, idAtTime, LIMITS, type NotificationId, timeOfId } from '@clarion/contracts';
import type { ActivityNews, ActivityRow, NewsQuestion } from '@clarion/persistence';

/** What happened since the last read: the ids of new notifications, the rows of the newest, and changed rows. */
export type News = { fresh: NotificationId[]; newest: ActivityRow[]; changed: ActivityRow[] };

/**
 * A notification can become visible after one with a larger id: processes have different clocks, and a statement may
 * take long to commit. So each read looks back this far and leaves out what is known.
 */
const OVERLAP_MS = 10_000;

/** The newest notifications that are in flight, whose changes are reported. */
export const WATCHED = 200;

/** Finds what is new in one environment, and which of the newest notifications changed. */
export class ActivityFeed {
  private readonly known = new Set<NotificationId>();
  private readonly watched = new Map<NotificationId, string>();
  private newestId: string = idAtTime(0);

  constructor(readonly environmentId: EnvironmentId) {}

  /** Everything that exists now is not new: the newest rows of the environment. */
  start(rows: ActivityRow[]): void {
    for (const row of rows) {
      this.learn(row.id);
      this.watch(row);
    }
  }

  /** With at most this many of the watched rows, and of rows of new notifications. */
  question(most: number): NewsQuestion {
    const since = idAtTime(timeOfId(this.newestId) - OVERLAP_MS);
    for (const id of this.known) if (id <= since) this.known.delete(id);
    const { environmentId } = this;
    return {
      environmentId,
      since,
      known: [...this.known],
      watched: [...this.watched.keys()].slice(-most),
      newest: Math.min(most, LIMITS.streamedRows),
    };
  }

  take({ fresh, rows }: ActivityNews): News {
    const added = new Set(fresh);
    for (const id of fresh) this.learn(id);
    const changed = rows.filter((row) => !added.has(row.id) && this.watched.get(row.id) !== stateOf(row));
    for (const row of rows.toReversed()) this.watch(row);
    return {
      fresh,
      newest: rows.filter(({ id }) => added.has(id)).slice(0, LIMITS.streamedRows),
      changed: changed.slice(0, LIMITS.streamedRows),
    };
  }

  private learn(id: NotificationId): void {
    this.known.add(id);
    if (id > this.newestId) this.newestId = id;
  }

  /** The oldest are no longer watched when there are too many. */
  private watch(row: ActivityRow): void {
    this.watched.delete(row.id);
    if (row.outcome !== 'in_flight') return;
    this.watched.set(row.id, stateOf(row));
    const [oldest] = this.watched.keys();
    if (this.watched.size > WATCHED) this.watched.delete(oldest!);
  }
}

/** Changes whenever a step of the notification does. Thousands are remembered, so a long one is kept as its hash. */
export function stateOf({ steps }: ActivityRow): string {
  const state = (steps ?? []).map((step) => `${step.state} ${step.reason ?? ''}`).join('\n');
  return state.length > 100 ? createHash('sha1').update(state).digest('base64') : state;
}
