import { AsyncResource } from 'node:async_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import { type EnvironmentId, groupBy, NORMAL_LANE, TENANT_LIMITS, type TriggerId } from '@clarion/contracts';
import {
  type AcceptedTrigger,
  Database,
  EnvironmentSlots,
  isDatabaseUnavailable,
  type NewTrigger,
  type SharedTrigger,
  TriggerRepository,
  type TriggerOrigin,
} from '@clarion/persistence';
import { Config, Metrics } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import { ActiveOrganizations } from './active-organizations';
import { generatedTransactionId } from './trigger-row';

export type StoringCall = TriggerOrigin & { environmentId: EnvironmentId; bodyBytes: number };

type OfferedTrigger = Pick<SharedTrigger, 'id' | 'environmentId' | 'lane'>;

type StoreResult = { accepted: AcceptedTrigger } | { error: unknown };

/** The limits of a shared statement: 100 events of at most 16 KiB. A larger event is stored alone. */
const SHARED_EVENTS = 100;
const SHARED_EVENT_BYTES = 16 * 1024;
/** While one statement waits for its commit, Postgres can run the next one. */
const SHARED_STATEMENTS_AT_ONCE = 2;

/** The batches of one kind of events, and the events that wait in them. */
type Intake = { batches: Batcher<SharedTrigger, StoreResult>; waiting: number };

/** The intake of events whose transactionId was made by this service. */
const GENERATED = 'generated';

/**
 * Stores accepted events and offers them to the queue after the commit.
 *
 * Single events that wait in this process at the same moment share one statement and one job: the first one is sent in
 * the same turn of the event loop, those that arrive while statements run are sent together when one of them ends. No
 * timer is involved, so a caller alone waits for nothing. The batch runs outside of the transactions, the tenants and
 * the log fields of its callers.
 *
 * Events with a generated transactionId share statements with those of other environments. A transactionId of a caller
 * can be locked by another statement, so such events share statements only within their environment: a caller that
 * repeats an id of a long bulk call delays no other environment.
 */
@Injectable()
export class TriggerStore implements OnApplicationShutdown {
  private readonly intakes = new Map<EnvironmentId | typeof GENERATED, Intake>();
  /** An intake is created for a call, and its batches must not run in the context of that call. */
  private readonly ownContext = new AsyncResource('TriggerStore');
  private readonly active = new ActiveOrganizations();
  /** For events of bulk calls, and for shared statements of one environment. */
  private readonly events: EnvironmentSlots;
  private readonly statements: EnvironmentSlots;

  constructor(
    private readonly database: Database,
    private readonly triggers: TriggerRepository,
    private readonly producer: QueueProducer,
    private readonly metrics: Metrics,
    { CLARION_DATABASE_POOL: pool }: Config,
  ) {
    const [alone, besideOthers] = [true, false].map((isAlone) => TENANT_LIMITS.storedEvents(pool, isAlone));
    const statements = TENANT_LIMITS.sharedStatements(pool);
    this.events = database.slotsOf((environmentId) =>
      this.active.isAlone(database.organizations.of(environmentId)) ? alone! : besideOthers!,
    );
    this.statements = database.slotsOf(() => statements);
  }

  /** Returns one result per trigger, in order. The triggers of one call are stored together or not at all. */
  async store(call: StoringCall, triggers: NewTrigger[]): Promise<AcceptedTrigger[]> {
    this.active.note(this.database.organizations.of(call.environmentId));
    const [first, ...others] = triggers;
    if (first && others.length === 0 && this.canShare(call, first)) return [await this.storeShared(call, first)];
    const { environmentId } = call;
    const insert = () => this.triggers.insertMany(environmentId, triggers, call);
    // A transaction waits for nothing here, because it has a connection already.
    const results = this.database.isInTransaction
      ? await insert()
      : await inTurn(this.events, environmentId, triggers.length, insert);
    const stored = triggers.filter((_, index) => results[index]!.stored);
    this.database.afterCommit(() => this.offer(stored.map(({ id, lane }) => ({ id, environmentId, lane }))));
    return results;
  }

