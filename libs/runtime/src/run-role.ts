import { getPriority, setPriority } from 'node:os';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Closers,
  createLogger,
  exitOnFault,
  Health,
  loadConfig,
  Metrics,
  NestLogger,
  openObserveServer,
  OperatorError,
  whenAskedToStop,
} from '@clarion/platform';
import { openResources, type Resources } from './resources';
import { ResourcesModule } from './resources.module';
import { processContext } from './stores';

/** `close` takes no more work and ends the work in progress. The resources stay open for other roles. */
export function startRole(module: Type<unknown>, resources: Resources): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    { module: class RoleModule {}, imports: [ResourcesModule.with(resources), module] },
    { logger: new NestLogger(resources.logger), abortOnError: false },
  );
}

/** Runs one role as a process: the stores come from environment variables, and migrations have run before. */
export function runRole(name: string, module: Type<unknown>): void {
  main(name, module).catch(exitOnFault);
}

async function main(name: string, module: Type<unknown>): Promise<void> {
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
  const role = await startRole(module, resources);
  closers.add(() => role.close());
  closers.add(health.watchProgress(logger, (reason) => exitOnFault(new OperatorError(`${reason}; ending`))));
  health.started();
  logger.info(`${name} is ready`);
  // A supervisor waits for this message; without one there is no channel.
  process.send?.({ ready: name });
}
