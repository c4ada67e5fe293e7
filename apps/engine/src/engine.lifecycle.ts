import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { ENGINE_STEP_TYPES, withTimeoutOr } from '@clarion/contracts/core';
import { Database, LagRepository } from '@clarion/persistence';
import { Config, Health, type Logger, Metrics, watch } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import { LOGGER, readRenderBudgets } from '@clarion/runtime';
import { BulkActions, FanOut, Sweeper, Timers } from '@clarion/workflow';
import { TimerProcessor } from './timer.processor';
import { TriggerProcessor } from './trigger.processor';

/** The time to release rows after the deadline of the drain. */
const RELEASE_MS = 2_000;

/** Starts what the engine does without a job, watches its progress, and owns the order in which it stops. */
@Injectable()
export class EngineLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private unwatch: (() => void)[] = [];

  constructor(
    private readonly triggers: TriggerProcessor,
    private readonly timerSteps: TimerProcessor,
    private readonly fanOut: FanOut,
    private readonly timers: Timers,
    private readonly sweeper: Sweeper,
    private readonly bulkActions: BulkActions,
    private readonly lag: LagRepository,
    private readonly producer: QueueProducer,
    private readonly database: Database,
    private readonly templates: TemplateRenderer,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly health: Health,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { sweeper, lag, producer, database, metrics } = this;
    sweeper.start();
    this.bulkActions.start();
    metrics.exportLag(() => lag.read(this.config.CLARION_METRICS_ENVIRONMENTS));
    this.unwatch = [
      readRenderBudgets(this.parts),
      watch(this.parts, {
        role: 'engine',
        lastProgressAt: () => Math.max(this.triggers.lastProgressAt, this.timerSteps.lastProgressAt),
        hasWork: async () =>
          (await producer.answers()) && ((await lag.hasTriggersOnOffer()) || lag.hasStepsOnOffer(ENGINE_STEP_TYPES)),
      }),
      // The sweeper always has work: it has to sweep also when no row is due.
      watch(this.parts, {
        role: 'sweeper',
        lastProgressAt: () => sweeper.lastSweepAt,
        hasWork: () => database.ping().then(() => true),
      }),
    ];
  }

  private get parts() {
    const { database, templates, log, metrics, health } = this;
    return { database, templates, log, metrics, health };
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const end of this.unwatch) end();
    const { CLARION_DRAIN_MS: drainMs } = this.config;
    await withTimeoutOr(this.finish(drainMs), drainMs + RELEASE_MS, undefined);
  }

  private async finish(deadlineMs: number): Promise<void> {
    await Promise.all([this.sweeper.stop(), this.bulkActions.stop()]);
    await Promise.all([this.triggers.close(deadlineMs), this.timerSteps.close(deadlineMs)]);
    await this.triggers.intake.drain();
    await this.timerSteps.intake.drain();
    await this.fanOut.stop();
    await this.timers.stop();
  }
}
