import { getPriority, setPriority } from 'node:os';
import {
  Closers,
  createLogger,
  exitOnFault,
  Health,
  loadConfig,
  Metrics,
  openObserveServer,
  OperatorError,
  whenAskedToStop,
} from '@clarion/platform';
import { openResources, type Resources } from './resources';
import { processContext } from './stores';

/** A running role. `stop` takes no more work, finishes or releases the work in progress, and closes the role. */
export type RunningRole = { stop(): Promise<void> };

/** Runs one role as a process: the stores come from environment variables, and migrations have run before. */
export function runRole(name: string, start: (resources: Resources) => Promise<RunningRole>): void {
  main(name, start).catch(exitOnFault);
}

async function main(name: string, start: (resources: Resources) => Promise<RunningRole>): Promise<void> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY']);
  const logger = createLogger({ level: config.LOG_LEVEL, name, pretty: process.stdout.isTTY });
  // A process may not lower the value that it was started with.
  setPriority(Math.max(getPriority(), config.CLARION_NICE));
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  const health = new Health();
  const closers = new Closers();
  // Registered first: a process that still waits for its database must stop on request too.
  whenAskedToStop(closers.close, { config, health });
  metrics.exportProcess();
  if (config.CLARION_OBSERVE_PORT !== undefined) {
    const { CLARION_OBSERVE_PORT: port, HOST: host } = config;
    const variable = 'CLARION_OBSERVE_PORT';
    const server = await openObserveServer({ port, host, variable, health, metrics, otherwise: 404 });
    closers.add(() => server.close());
  }
  const resources = await openResources(processContext({ config, logger, metrics, health }), name);
  closers.add(() => resources.close());
  const role = await start(resources);
  closers.add(() => role.stop());
  closers.add(health.watchProgress(logger, (reason) => exitOnFault(new OperatorError(`${reason}; ending`))));
  health.started();
  logger.info(`${name} is ready`);
  // A supervisor waits for this message; without one there is no channel.
  process.send?.({ ready: name });
}
