import { type EnvironmentId, groupBy } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { withPartitions } from '../schema/partitions';
import { cancelSteps } from './cancel-steps';
import { extrasOf, isOwnTransaction, originColumns, triggerColumns } from './trigger-columns';
import type { NewTrigger, SharedTrigger, TriggerOrigin } from './trigger-rows';
import {
  CANCEL_TRANSACTION,
  FIND_TRANSACTIONS,
  INSERT,
  INSERT_OWN,
  INSERT_OWN_SHARED,
  INSERT_SHARED,
  insertWith,
} from './trigger.sql';

/** `stored`: this call stored the trigger. Otherwise the transactionId existed, with the given fingerprint. */
export type AcceptedTrigger = { transactionId: string; stored: boolean; fingerprint: string };

/** Sorted, so that statements with the same ids wait instead of deadlocking. Equal ids keep their order. */
const inOrder = <T extends NewTrigger | SharedTrigger>(triggers: T[]): T[] =>
  triggers.toSorted((a, b) => compare(a.transactionId, b.transactionId) || compare(environmentOf(a), environmentOf(b)));

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const environmentOf = (trigger: NewTrigger | SharedTrigger): string =>
  'environmentId' in trigger ? trigger.environmentId : '';

const keyOf = (of: { environmentId: string; transactionId: string }): string =>
  `${of.environmentId}/${of.transactionId}`;

function accepted(
  { id, transactionId, fingerprint }: Pick<NewTrigger, 'id' | 'transactionId' | 'fingerprint'>,
  fresh: Set<string>,
  firstUse: () => string | undefined,
): AcceptedTrigger {
  const stored = fresh.has(id);
  return { transactionId, stored, fingerprint: stored ? fingerprint : firstUse()! };
}

export class TriggerRepository extends Repository {
  /** One statement. The primary key of `transaction` decides which transactionIds of callers are new. */
  async insertMany(
    environmentId: EnvironmentId,
    triggers: NewTrigger[],
    origin: TriggerOrigin = {},
  ): Promise<AcceptedTrigger[]> {
    const fresh = await withPartitions(this.database, () => this.insertStatement(environmentId, triggers, origin));
    const used = triggers.filter(({ id }) => !fresh.has(id)).map(({ transactionId }) => transactionId);
    const known = used.length === 0 ? new Map<string, string>() : await this.findTransactions(environmentId, used);
    return triggers.map((trigger) => accepted(trigger, fresh, () => known.get(trigger.transactionId)));
  }

  /**
   * Stores events of several calls, also of several environments, in one statement. It runs with the rights of the
   * service, because row-level security knows one environment per statement. So the environment of each event must come
   * from the API key of its call and from nothing else. Of two events with one transactionId, the first is stored.
   */
  insertShared(triggers: SharedTrigger[]): Promise<AcceptedTrigger[]> {
    return this.database.apart(async () => {
      const fresh = await withPartitions(this.database, () => this.insertSharedStatement(triggers));
      const used = triggers.filter(({ id }) => !fresh.has(id));
      const known = used.length === 0 ? new Map<string, string>() : await this.findFirstUses(used);
      return triggers.map((trigger) => accepted(trigger, fresh, () => known.get(keyOf(trigger))));
    });
  }

  /** The hot statement of the gateway. */
  private async insertStatement(
    environmentId: EnvironmentId,
    triggers: NewTrigger[],
    { requestId, trace }: TriggerOrigin,
  ): Promise<Set<string>> {
    const input = inOrder(triggers);
    const columns = await triggerColumns(input);
    const common = [environmentId, requestId ?? null, trace?.traceparent ?? null, trace?.tracestate ?? null];
    const extras = extrasOf(input);
    if (extras.length > 0) {
      const names = extras.map(({ name }) => name);
      const values = [...columns, ...common, ...extras.flatMap((extra) => extra.values)];
      return this.insert(`insert-triggers-with-${names.join('-')}`, insertWith(names), values);
    }
    return triggers.every(isOwnTransaction)
      ? this.insert('insert-own-triggers', INSERT_OWN, [...columns, ...common])
      : this.insert('insert-triggers', INSERT, [...columns, ...common]);
  }

  /** A separate name, because Postgres plans a prepared statement again when the role has changed since. */
  private async insertSharedStatement(triggers: SharedTrigger[]): Promise<Set<string>> {
    const input = inOrder(triggers);
    const columns = [...(await triggerColumns(input)), ...originColumns(input)];
    return triggers.every(isOwnTransaction)
      ? this.insert('insert-own-shared-triggers', INSERT_OWN_SHARED, columns)
      : this.insert('insert-shared-triggers', INSERT_SHARED, columns);
  }

  /** Returns the ids of the triggers that were stored. */
  private async insert(name: string, text: string, values: unknown[]): Promise<Set<string>> {
    const rows = await this.database.prepared<{ id: string }>(name, text, values);
    return new Set(rows.map(({ id }) => id));
  }

  private async findFirstUses(triggers: SharedTrigger[]): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    for (const used of groupBy(triggers, (trigger) => trigger.environmentId).values()) {
      const { environmentId } = used[0]!;
      const transactionIds = used.map(({ transactionId }) => transactionId);
      for (const [transactionId, fingerprint] of await this.findTransactions(environmentId, transactionIds)) {
        known.set(keyOf({ environmentId, transactionId }), fingerprint);
      }
    }
    return known;
  }

  /** Fingerprints of the transactionIds that exist. */
  async findTransactions(environmentId: EnvironmentId, transactionIds: string[]): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ transactionId: string; fingerprint: string }>(FIND_TRANSACTIONS, [
      environmentId,
      transactionIds,
    ]);
    return new Map(rows.map((row) => [row.transactionId, row.fingerprint]));
  }

  /**
   * Cancels the part of a transaction that has not run: the trigger while it waits or while its recipients are
   * resolved, and steps that wait for a timer with the steps behind them. A digest that other steps have joined
   * continues without this event: the oldest of them replaces it. True when something was canceled.
   */
  async cancel(environmentId: EnvironmentId, transactionId: string): Promise<boolean> {
    return (await cancelSteps<number>(this.database, CANCEL_TRANSACTION, environmentId, transactionId)) > 0;
  }
}
