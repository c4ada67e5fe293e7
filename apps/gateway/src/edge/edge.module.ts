import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, TENANT_LIMITS } from '@clarion/contracts';
import {
  Database,
  AuditLogRepository,
  EnvironmentRepository,
  EveryEnvironmentRepository,
  IdempotencyRepository,
  LagRepository,
  LimitRepository,
  SessionRepository,
} from '@clarion/persistence';
import { Config, Health, Metrics, SecretBox } from '@clarion/platform';
import { QueueModule, RealtimeRelay } from '@clarion/queue';
import { PersistenceModule } from '@clarion/runtime';
import { AuditLog } from './audit-log/audit-log';
import { AuditLogController } from './audit-log/audit-log.controller';
import { AuditLogService } from './audit-log/audit-log.service';
import { KeyDirectory } from './auth/key-directory';
import { OperatorKey } from './auth/operator';
import { SessionDirectory } from './auth/session-directory';
import { WrongKeys } from './auth/wrong-keys';
import { type GatewayDependencies, LOGGER } from './dependencies';
import { HealthController } from './health/health.controller';
import { TenantRates } from './http/tenant-rates';
import { EnvironmentLimits } from './limits/environment-limits';
import { MetricsController } from './metrics/metrics.controller';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsService } from './sessions/sessions.service';

/** A call over its limit gets an error, an environment over its budget 429: the event loop needs the processor. */
const RENDER_LIMITS = {
  callLimitMs: 1_000,
  budget: { share: TENANT_LIMITS.renderTime(), burstMs: 2_000 },
  keepReady: true,
  slowNice: 10,
};

/** The way in: who calls, what may pass, and the providers that every area can inject. */
@Global()
@Module({})
export class EdgeModule implements OnApplicationShutdown {
  constructor(private readonly renderer: TemplateRenderer) {}

  static with(dependencies: GatewayDependencies): DynamicModule {
    const { config, database, queueConnection, relay, secrets, logger, metrics, health } = dependencies;
    const values = [
      { provide: Config, useValue: config },
      { provide: Database, useValue: database },
      { provide: RealtimeRelay, useValue: relay },
      { provide: SecretBox, useValue: secrets },
      { provide: LOGGER, useValue: logger },
      { provide: Metrics, useValue: metrics },
      { provide: Health, useValue: health },
    ];
    const organizationOf = (environmentId: string) => database.organizations.of(environmentId as EnvironmentId);
    const renderer = {
      provide: TemplateRenderer,
      useFactory: () => new TemplateRenderer({ ...RENDER_LIMITS, organizationOf }),
    };
    const tenantRates = {
      provide: TenantRates,
      useFactory: () =>
        new TenantRates(
          {
            trigger: config.CLARION_RATE_LIMIT_TRIGGER,
            configuration: config.CLARION_RATE_LIMIT_CONFIGURATION,
            global: config.CLARION_RATE_LIMIT_GLOBAL,
            // In addition to the rate of each integration, of which an environment has several, and of each subscriber.
            inbound: 10 * config.CLARION_RATE_LIMIT_INBOUND,
            inboundEvents: 10 * config.CLARION_RATE_LIMIT_INBOUND,
            inbox: config.CLARION_RATE_LIMIT_GLOBAL,
          },
          config,
          organizationOf,
        ),
    };
    const wrongKeys = { provide: WrongKeys, useFactory: () => new WrongKeys() };
    const shared = [AuditLog, KeyDirectory, SessionDirectory, OperatorKey, EnvironmentLimits];
    const made = [...values, wrongKeys, renderer, tenantRates];
    return {
      module: EdgeModule,
      imports: [
        QueueModule.on(queueConnection),
        PersistenceModule.forFeature([
          AuditLogRepository,
          EnvironmentRepository,
          EveryEnvironmentRepository,
          IdempotencyRepository,
          LagRepository,
          LimitRepository,
          SessionRepository,
        ]),
      ],
      controllers: [AuditLogController, HealthController, MetricsController, SessionsController],
      providers: [...made, ...shared, AuditLogService, SessionsService],
      exports: [...made.map(({ provide }) => provide), ...shared],
    };
  }

  /** Nest calls this after the last response was sent. */
  onApplicationShutdown(): Promise<void> {
    return this.renderer.close();
  }
}
