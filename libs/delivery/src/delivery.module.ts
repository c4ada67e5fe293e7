import { setTimeout as delay } from 'node:timers/promises';
import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import type { Channel } from '@clarion/contracts/core';
import {
  Database,
  EarlierStepRepository,
  HoldRepository,
  IntegrationRepository,
  LagRepository,
  ORPHANS_ENDED,
  OutboxRepository,
  SendRateRepository,
  StepClaimRepository,
  StepOutcomeRepository,
  SuppressionRepository,
  SurroundingsRepository,
  WorkflowCache,
} from '@clarion/persistence';
import { Config, Egress, Health, type Logger, Metrics, SecretBox, type Tracing } from '@clarion/platform';
import { QueueProducer, RealtimeRelay, StepOffers } from '@clarion/queue';
import { contentsOf, EnvironmentContents, LOGGER, PersistenceModule, TRACING } from '@clarion/runtime';
import { SubscriberTokens } from './sending/dead-tokens';
import { IntegrationDirectory } from './accounts/integration-directory';
import { CallPermits } from './accounts/call-permits';
import type { PipelineParts } from './pipeline/pipeline';
import { ProviderCalls } from './sending/provider-calls';
import { SendRates } from './accounts/send-rates';
import { Sender } from './sending/sender';

/** Per account and worker: calls in flight, and deliveries that wait for them. */
const MAX_IN_FLIGHT = 32;
const MAX_WAITING = 800;

const CHANNEL_LOG = Symbol('log of the channel');
const SURROUNDINGS = Symbol('surroundings');

const pause = (milliseconds: number): Promise<unknown> => delay(milliseconds, undefined, { ref: false });

/** What the processor of a channel delivers with. */
@Injectable()
export class DeliveryParts implements PipelineParts {
  readonly pause = pause;
  readonly organizationOf: PipelineParts['organizationOf'] = (id) => this.database.organizations.of(id);

  constructor(
    readonly claims: StepClaimRepository,
    readonly outcomes: StepOutcomeRepository,
    readonly workflows: WorkflowCache,
    readonly contents: EnvironmentContents,
    @Inject(SURROUNDINGS) readonly surroundings: PipelineParts['surroundings'],
    readonly earlierSteps: EarlierStepRepository,
    readonly integrations: IntegrationDirectory,
    readonly suppressions: SuppressionRepository,
    readonly holds: HoldRepository,
    readonly offers: StepOffers,
    readonly realtime: RealtimeRelay,
    readonly sender: Sender,
    readonly renderTime: TemplateRenderer,
    @Inject(TRACING) readonly tracing: Tracing,
    readonly metrics: Metrics,
    @Inject(CHANNEL_LOG) readonly log: Logger,
    readonly config: Config,
    readonly database: Database,
    readonly health: Health,
    readonly lag: LagRepository,
    readonly producer: QueueProducer,
  ) {}
}

/** What the workers of all channels share. */
@Module({})
export class DeliveryModule {
  static forChannel(channel: Channel): DynamicModule {
    return {
      module: DeliveryModule,
      imports: [
        PersistenceModule.forFeature([
          EarlierStepRepository,
          HoldRepository,
          IntegrationRepository,
          LagRepository,
          OutboxRepository,
          SendRateRepository,
          StepOutcomeRepository,
          SuppressionRepository,
          SurroundingsRepository,
          WorkflowCache,
        ]),
      ],
      providers: [
        DeliveryParts,
        { provide: CHANNEL_LOG, useFactory: (logger: Logger) => logger.child({ channel }), inject: [LOGGER] },
        {
          provide: StepClaimRepository,
          useFactory: (database: Database, log: Logger) =>
            new StepClaimRepository(database, (rows) => log.warn({ rows }, ORPHANS_ENDED)),
          inject: [Database, CHANNEL_LOG],
        },
        {
          provide: EnvironmentContents,
          useFactory: (database: Database, templates: TemplateRenderer, secrets: SecretBox) =>
            contentsOf({ database, templates, secrets }),
          inject: [Database, TemplateRenderer, SecretBox],
        },
        {
          provide: SURROUNDINGS,
          useFactory: (contents: EnvironmentContents, rows: SurroundingsRepository) => contents.within(rows),
          inject: [EnvironmentContents, SurroundingsRepository],
        },
        {
          provide: IntegrationDirectory,
          useFactory: openDirectory,
          inject: [IntegrationRepository, HoldRepository, SecretBox, CHANNEL_LOG],
        },
        {
          provide: ProviderCalls,
          useFactory: (egress: Egress, outbox: OutboxRepository, config: Config, tracing: Tracing) =>
            new ProviderCalls({
              egress,
              outboxOf: (environmentId) => ({ put: (entries) => outbox.put(environmentId, entries) }),
              publicUrl: config.CLARION_PUBLIC_URL,
              dialect: config.CLARION_DIALECT,
              sharedCalls: MAX_IN_FLIGHT,
              tracing,
            }),
          inject: [Egress, OutboxRepository, Config, TRACING],
        },
        {
          provide: Sender,
          useFactory: (
            rates: SendRateRepository,
            database: Database,
            secrets: SecretBox,
            metrics: Metrics,
            log: Logger,
          ) =>
            new Sender({
              permits: new CallPermits(MAX_IN_FLIGHT, MAX_WAITING),
              rates: new SendRates({ store: rates, now: () => performance.now(), pause }),
              tokens: new SubscriberTokens(database, secrets),
              random: Math.random,
              now: Date.now,
              metrics,
              log,
            }),
          inject: [SendRateRepository, Database, SecretBox, Metrics, CHANNEL_LOG],
        },
      ],
      exports: [DeliveryParts, EnvironmentContents, IntegrationDirectory, ProviderCalls],
    };
  }
}

function openDirectory(
  rows: IntegrationRepository,
  holds: HoldRepository,
  secrets: SecretBox,
  log: Logger,
): IntegrationDirectory {
  return new IntegrationDirectory(
    {
      listActive: (environmentId) => rows.listActive(environmentId),
      sendingSettings: (environmentId) => rows.sendingSettings(environmentId),
      setHealth: (environmentId, id, health) => rows.setHealth(environmentId, id, health),
      heldIntegrations: (environmentIds) => holds.heldIntegrations(environmentIds),
    },
    secrets,
    Date.now,
    (error) =>
      log.warn({ err: error }, 'The health of an integration could not be stored. Other workers do not see it yet.'),
    ({ opened, ...integration }) =>
      opened
        ? log.warn(
            integration,
            'The circuit breaker of an integration opened: half of its recent calls failed, or its provider rejects ' +
              'the account. Its messages wait or go to the next integration.',
          )
        : log.info(integration, 'The circuit breaker of an integration closed: a call succeeded.'),
  );
}
