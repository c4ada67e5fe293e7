import type { EnvironmentId, NotificationId, SubscriberRowId, TriggerId } from '@clarion/contracts/core';
import type { Database } from '../database';
import { cancelSteps } from './cancel-steps';
import {
  CANCEL_TRIGGERS,
  CLEAR_TRIGGERS,
  COUNT_OPEN_STEPS,
  COUNT_OPEN_TRIGGERS,
  DELETE_ATTACHMENTS,
  DELETE_IDEMPOTENCY_RECORDS,
  DELETE_SETUP_LINKS,
  DELETE_SUPPRESSIONS,
  ERASE_BY_ROW,
  ERASE_LOG,
  FIND_OPEN_NOTIFICATIONS,
  FIND_TRIGGERS,
  READ_TRIGGERS,
  REMOVE_ACTOR,
  REMOVE_RECIPIENT,
} from './subscriber-erasure.sql';
import type { SuppressibleAddress } from './suppression.repository';
import { CANCEL_NOTIFICATIONS } from './trigger.sql';

/** Triggers that name a subscriber: as the only recipient, as one of several, and as the actor. */
type NamingTriggers = { alone: TriggerId[]; shared: TriggerId[]; acted: TriggerId[] };

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type ErasedSubscriber = {
  id: SubscriberRowId;
  subscriberId: string;
  /** In the spelling of libs/rules. */
  addresses: SuppressibleAddress[];
};

/** Rows that were deleted or cleared, by table; open work that was canceled is counted as `work`. */
export type ErasedCounts = Record<string, number>;

export class SubscriberErasureRepository {
  constructor(private readonly database: Database) {}

  /** Locks the subscriber until the transaction ends: of two erasures, one finds it. */
  async lock(environmentId: EnvironmentId, subscriberId: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM subscriber WHERE environment_id = $1 AND subscriber_id = $2 FOR UPDATE`,
      [environmentId, subscriberId],
    );
    return rows.length > 0;
  }

  /**
   * Removes what the environment stores about the subscriber, and cancels its open work. Must run in a transaction,
   * which the caller rolls back when the result is `busy`: a provider is being called for the subscriber, or a trigger
   * that names it with others is being expanded, and both would write about it again.
   */
  async erase(
    environmentId: EnvironmentId,
    { id, subscriberId, addresses }: ErasedSubscriber,
  ): Promise<ErasedCounts | 'busy'> {
    const { alone, shared, acted } = await this.namingTriggers(environmentId, subscriberId);
    const counts: ErasedCounts = { work: await this.cancelOpenWork(environmentId, id, alone) };
    const sending = await this.count(COUNT_OPEN_STEPS, [environmentId, id]);
    const expanding = await this.count(COUNT_OPEN_TRIGGERS, [environmentId, [...shared, ...acted]]);
    if (sending + expanding > 0) return 'busy';
    const add = async (table: string, sql: string, ...parameters: unknown[]): Promise<void> => {
      counts[table] = (counts[table] ?? 0) + (await this.database.execute(sql, [environmentId, ...parameters]));
    };
    for (const [table, sql] of Object.entries(ERASE_BY_ROW)) await add(table, sql, id);
    await add('trigger', CLEAR_TRIGGERS, alone);
    await add('attachment', DELETE_ATTACHMENTS, alone);
    await add('trigger', REMOVE_RECIPIENT, shared, subscriberId);
    await this.database.execute(REMOVE_ACTOR, [environmentId, acted]);
    const [channels, texts] = [addresses.map(({ channel }) => channel), addresses.map(({ address }) => address)];
    await add('suppression', DELETE_SUPPRESSIONS, channels, texts, id);
    await add('setup_link', DELETE_SETUP_LINKS, subscriberId);
    const path = `/subscribers/${encodeURIComponent(subscriberId)}`;
    await add('idempotency_record', DELETE_IDEMPOTENCY_RECORDS, path);
    counts['event_log_entry'] = await this.count(ERASE_LOG, [environmentId, subscriberId]);
    await add('subscriber', `DELETE FROM subscriber WHERE environment_id = $1 AND id = $2`, id);
    return counts;
  }

  private async cancelOpenWork(environmentId: EnvironmentId, id: SubscriberRowId, triggers: TriggerId[]) {
    const [open] = await this.database.query<{ ids: NotificationId[] }>(FIND_OPEN_NOTIFICATIONS, [environmentId, id]);
    const { ids } = open!;
    if (ids.length > 0) await cancelSteps(this.database, CANCEL_NOTIFICATIONS, environmentId, ids);
    return ids.length + (await this.database.execute(CANCEL_TRIGGERS, [environmentId, triggers]));
  }

  /** Reads all triggers of the environment, in statements of bounded size: recipients have no index. */
  private async namingTriggers(environmentId: EnvironmentId, subscriberId: string): Promise<NamingTriggers> {
    const found: NamingTriggers = { alone: [], shared: [], acted: [] };
    for (let after: string | null = FIRST_ID; after !== null;) {
      const rows: (NamingTriggers & { read: number; last: string | null })[] = await this.database.query(
        FIND_TRIGGERS,
        [environmentId, subscriberId, after],
      );
      const { alone, shared, acted, read, last } = rows[0]!;
      found.alone.push(...alone);
      found.shared.push(...shared);
      found.acted.push(...acted);
      after = read === READ_TRIGGERS ? last : null;
    }
    return found;
  }

  private async count(sql: string, parameters: unknown[]): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(sql, parameters);
    return row!.count;
  }
}
