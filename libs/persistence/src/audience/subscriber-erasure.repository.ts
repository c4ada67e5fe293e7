import type { EnvironmentId, NotificationId, SubscriberRowId, TriggerId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { cancelSteps } from '../work/cancel-steps';
import {
  CANCEL_TRIGGERS,
  CLEAR_BREAKER_REASONS,
  CLEAR_TRIGGERS,
  COUNT_OPEN_STEPS,
  COUNT_OPEN_TRIGGERS,
  DELETE_ATTACHMENTS,
  DELETE_COPIES,
  DELETE_DIFFERENCES,
  DELETE_IDEMPOTENCY_RECORDS,
  DELETE_IMPORTS,
  DELETE_SETUP_LINKS,
  DELETE_SUPPRESSIONS,
  ERASE_BY_ROW,
  ERASE_LOG,
  FIND_OPEN_NOTIFICATIONS,
  FIND_SUPPRESSIONS,
  REMOVE_ACTOR,
  REMOVE_RECIPIENT,
} from './subscriber-erasure.sql';
import { SubscriberTraces, type Traces } from './subscriber-traces';
import type { SuppressibleAddress } from './suppression.repository';
import { CANCEL_NOTIFICATIONS } from '../work/trigger.sql';
import { columnArrays } from '../sql/column-arrays';

export type ErasedSubscriber = {
  id: SubscriberRowId;
  subscriberId: string;
  /** In the spelling of libs/rules. */
  addresses: SuppressibleAddress[];
};

/** Rows that were deleted or cleared, by table; open work that was canceled is counted as `work`. */
export type ErasedCounts = Record<string, number>;

/** What was found about a subscriber before its erasure: what names it, and its addresses that others have too. */
export type ErasureSurvey = { traces: Traces; shared: SuppressibleAddress[] };

export class SubscriberErasureRepository extends Repository {
  private readonly traces = new SubscriberTraces(this.database);

  /** What names the subscriber now. The erasure reads only what comes later. */
  findTraces(environmentId: EnvironmentId, subscriberId: string): Promise<Traces> {
    return this.traces.find(environmentId, subscriberId);
  }

  /** The suppressions that the erasure would delete, and the subscribers that may have one of these addresses too. */
  async findSuppressions(environmentId: EnvironmentId, { id, addresses }: ErasedSubscriber) {
    const found = await this.database.query<SuppressibleAddress>(FIND_SUPPRESSIONS, [
      environmentId,
      ...columnArrays(addresses, 'channel', 'address'),
      id,
    ]);
    return { addresses: found, others: await this.traces.holdersOf(environmentId, id, found) };
  }

  /** Locks the subscriber until the transaction ends: of two erasures, one finds it. */
  lock(environmentId: EnvironmentId, subscriberId: string): Promise<boolean> {
    return this.database.matches(
      `SELECT 1 FROM subscriber WHERE environment_id = $1 AND subscriber_id = $2 FOR UPDATE`,
      [environmentId, subscriberId],
    );
  }

  /**
   * Removes what the environment stores about the subscriber, and cancels its open work. Must run in a transaction,
   * which the caller rolls back when the result is `busy`: a provider is being called for the subscriber, or a trigger
   * that names it with others is being expanded, and both would write about it again.
   */
  async erase(
    environmentId: EnvironmentId,
    { id, subscriberId, addresses }: ErasedSubscriber,
    survey: ErasureSurvey,
  ): Promise<ErasedCounts | 'busy'> {
    const traces = await this.traces.find(environmentId, subscriberId, survey.traces);
    const { alone, shared, acted } = traces;
    const counts: ErasedCounts = { work: await this.cancelOpenWork(environmentId, id, alone) };
    const sending = await this.count(COUNT_OPEN_STEPS, [environmentId, id]);
    const expanding = await this.count(COUNT_OPEN_TRIGGERS, [environmentId, [...shared, ...acted]]);
    if (sending + expanding > 0) return 'busy';
    const add = async (table: string, sql: string, ...parameters: unknown[]): Promise<void> => {
      counts[table] = (counts[table] ?? 0) + (await this.database.execute(sql, [environmentId, ...parameters]));
    };
    // Before the messages, which some of them name.
    await add(
      'suppression',
      DELETE_SUPPRESSIONS,
      ...columnArrays(addresses, 'channel', 'address'),
      id,
      ...columnArrays(survey.shared, 'channel', 'address'),
    );
    for (const [table, sql] of Object.entries(ERASE_BY_ROW)) await add(table, sql, id);
    await add('trigger', CLEAR_TRIGGERS, alone);
    await add('attachment', DELETE_ATTACHMENTS, alone);
    await add('mirror_copy', DELETE_COPIES, alone);
    await add('mirror_difference', DELETE_DIFFERENCES, subscriberId);
    await add('import_run', DELETE_IMPORTS, subscriberId);
    await add('trigger', REMOVE_RECIPIENT, shared, subscriberId);
    await this.database.execute(REMOVE_ACTOR, [environmentId, acted]);
    await add('setup_link', DELETE_SETUP_LINKS, subscriberId);
    const texts = addresses.map(({ address }) => address);
    const paths = texts.flatMap((text) => [`/${text}`, `/${encodeURIComponent(text)}`]);
    paths.push(`/subscribers/${encodeURIComponent(subscriberId)}`);
    await add('idempotency_record', DELETE_IDEMPOTENCY_RECORDS, paths);
    await this.database.execute(CLEAR_BREAKER_REASONS, [environmentId, texts]);
    await this.database.execute(ERASE_LOG, [environmentId, traces.entries, subscriberId]);
    counts['event_log_entry'] = traces.entries.length;
    await add('subscriber', `DELETE FROM subscriber WHERE environment_id = $1 AND id = $2`, id);
    return counts;
  }

  private async cancelOpenWork(environmentId: EnvironmentId, id: SubscriberRowId, triggers: TriggerId[]) {
    const [open] = await this.database.query<{ ids: NotificationId[] }>(FIND_OPEN_NOTIFICATIONS, [environmentId, id]);
    const { ids } = open!;
    if (ids.length > 0) await cancelSteps(this.database, CANCEL_NOTIFICATIONS, environmentId, ids);
    return ids.length + (await this.database.execute(CANCEL_TRIGGERS, [environmentId, triggers]));
  }

  private count(sql: string, parameters: unknown[]): Promise<number> {
    return this.database.value<number>(sql, parameters);
  }
}
