import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AUTHORED_STEP_TYPES,
  type Channel,
  DUE_CAUSES,
  type DueCause,
  HOLD_CAUSES,
  type IntegrationState,
  type Lag,
  type Lane,
  LANE_NUMBERS,
  PRIORITIES,
  type Priority,
  type StepType,
  withTimeoutOr,
} from '@clarion/contracts/core';
import { collectDefaultMetrics } from 'prom-client';
import type { BatchKind, CallKind, MessageOutcome, PoolUse, RescueKind, Stage } from './measurements';
import { EnvironmentMetrics } from './environment-metrics';
import { LimitMetrics } from './limit-metrics';
import { MetricSet } from './metric-set';
import { SocketMetrics } from './socket-metrics';
import { MirrorMetrics } from './mirror-metrics';
import { PostgresMetrics } from './postgres-metrics';
import { WebhookMetrics } from './webhook-metrics';

/** Scrapes within this time share one read of the database. */
const LAG_CACHE_MS = 2_000;
/** Prometheus limits a scrape to five seconds; a database that does not answer must not fail the whole scrape. */
const LAG_MS = 3_000;

const ACCOUNT_STATES: readonly IntegrationState[] = ['open', 'paused', 'failing', 'closed'];
const STAGE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const BATCH_SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

/**
 * All metrics of a process, and the only place that names them. Labels have few values: channels, providers and
 * outcomes are fixed lists, and the environment is a label only when the operator enables it.
 */
export class Metrics {
  private readonly own = new MetricSet();
  /** Lag metrics are exported only by processes that read the database; a worker would report zero. */
  private readonly lag = new MetricSet();
  private readonly collectors = new Set<() => void>();
  private readonly roundTrips = { postgres: 0, redis: 0 };
  private readLag: (() => Promise<Lag>) | undefined;
  private seenLag: { at: number; lag: Promise<Lag | undefined> } | undefined;

  private readonly environmentLabel = this.environments ? ['environment'] : [];
  private readonly triggersAccepted = this.own.counter(
    'clarion_triggers_accepted_total',
    'Events that were stored and acknowledged.',
    this.environmentLabel,
  );
  private readonly notificationsCreated = this.own.counter(
    'clarion_notifications_created_total',
    'Notifications that triggers were turned into.',
    this.environmentLabel,
  );
  private readonly messages = this.own.counter(
    'clarion_messages_total',
    'Messages by outcome: sent, failed permanently, to be retried, in doubt after a crash, suppressed.',
    ['channel', 'provider', 'outcome', ...this.environmentLabel],
  );
  private readonly providerFailures = this.own.counter(
    'clarion_provider_failures_total',
    'Calls to providers that did not succeed, by the kind of failure.',
    ['channel', 'provider', 'kind', ...this.environmentLabel],
  );
  private readonly sweeperRescues = this.own.counter(
    'clarion_sweeper_rescues_total',
    'Rows that the sweeper offered: triggers and steps that no queue moved, and those whose lease had ended.',
    ['kind'],
  );
  private readonly roundTripsTotal = this.own.counter(
    'clarion_round_trips_total',
    'Statements sent to Postgres and commands sent to Redis.',
    ['store'],
  );
  private readonly inboundEvents = this.own.counter(
    'clarion_inbound_events_total',
    'Delivery events that providers reported.',
    ['provider', 'kind'],
  );
  private readonly queueFailedAdds = this.own.counter(
    'clarion_queue_failed_adds_total',
    'Jobs that could not be put into the queue; the sweeper offers their rows again.',
  );
  private readonly httpResponses = this.own.counter(
    'clarion_http_responses_total',
    'API calls that the gateway answered, by kind and status.',
    ['kind', 'status'],
  );

  readonly limits = new LimitMetrics(this.own);
  readonly sockets = new SocketMetrics(this.own);
  private readonly stageSeconds = this.own.histogram(
    'clarion_stage_seconds',
    'Time by stage: accept a call, wait until claimed after being due, render a batch, wait for the limit of an ' +
      'integration on messages a second, call the provider, commit a batch, and end to end from the accepted event ' +
      'to the sent message, where no delay or digest came before it. Waits until claimed and end to end have a lane.',
    ['stage', 'channel', 'lane'],
    STAGE_SECONDS,
  );
  private readonly providerCallSeconds = this.own.histogram(
    'clarion_provider_call_seconds',
    'Duration of the calls to a provider, by message; the messages of a shared call have the same duration.',
    ['channel', 'provider'],
    CALL_SECONDS,
  );
  private readonly commitBatchSize = this.own.histogram(
    'clarion_commit_batch_size',
    'Rows that shared a statement; messages that were rendered together.',
    ['kind'],
    BATCH_SIZES,
  );

