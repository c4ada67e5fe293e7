import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  Database,
  deleteEnvironments,
  Maintenance,
  mergeDeltas,
  PresenceRepository,
  RedactionRepository,
} from '@clarion/persistence';
import { Config, type Logger } from '@clarion/platform';
import { LOGGER } from '../../edge/dependencies';

/** How soon after delivery marked payload fields are redacted. */
const REDACT_MS = 5 * 1000;
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Creates future partitions and drops history past its retention: at start and every hour. Adds up the counts of
 * outcomes, deletes the rows of deleted environments and ends the presences of gateways that were killed: every minute.
 * One process at a time does each of them. Redacts the payloads of delivered triggers: every five seconds.
 */
@Injectable()
export class MaintenanceService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly maintenance = new Maintenance(
    this.database,
    this.config.CLARION_RETENTION_DAYS,
    this.config.CLARION_PARTITIONS,
  );
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly presences: PresenceRepository,
    private readonly redactions: RedactionRepository,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const maintain = (): void => this.start('maintenance', () => this.maintain());
    maintain();
    this.every(HOUR_MS, maintain);
    this.every(MINUTE_MS, () => this.start('counts', () => mergeDeltas(this.database)));
    this.every(MINUTE_MS, () => this.start('deletion of environments', () => this.deleteEnvironments()));
    this.every(REDACT_MS, () => this.start('redaction of payloads', () => this.redactions.run(() => this.isStopping)));
    this.every(MINUTE_MS, () => this.start('presences', () => this.presences.endLapsed()));
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  private every(milliseconds: number, work: () => void): void {
    const timer = setInterval(work, milliseconds);
    timer.unref();
    this.timers.push(timer);
  }

  /** Starts the work unless its last run has not ended. */
  private start(name: string, work: () => Promise<unknown>): void {
    if (this.running.has(name)) return;
    const run = work()
      .then(() => undefined)
      .catch((error: unknown) => this.logger.error({ err: error }, `${name} failed, it runs again later`))
      .finally(() => this.running.delete(name));
    this.running.set(name, run);
  }

  private async deleteEnvironments(): Promise<void> {
    const deletedRows = await deleteEnvironments(this.database, () => this.isStopping);
    if (deletedRows > 0) this.logger.info({ deletedRows }, 'rows of deleted environments were deleted');
  }

  private async maintain(): Promise<void> {
    const report = await this.maintenance.run();
    if (report) this.logger.info(report, 'maintenance finished');
  }
}