  /** Nest calls this after the last response was sent. Events of callers that disconnected may still wait. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.intakes.values()].map(({ batches }) => batches.drain()));
  }

  /** With an idempotency key the event commits in the transaction of its call, together with the stored response. */
  private canShare({ bodyBytes }: StoringCall, { attachments, sensitive, copy, payload }: NewTrigger): boolean {
    const isPlain = !attachments && !sensitive && !copy;
    if (this.database.isInTransaction || !isPlain || bodyBytes > SHARED_EVENT_BYTES) return false;
    // The payload schema of the workflow may have added defaults that the body does not contain.
    return JSON.stringify(payload).length <= SHARED_EVENT_BYTES;
  }

  private async storeShared(call: StoringCall, trigger: NewTrigger): Promise<AcceptedTrigger> {
    const { environmentId, requestId, trace } = call;
    const name = trigger.transactionId === generatedTransactionId(trigger.id) ? GENERATED : environmentId;
    const intake = this.intakeOf(name);
    intake.waiting += 1;
    try {
      const result = await intake.batches.add({ environmentId, requestId, ...trigger, ...trace });
      if ('error' in result) throw result.error;
      return result.accepted;
    } finally {
      intake.waiting -= 1;
      if (intake.waiting === 0) this.intakes.delete(name);
    }
  }

  private intakeOf(name: EnvironmentId | typeof GENERATED): Intake {
    let intake = this.intakes.get(name);
    if (!intake) this.intakes.set(name, (intake = this.ownContext.runInAsyncScope(() => this.newIntake(name))));
    return intake;
  }

  private newIntake(name: EnvironmentId | typeof GENERATED): Intake {
    const run = (triggers: SharedTrigger[]): Promise<StoreResult[]> => this.insertShared(triggers);
    const batches = new Batcher<SharedTrigger, StoreResult>({
      maxItems: SHARED_EVENTS,
      maxWaitMs: 0,
      concurrency: SHARED_STATEMENTS_AT_ONCE,
      run: (triggers) => (name === GENERATED ? run(triggers) : inTurn(this.statements, name, 1, () => run(triggers))),
    });
    return { batches, waiting: 0 };
  }

  /**
   * An event that Postgres cannot store must not fail the others: the halves of a failed batch are stored separately,
   * down to single events. While the database is unavailable that would only add load, so the whole batch fails.
   */
  private async insertShared(triggers: SharedTrigger[]): Promise<StoreResult[]> {
    try {
      const results = await this.triggers.insertShared(triggers);
      this.offer(triggers.filter((_, index) => results[index]!.stored));
      return results.map((accepted) => ({ accepted }));
    } catch (error) {
      if (triggers.length === 1 || isDatabaseUnavailable(error)) return triggers.map(() => ({ error }));
      const middle = triggers.length >> 1;
      // One after the other, so that of two events with one transactionId still the first is stored.
      const before = await this.insertShared(triggers.slice(0, middle));
      return [...before, ...(await this.insertShared(triggers.slice(middle)))];
    }
  }

  /** One job names all triggers of a place. */
  private offer(stored: OfferedTrigger[]): void {
    const byPlace = new Map<number, TriggerId[]>();
    const ownerOf = ({ environmentId, lane }: OfferedTrigger): string => `${environmentId} ${lane}`;
    for (const triggers of groupBy(stored, ownerOf).values()) {
      const { environmentId, lane = NORMAL_LANE } = triggers[0]!;
      this.metrics.acceptTriggers(environmentId, triggers.length);
      const place = this.producer.placeOf('trigger', lane, environmentId, triggers.length);
      byPlace.set(place, [...(byPlace.get(place) ?? []), ...triggers.map(({ id }) => id)]);
    }
    void this.producer.enqueueMany(
      [...byPlace].map(([place, triggerIds]) => ({ name: 'trigger', payload: { v: 1, triggerIds }, place })),
    );
  }
}

/** What waits while the database is unavailable fails with the statement before it. */
async function inTurn<T>(
  slots: EnvironmentSlots,
  environmentId: EnvironmentId,
  amount: number,
  insert: () => Promise<T>,
): Promise<T> {
  const giveBack = await slots.take(environmentId, amount);
  try {
    return await insert();
  } catch (error) {
    if (isDatabaseUnavailable(error)) slots.refuseWaiting(environmentId, error);
    throw error;
  } finally {
    giveBack();
  }
}
