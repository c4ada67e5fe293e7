import { getPriority, setPriority } from 'node:os';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
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

type ContextOptions = NonNullable<Parameters<typeof NestFactory.createApplicationContext>[1]>;

/** The root module of a role: what only the role has, over the resources of the process. */
const rootModule = (module: Type<unknown>, resources: Resources): DynamicModule => ({
  module: class RoleModule {},
  imports: [ResourcesModule.with(resources), module],
});

const optionsOf = ({ logger }: Resources): ContextOptions => ({
  logger: new NestLogger(logger),
  abortOnError: false,
});

/** `close` takes no more work and ends the work in progress. The resources stay open for other roles. */
export function startRole(module: Type<unknown>, resources: Resources): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(rootModule(module, resources), optionsOf(resources));
}

export type RoleProcess = {
  /** The root module of the Nest application, and the options to create it with. */
  root: DynamicModule;
  options: ContextOptions;
  /** The application is closed on a signal, before the stores. A second signal ends the process at once. */
  started(app: INestApplicationContext): void;
};

/** Opens what a process of one role needs: stores from environment variables. Migrations have run before. */
export async function openRole(name: string, module: Type<unknown>): Promise<RoleProcess> {
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
  return {
    root: rootModule(module, resources),
    options: optionsOf(resources),
    started: (app) => {
      closers.add(() => app.close());
      closers.add(health.watchProgress(logger, (reason) => exitOnFault(new OperatorError(`${reason}; ending`))));
      health.started();
      logger.info(`${name} is ready`);
      // A supervisor waits for this message; without one there is no channel.
      process.send?.({ ready: name });
    },
  };
}
