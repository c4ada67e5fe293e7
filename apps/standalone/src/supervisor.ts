import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment, type Config, type Logger, OperatorError, programFile } from '@clarion/platform';
import type { Servers } from './servers';

/** One process per role. Each is an app that can run alone, as it does in a container. */
const ROLES = [
  'gateway',
  'engine',
  'worker-email',
  'worker-sms',
  'worker-chat',
  'worker-push',
  'worker-in-app',
] as const;
type Role = (typeof ROLES)[number];

const READY_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** A role that dies is restarted after a growing pause; one that never became ready is for the operator to fix. */
export async function superviseRoles(
  config: Pick<Config, 'CLARION_OBSERVE_PORT'>,
  servers: Servers,
  logger: Logger,
): Promise<{ url: string; close(): Promise<void> }> {
  const children = new Map<Role, ChildProcess>();
  let closing = false;
  const environment = childEnvironment({
    DATABASE_URL: servers.databaseUrl,
    CLARION_ENCRYPTION_KEY: servers.encryptionKeys,
    CLARION_QUEUE: servers.queue.kind,
    ...(servers.queue.kind === 'redis' && { REDIS_URL: servers.queue.url }),
  });
  const start = (role: Role): { ready: Promise<string>; exited: Promise<number | string> } => {
    const child = fork(programFile(role), { env: { ...environment, ...observePort(config, role) } });
    children.set(role, child);
    const exited = new Promise<number | string>((resolve) => {
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
    });
    const ready = new Promise<string>((resolve) => {
      child.on('message', (message: { ready: string }) => resolve(message.ready));
    });
    return { ready, exited };
  };
  const keepRunning = async (role: Role, exited: Promise<number | string>): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now();
      const code = await exited;
      if (closing) return;
      logger.warn({ role, code }, 'a role died and is restarted');
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      await delay(pause);
      if (closing) return;
      exited = start(role).exited;
    }
  };

  const running: Promise<void>[] = [];
  const close = async (): Promise<void> => {
    closing = true;
    for (const child of children.values()) child.kill('SIGTERM');
    await Promise.all(running);
  };
  const started = ROLES.map(async (role): Promise<[Role, string]> => {
    const { ready, exited } = start(role);
    const readyMessage = await Promise.race([ready, failedStart(role, exited)]);
    running.push(keepRunning(role, exited));
    return [role, readyMessage];
  });
  try {
    const readyMessages = new Map(await Promise.all(started));
    return { url: readyMessages.get('gateway')!, close };
  } catch (error) {
    // Stop the roles that did start.
    closing = true;
    for (const child of children.values()) child.kill('SIGTERM');
    await Promise.allSettled(started);
    await Promise.all(running);
    throw error;
  }
}

/** On one machine each role needs its own port: the engine, then the workers, then the gateway. */
function observePort({ CLARION_OBSERVE_PORT: first }: Pick<Config, 'CLARION_OBSERVE_PORT'>, role: Role): object {
  const offset = (ROLES.indexOf(role) + ROLES.length - 1) % ROLES.length;
  return first === undefined || first === 0 ? {} : { CLARION_OBSERVE_PORT: String(first + offset) };
}

/** The child has written the reason to stderr, which it shares with this process. */
async function failedStart(role: Role, exited: Promise<number | string>): Promise<never> {
  const code = await Promise.race([exited, delay(READY_TIMEOUT_MS, undefined, { ref: false })]);
  throw new OperatorError(
    code === undefined ? `The ${role} did not become ready` : `The ${role} ended with ${code} before it was ready`,
  );
}
