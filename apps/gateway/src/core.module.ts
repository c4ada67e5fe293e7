import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { Database, REPOSITORIES } from '@clarion/persistence';
import { Config, Health, type Logger, Metrics, SecretBox, type Tracing } from '@clarion/platform';
import { QueueProducer, RealtimeRelay } from '@clarion/queue';
import { AuditLog } from './audit-log/audit-log';
import { KeyDirectory } from './auth/key-directory';

export const LOGGER = Symbol('logger');

/** What the process is given at boot. Everything else is made from it. */
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
 * Thread time for previews, dry runs, saves and payload schemas. A request that takes more gets faults, an environment that takes
 * more gets 429: the processors belong to the event loop and the database first.
 */
const RENDER_LIMITS = {
  callLimitMs: 1_000,
  budget: { msPerSecond: 250, burstMs: 2_000 },
  keepReady: true,
  slowNice: 10,
};

/** The few things every resource may ask for. */
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
    const renderer = { provide: TemplateRenderer, useFactory: () => new TemplateRenderer(RENDER_LIMITS) };
    return {
      module: CoreModule,
      providers: [...values, ...repositories, AuditLog, KeyDirectory, renderer],
      exports: [...values.map(({ provide }) => provide), ...REPOSITORIES, AuditLog, KeyDirectory, TemplateRenderer],
    };
  }

  /** After the last request has been answered. */
  onApplicationShutdown(): Promise<void> {
    return this.renderer.close();
  }
}
