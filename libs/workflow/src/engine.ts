import { setTimeout as delay } from 'node:timers/promises';
import { ENGINE_STEP_TYPES, newId, type StepId, type TriggerId, withTimeoutOr } from '@clarion/contracts/core';
import {
  BulkActionRepository,
  ContextRepository,
  DigestRepository,
  EarlierStepRepository,
  FanOutRepository,
  HoldRepository,
  InboxRepository,
  ORPHANS_ENDED,
  type OrphanedRow,
  LagRepository,
  StepClaimRepository,
  StepOutcomeRepository,
  SurroundingsRepository,
  SweepRepository,
  ThrottleRepository,
  WorkflowCache,
} from '@clarion/persistence';
import { Batcher, Isolation, watch } from '@clarion/platform';
import { QueueConsumer, StepOffers } from '@clarion/queue';
import { contentsOf, readRenderBudgets, type Resources, type RunningRole } from '@clarion/runtime';
import { BulkActions } from './bulk-actions';
import { FanOut } from './fan-out';
import { RecipientChannels } from './recipient-channels';
import { Sweeper } from './sweeper';
import { Timers } from './timers';

/** The time to release rows after the deadline of the drain. */
const RELEASE_MS = 2_000;
/** Rows that are claimed together, and batches that run concurrently. Larger batches delay the events of others. */
const BATCH_SIZE = 200;
const BATCHES = 2;
const JOBS_AT_ONCE = 20;
const UNSNOOZE_SIZE = 500;
/** How long a suspect, which runs alone, waits for walks over topics and subscribers. */
const LONGEST_WAIT_MS = 5_000;

/** Starts the engine: the fan-out of triggers, the steps that the engine runs, bulk actions, and the sweeper. */
export async function startEngine(resources: Resources): Promise<RunningRole> {
  const { config, metrics, health, database, producer, queueBackend, queue } = resources;
  const { relay, secrets, templates, tracing, logger } = resources;
  const workflows = new WorkflowCache(database);
  const onOrphans = (rows: OrphanedRow[]): void => logger.warn({ rows }, ORPHANS_ENDED);
  const offers = new StepOffers(producer);
  const pause = (milliseconds: number): Promise<unknown> => delay(milliseconds, undefined, { ref: false });
  const settled = (): Promise<unknown> => Promise.all([fanOut.settled(), timers.settled()]);
  const isolation = new Isolation(() => Promise.race([settled(), pause(LONGEST_WAIT_MS)]), pause);
  const timers: Timers = new Timers({
    claims: new StepClaimRepository(database, onOrphans),
    outcomes: new StepOutcomeRepository(database),
    digests: new DigestRepository(database),
    throttles: new ThrottleRepository(database),
    workflows,
    surroundings: contentsOf({ database, templates }).within(new SurroundingsRepository(database)),
    earlierSteps: new EarlierStepRepository(database),
    templates,
    offers,
    tracing,
    metrics,
    pause,
    isolation,
    log: logger,
  });
  const fanOut: FanOut = new FanOut({
    store: new FanOutRepository(database, onOrphans),
    workflows,
    contexts: new ContextRepository(database),
    channels: new RecipientChannels(database, secrets),
    offers,
    runTimers: (stepIds) => timers.runWithin(stepIds),
    newId,
    now: () => new Date(),
    pause,
    isolation,
    tracing,
    metrics,
    log: logger,
  });
  const inbox = new InboxRepository(database);
  const holds = new HoldRepository(database);
  const sweeperOffers = new StepOffers(producer, 'granted');
  const sweeper = new Sweeper({
    store: new SweepRepository(database),
    offers: sweeperOffers,
    queues: sweeperOffers,
    unsnooze: async () => {
      const messages = await inbox.unsnoozeDue(UNSNOOZE_SIZE);
      await relay.publish(
        messages.map(({ id, environmentId, subscriberId }) => ({
          v: 1,
          // It comes back as if it had just arrived.
          kind: 'message.created',
          environmentId,
          subscriberId,
          messageIds: [id],
        })),
      );
      return messages.length;
    },
    releaseHeld: () => holds.release(),
    metrics,
    log: logger,
  });
  const triggerIntake = openIntake((ids: TriggerId[]) => fanOut.run(ids));
  const timerIntake = openIntake((ids: StepId[]) => timers.run(ids));
  const options = { ...queue, concurrency: JOBS_AT_ONCE };
  const consumers = [
    await QueueConsumer.open(
      queueBackend,
      'trigger',
      ({ triggerIds, goesFirst }) => triggerIntake.add(triggerIds, goesFirst),
      options,
    ),
    await QueueConsumer.open(
      queueBackend,
      'timer',
      ({ stepIds, goesFirst }) => timerIntake.add(stepIds, goesFirst),
      options,
    ),
  ];
  const bulkActions = new BulkActions({ store: new BulkActionRepository(database), offers, log: logger });
  sweeper.start();
  bulkActions.start();
  const lag = new LagRepository(database);
  metrics.exportLag(() => lag.read(config.CLARION_METRICS_ENVIRONMENTS));
  const unwatch = [
    readRenderBudgets(resources),
    watch(
      { metrics, health },
      {
        role: 'engine',
        lastProgressAt: () => Math.max(...consumers.map(({ lastProgressAt }) => lastProgressAt)),
        hasWork: async () =>
          (await producer.answers()) && ((await lag.hasTriggersOnOffer()) || lag.hasStepsOnOffer(ENGINE_STEP_TYPES)),
      },
    ),
    // The sweeper always has work: it has to sweep also when no row is due.
    watch(
      { metrics, health },
      {
        role: 'sweeper',
        lastProgressAt: () => sweeper.lastSweepAt,
        hasWork: () => database.ping().then(() => true),
      },
    ),
  ];
  const finish = async (deadlineMs: number): Promise<void> => {
    await Promise.all([sweeper.stop(), bulkActions.stop()]);
    await Promise.all(consumers.map((consumer) => consumer.close(deadlineMs)));
    await triggerIntake.drain();
    await timerIntake.drain();
    await fanOut.stop();
    await timers.stop();
  };
  return {
    async stop() {
      for (const end of unwatch) end();
      await withTimeoutOr(finish(config.CLARION_DRAIN_MS), config.CLARION_DRAIN_MS + RELEASE_MS, undefined);
    },
  };
}

type Intake<Id> = {
  /** Ids that go first do not wait behind batches of others. */
  add(ids: Id[], goesFirst?: boolean): Promise<void>;
  drain(): Promise<void>;
};

/** Combines small jobs that arrive together into one batch. */
function openIntake<Id extends string>(run: (ids: Id[]) => Promise<void>): Intake<Id> {
  const open = (): Batcher<Id, void> =>
    new Batcher({
      maxItems: BATCH_SIZE,
      maxWaitMs: 0,
      concurrency: BATCHES,
      run: async (ids) => {
        await run([...new Set(ids)]);
        return ids.map(() => undefined);
      },
    });
  const [first, others] = [open(), open()];
  return {
    async add(ids, goesFirst = false) {
      await (goesFirst ? first : others).addMany(ids);
    },
    async drain() {
      await Promise.all([first.drain(), others.drain()]);
    },
  };
}
