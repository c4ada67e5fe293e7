import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Isolation } from '@clarion/claims';
import { TemplateRenderer } from '@clarion/content';
import { newId, type StepId } from '@clarion/contracts/core';
import {
  BulkActionRepository,
  ContextRepository,
  Database,
  DigestRepository,
  EarlierStepRepository,
  FanOutRepository,
  HoldRepository,
  InboxRepository,
  ORPHANS_ENDED,
  type OrphanedRow,
  StepClaimRepository,
  StepOutcomeRepository,
  SurroundingsRepository,
  SweepRepository,
  ThrottleRepository,
  WorkflowCache,
} from '@clarion/persistence';
import { type Logger, Metrics, SecretBox, type Tracing } from '@clarion/platform';
import { QueueProducer, RealtimeRelay, StepOffers } from '@clarion/queue';
import { contentsOf, LOGGER, PersistenceModule, TRACING } from '@clarion/runtime';
import { BulkActions } from './bulk-actions';
import { FanOut, type FanOutParts } from './fan-out';
import { RecipientChannels } from './recipient-channels';
import { Sweeper } from './sweeper';
import { type TimerParts, Timers } from './timers';

const UNSNOOZE_SIZE = 500;
/** How long a suspect, which runs alone, waits for walks over topics and subscribers. */
const LONGEST_WAIT_MS = 5_000;

const SURROUNDINGS = Symbol('surroundings');

const pause = (milliseconds: number): Promise<unknown> => delay(milliseconds, undefined, { ref: false });

@Injectable()
class InjectedTimerParts implements TimerParts {
  readonly pause = pause;

  constructor(
    readonly claims: StepClaimRepository,
    readonly outcomes: StepOutcomeRepository,
    readonly digests: DigestRepository,
    readonly throttles: ThrottleRepository,
    readonly workflows: WorkflowCache,
    @Inject(SURROUNDINGS) readonly surroundings: TimerParts['surroundings'],
    readonly earlierSteps: EarlierStepRepository,
    readonly templates: TemplateRenderer,
    readonly offers: StepOffers,
    @Inject(TRACING) readonly tracing: Tracing,
    readonly metrics: Metrics,
    readonly isolation: Isolation,
    @Inject(LOGGER) readonly log: Logger,
  ) {}
}

@Injectable()
class InjectedFanOutParts implements FanOutParts {
  readonly newId = newId;
  readonly pause = pause;

  constructor(
    readonly store: FanOutRepository,
    readonly workflows: WorkflowCache,
    readonly contexts: ContextRepository,
    readonly channels: RecipientChannels,
    readonly offers: StepOffers,
    private readonly timers: Timers,
    readonly isolation: Isolation,
    @Inject(TRACING) readonly tracing: Tracing,
    readonly metrics: Metrics,
    @Inject(LOGGER) readonly log: Logger,
  ) {}

  readonly runTimers = (stepIds: StepId[]): Promise<void> => this.timers.runWithin(stepIds);
  readonly now = (): Date => new Date();
}

/** A repository that reports rows whose workflow is gone. */
const withOrphans = <T>(Repository: new (database: Database, onOrphans: (rows: OrphanedRow[]) => void) => T) => ({
  provide: Repository,
  useFactory: (database: Database, logger: Logger) =>
    new Repository(database, (rows) => logger.warn({ rows }, ORPHANS_ENDED)),
  inject: [Database, LOGGER],
});

/** The fan-out of triggers, the steps that the engine runs, bulk actions, and the sweeper. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      BulkActionRepository,
      ContextRepository,
      DigestRepository,
      EarlierStepRepository,
      HoldRepository,
      InboxRepository,
      StepOutcomeRepository,
      SurroundingsRepository,
      SweepRepository,
      ThrottleRepository,
      WorkflowCache,
    ]),
  ],
  providers: [
    withOrphans(StepClaimRepository),
    withOrphans(FanOutRepository),
    InjectedTimerParts,
    InjectedFanOutParts,
    { provide: Timers, useFactory: (parts: TimerParts) => new Timers(parts), inject: [InjectedTimerParts] },
    { provide: FanOut, useFactory: (parts: FanOutParts) => new FanOut(parts), inject: [InjectedFanOutParts] },
    {
      provide: RecipientChannels,
      useFactory: (database: Database, secrets: SecretBox) => new RecipientChannels(database, secrets),
      inject: [Database, SecretBox],
    },
    {
      provide: SURROUNDINGS,
      useFactory: (database: Database, templates: TemplateRenderer, rows: SurroundingsRepository) =>
        contentsOf({ database, templates }).within(rows),
      inject: [Database, TemplateRenderer, SurroundingsRepository],
    },
    {
      provide: Isolation,
      // What it waits for is made with it.
      useFactory: (module: ModuleRef) => {
        const settled = () => Promise.all([module.get(FanOut).settled(), module.get(Timers).settled()]);
        return new Isolation(() => Promise.race([settled(), pause(LONGEST_WAIT_MS)]), pause);
      },
      inject: [ModuleRef],
    },
    {
      provide: BulkActions,
      useFactory: (store: BulkActionRepository, offers: StepOffers, log: Logger) =>
        new BulkActions({ store, offers, log }),
      inject: [BulkActionRepository, StepOffers, LOGGER],
    },
    {
      provide: Sweeper,
      useFactory: openSweeper,
      inject: [SweepRepository, QueueProducer, InboxRepository, RealtimeRelay, HoldRepository, Metrics, LOGGER],
    },
  ],
  exports: [BulkActions, FanOut, Sweeper, Timers],
})
export class WorkflowModule {}

function openSweeper(
  store: SweepRepository,
  producer: QueueProducer,
  inbox: InboxRepository,
  relay: RealtimeRelay,
  holds: HoldRepository,
  metrics: Metrics,
  log: Logger,
): Sweeper {
  const offers = new StepOffers(producer);
  return new Sweeper({
    store,
    offers,
    queues: offers,
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
    log,
  });
}