  private readonly oldestDueAge = this.lag.gauge(
    'clarion_oldest_due_age_seconds',
    'For how long the oldest due step has been due; the series without lane and cause is that of all.',
    ['channel', 'lane', 'cause'],
  );
  private readonly dueSteps = this.lag.gauge(
    'clarion_due_steps',
    'Steps that are due and not done, up to 50000 for each channel; the series without lane and cause is their sum.',
    ['channel', 'lane', 'cause'],
  );
  private readonly openTriggers = this.lag.gauge(
    'clarion_open_triggers',
    'Accepted triggers that are not yet notifications; counted up to 10000.',
  );
  private readonly oldestOpenTriggerAge = this.lag.gauge(
    'clarion_oldest_open_trigger_age_seconds',
    'The age of the oldest open trigger.',
  );
  private readonly integrationState = this.lag.gauge(
    'clarion_integration_state',
    'Active integrations by state: closed is well, open means that its circuit breaker keeps calls back, ' +
      'paused that the provider asked for it, failing that calls are made and send no message.',
    ['channel', 'provider', 'state', ...(this.environments ? ['environment', 'integration'] : [])],
  );

  private readonly heldSteps = this.lag.gauge(
    'clarion_held_steps',
    'Steps that wait until a hold is resumed, by the target of the hold.',
    ['target'],
  );

  private readonly stepsHeld = this.own.gauge(
    'clarion_steps_held',
    'Steps that this process has claimed and not finished.',
    ['channel'],
  );
  private readonly poolConnections = this.own.gauge(
    'clarion_pool_connections',
    'Connections to Postgres by state; waiting counts the requests for one.',
    ['state'],
  );
  private readonly replicaLag = this.own.gauge(
    'clarion_read_replica_lag_seconds',
    'Changes that were committed longer ago than this are visible on the read replica.',
    ['role'],
  );
  private readonly lastProgressAge = this.own.gauge(
    'clarion_last_progress_age_seconds',
    'Time since a role last took or finished something.',
    ['role'],
  );

  private readonly busiest = new EnvironmentMetrics(this.own, this.lag);
  readonly webhooks = new WebhookMetrics(this.own, this.lag);
  readonly mirrors = new MirrorMetrics(this.own, this.lag);
  private readonly postgres = new PostgresMetrics(this.lag);

  constructor(private readonly environments: boolean = false) {
    for (const kind of ['trigger', 'step', 'lease']) this.sweeperRescues.inc({ kind }, 0);
    // A rate does not include the first value of a series, and the first one may be a burst.
    for (const kind of ['trigger', 'other']) {
      for (const status of ['500', '503']) this.httpResponses.inc({ kind, status }, 0);
    }
    this.own.gauge('clarion_build_info', 'The release that runs.', ['version']).set({ version: VERSION }, 1);
  }

  // ------------------------------------------------------------------------------------------------- what is counted

  /** A trigger call that was answered with 201. */
  accept(seconds: number): void {
    this.stageSeconds.observe(ACCEPT, seconds);
  }

  answer(kind: CallKind, status: number): void {
    this.httpResponses.inc({ kind, status: String(status) });
  }

  acceptTriggers(environmentId: string, count: number): void {
    this.triggersAccepted.inc(this.of(environmentId), count);
    this.batch('accept', count);
  }

  createNotifications(environmentId: string, count: number): void {
    this.notificationsCreated.inc(this.of(environmentId), count);
  }

  message(channel: Channel, provider: string, outcome: MessageOutcome, environmentId: string): void {
    this.messages.inc({ channel, provider, outcome, ...this.of(environmentId) });
  }

  providerCall(channel: Channel, provider: string, seconds: number): void {
    this.stage('provider', channel, seconds);
    this.providerCallSeconds.observe({ channel, provider }, seconds);
  }

  providerFailure(channel: Channel, provider: string, kind: string, environmentId: string): void {
    this.providerFailures.inc({ channel, provider, kind, ...this.of(environmentId) });
  }

  rescue(kind: RescueKind, count: number): void {
    if (count > 0) this.sweeperRescues.inc({ kind }, count);
  }

  inboundEvent(provider: string, kind: string): void {
    this.inboundEvents.inc({ provider, kind });
  }

  batch(kind: BatchKind, size: number): void {
    this.commitBatchSize.observe({ kind }, size);
  }

  stage(stage: Exclude<Stage, 'accept'>, channel: StepType, seconds: number, lane?: Lane): void {
    const labels = lane === undefined ? { stage, channel } : { stage, channel, lane: PRIORITIES[lane - 1]! };
    this.stageSeconds.observe(labels, Math.max(0, seconds));
  }

  /** From the accepted event to the sent message. */
  endToEnd(channel: StepType, seconds: number, lane: Lane, environmentId: string): void {
    this.stage('end_to_end', channel, seconds, lane);
    this.busiest.sent(environmentId, seconds, lane);
  }

  /** Called for every statement and command, so they only increment a number. */
  readonly countStatement = (): void => void (this.roundTrips.postgres += 1);
  readonly queue = {
    countCommand: (): void => void (this.roundTrips.redis += 1),
    countFailedAdds: (count: number): void => this.queueFailedAdds.inc(count),
  };

  // -------------------------------------------------------------------------------------- what is looked at when asked

