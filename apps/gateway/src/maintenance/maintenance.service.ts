import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, Maintenance } from '@clarion/persistence';
import { Config, type Logger } from '@clarion/platform';
import { LOGGER } from '../core.module';

const EVERY_MS = 3600 * 1000;

/** Creates future partitions and drops history past its retention: at start and every hour, one process at a time. */
@Injectable()
export class MaintenanceService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly maintenance: Maintenance;
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.maintenance = new Maintenance(database, config.CLARION_RETENTION_DAYS);
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
    this.timer = setInterval(() => {
      this.running = this.run();
    }, EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      const report = await this.maintenance.run();
      if (report) this.logger.info(report, 'maintenance finished');
    } catch (error) {
      this.logger.error({ err: error }, 'maintenance failed, it runs again in an hour');
    }
  }
}
