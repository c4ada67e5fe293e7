import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config, Logger } from '@clarion/platform';
import type { Engines } from './engines';

/** One process per role. Each module is an app that runs on its own, as it does in a container. */
const ROLES = { gateway: '@clarion/gateway/main' } as const;
type Role = keyof typeof ROLES;

const READY_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** Starts every role in a process of its own; one that dies is started again, after a pause that grows while it keeps dying. */
export async function superviseRoles(
  config: Config,
  engines: Engines,
  logger: Logger,
): Promise<{ url: string; close(): Promise<void> }> {
  const children = new Map<Role, ChildProcess>();
  let closing = false;

  const environment = {
    ...process.env,
    DATABASE_URL: engines.databaseUrl,
    CLARION_ENCRYPTION_KEY: engines.encryptionKeys,
    CLARION_QUEUE: engines.queue.kind,
    ...(engines.queue.kind === 'redis' && { REDIS_URL: engines.queue.url }),
  };

  const keepRunning = async (role: Role): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; !closing; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const child = fork(require.resolve(ROLES[role]), { env: environment });
      children.set(role, child);
      const startedAt = performance.now();
      const code = await new Promise<number | string>((resolve) =>
        child.once('exit', (status, signal) => resolve(status ?? signal ?? 1)),
      );
      if (closing) return;
      logger.warn({ role, code }, 'a role died and is started again');
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      await delay(pause);
    }
  };

  const running = (Object.keys(ROLES) as Role[]).map((role) => keepRunning(role));
  const url = `http://${config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST}:${config.PORT}`;
  const close = async (): Promise<void> => {
    closing = true;
    for (const child of children.values()) child.kill('SIGTERM');
    await Promise.all(running);
  };
  try {
    await waitUntilReady(url);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const ready = await fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await delay(100);
  }
  throw new Error(`the gateway did not become ready at ${url}`);
}