  /** Each callback runs at every scrape until the returned function is called; the values are summed. */
  watchPool(use: () => PoolUse): () => void {
    return this.collect(() => {
      for (const [state, connections] of Object.entries(use())) this.poolConnections.inc({ state }, connections);
    });
  }

  watchSockets(open: () => number): () => void {
    return this.collect(() => this.sockets.count(open()));
  }

  watchHeld(channel: Channel, held: () => number): () => void {
    return this.collect(() => this.stepsHeld.inc({ channel }, held()));
  }

  watchReplica(lagSeconds: () => number): () => void {
    return this.collect(() => this.replicaLag.set({ role: 'gateway' }, lagSeconds()));
  }

  watchProgress(role: string, ageSeconds: () => number): () => void {
    return this.collect(() => this.lastProgressAge.set({ role }, ageSeconds()));
  }

  /** Registers the reader of the lag; one per process is enough. */
  exportLag(read: () => Promise<Lag>): void {
    this.readLag ??= read;
  }

  /** Exports memory, processor time, event loop lag and other metrics of the process. */
  exportProcess(): void {
    collectDefaultMetrics({ register: this.own.registry });
  }

  // ------------------------------------------------------------------------------------------------------- the scrape

  readonly contentType = this.own.registry.contentType;

  async expose(): Promise<string> {
    for (const gauge of [this.poolConnections, this.stepsHeld, this.replicaLag, this.lastProgressAge]) gauge.reset();
    for (const collect of this.collectors) collect();
    this.roundTripsTotal.reset();
    for (const [store, count] of Object.entries(this.roundTrips)) this.roundTripsTotal.inc({ store }, count);
    const own = await this.own.registry.metrics();
    const lag = await this.recentLag();
    if (!lag) return own;
    this.writeLag(lag);
    return own + (await this.lag.registry.metrics());
  }

  /** All metrics with their labels, for specs that compare them with rules and dashboards. */
  names(): { name: string; labels: string[] }[] {
    return [this.own, this.lag].flatMap(({ registry }) =>
      registry.getMetricsAsArray().map((metric) => ({
        name: metric.name,
        labels: [...(metric as unknown as { labelNames: string[] }).labelNames],
      })),
    );
  }

  /** Undefined when the database does not answer; the rest of the scrape still works. */
  private recentLag(): Promise<Lag | undefined> {
    if (!this.readLag) return Promise.resolve(undefined);
    const now = performance.now();
    if (!this.seenLag || now - this.seenLag.at >= LAG_CACHE_MS) {
      this.seenLag = {
        at: now,
        lag: withTimeoutOr(
          this.readLag().catch(() => undefined),
          LAG_MS,
          undefined,
        ),
      };
    }
    return this.seenLag.lag;
  }

  private writeLag({ steps, environments, triggers, accounts, held, webhooks, mirrors, postgres }: Lag): void {
    this.busiest.writeLag(environments);
    this.webhooks.writeLag(webhooks);
    this.mirrors.writeLag(mirrors);
    this.postgres.writeLag(postgres);
    // A channel without a row is exported as zero, so that rules see it as idle.
    for (const channel of AUTHORED_STEP_TYPES) {
      const own = steps.filter(({ type }) => type === channel);
      this.writeDue({ channel }, own);
      for (const lane of PRIORITIES) {
        const ofLane = own.filter((row) => row.lane === LANE_NUMBERS[lane]);
        this.writeDue({ channel, lane }, ofLane);
      }
      for (const cause of DUE_CAUSES) {
        const ofCause = own.filter((row) => row.cause === cause);
        this.writeDue({ channel, cause }, ofCause);
      }
    }
    this.openTriggers.set(triggers.open);
    this.oldestOpenTriggerAge.set(triggers.oldestSeconds);
    for (const target of HOLD_CAUSES) {
      this.heldSteps.set({ target }, held.find((lag) => lag.target === target)?.steps ?? 0);
    }
    this.integrationState.reset();
    for (const { channel, providerId, state: current, integrations, environmentId, integrationId } of accounts) {
      const labels = {
        channel,
        provider: providerId,
        ...(this.environments && { environment: environmentId, integration: integrationId }),
      };
      for (const state of ACCOUNT_STATES) {
        this.integrationState.inc({ ...labels, state }, state === current ? integrations : 0);
      }
    }
  }

  private writeDue(labels: { channel: StepType; lane?: Priority; cause?: DueCause }, rows: Lag['steps']): void {
    const due = rows.reduce((sum, row) => sum + row.due, 0);
    this.dueSteps.set(labels, due);
    this.oldestDueAge.set(labels, Math.max(0, ...rows.map(({ oldestSeconds }) => oldestSeconds)));
  }

  private of(environmentId: string): { environment?: string } {
    return this.environments ? { environment: environmentId } : {};
  }

  private collect(collector: () => void): () => void {
    this.collectors.add(collector);
    return () => void this.collectors.delete(collector);
  }
}

const ACCEPT = { stage: 'accept' };

const VERSION = (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string })
  .version;
