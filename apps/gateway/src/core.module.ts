import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, TENANT_LIMITS } from '@clarion/contracts';
import { Database, REPOSITORIES } from '@clarion/persistence';
import { Config, Health, type Logger, Metrics, SecretBox, type Tracing } from '@clarion/platform';
import { QueueProducer, RealtimeRelay } from '@clarion/queue';
import { AuditLog } from './audit-log/audit-log';
import { KeyDirectory } from './auth/key-directory';
import { OperatorKey } from './auth/operator';
import { SessionDirectory } from './auth/session-directory';
import { WrongKeys } from './auth/wrong-keys';
import { TenantRates } from './http/tenant-rates';

export const LOGGER = Symbol('logger');

/** The objects that the process opens at boot. Every other provider is built from them. */
export type GatewayDependencies = {
  config: Config;
  database: Database;
  producer: QueueProducer;
  relay: RealtimeRelay;
  secrets: SecretBox;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  health: Health;
};

/**
 * Render-render time for previews, dry runs, saves and payload schemas. A call over its limit gets an error; an
 * environment over its budget gets 429. The limits keep processor time free for the event loop and the database.
 */
const RENDER_LIMITS = {
  callLimitMs: 1_000,
  budget: { share: TENANT_LIMITS.renderTime(), burstMs: 2_000 },
  keepReady: true,
  slowNice: 10,
};

/** The providers that every resource module can inject. */
@Global()
@Module({})
export class CoreModule implements OnApplicationShutdown {
  constructor(private readonly renderer: TemplateRenderer) {}

  static with(dependencies: GatewayDependencies): DynamicModule {
    const { config, database, producer, relay, secrets, logger, metrics, health } = dependencies;
    const values = [
      { provide: Config, useValue: config },
      { provide: Database, useValue: database },
      { provide: QueueProducer, useValue: producer },
      { provide: RealtimeRelay, useValue: relay },
      { provide: SecretBox, useValue: secrets },
      { provide: LOGGER, useValue: logger },
      { provide: Metrics, useValue: metrics },
      { provide: Health, useValue: health },
    ];
    const repositories = REPOSITORIES.map((Repository) => ({
      provide: Repository,
      useFactory: () => new Repository(database),
    }));
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
            inbox: config.CLARION_RATE_LIMIT_GLOBAL,
          },
          config,
          organizationOf,
        ),
    };
    const wrongKeys = { provide: WrongKeys, useFactory: () => new WrongKeys() };
    const shared = [AuditLog, KeyDirectory, SessionDirectory, OperatorKey];
    const made = [...values, ...repositories, wrongKeys, renderer, tenantRates];
    return {
      module: CoreModule,
      providers: [...made, ...shared],
      exports: [...made.map(({ provide }) => provide), ...shared],
    };
  }

  /** Nest calls this after the last response was sent. */
  onApplicationShutdown(): Promise<void> {
    return this.renderer.close();
  }
}
