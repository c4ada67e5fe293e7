import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { withTimeoutOr } from '@clarion/contracts/core';
import { Closers, openObserveServer } from '@clarion/platform';
import { openStores, type ProcessContext } from '@clarion/runtime';
import { createGateway } from './gateway';
import { EnvironmentLimits } from './edge/limits/environment-limits';

export type RunningGateway = { app: NestFastifyApplication; url: string; close(): Promise<void> };

/** On an error, everything opened so far is closed. `beforeListening` releases the port if this process holds it. */
export async function runGateway(
  context: ProcessContext,
  beforeListening: () => Promise<void> = () => Promise.resolve(),
): Promise<RunningGateway> {
  const { config, metrics, health } = context;
  const closers = new Closers();
  try {
    const { CLARION_OBSERVE_PORT: observePort, HOST: host } = config;
    if (observePort !== undefined) {
      const variable = 'CLARION_OBSERVE_PORT';
      const server = await openObserveServer({ port: observePort, host, variable, health, metrics, otherwise: 404 });
      closers.add(() => server.close());
    }
    const stores = await openStores(context, 'gateway', { readsLists: true });
    closers.add(() => stores.close());
    const app = await createGateway({ ...context, ...stores });
    closers.add(() => closeGracefully(app, config.CLARION_DRAIN_MS));
    await app.get(EnvironmentLimits).start();
    await beforeListening();
    await app.listen(config.PORT, config.HOST);
    health.started();
    const { port } = app.getHttpServer().address() as AddressInfo;
    const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    return { app, url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Stops accepting requests, waits for responses in flight, and closes the other connections at the deadline. */
async function closeGracefully(app: NestFastifyApplication, deadlineMs: number): Promise<void> {
  const closed = app.close();
  if ((await withTimeoutOr(closed, deadlineMs, 'late')) === 'late') app.getHttpServer().closeAllConnections();
  await closed;
}
