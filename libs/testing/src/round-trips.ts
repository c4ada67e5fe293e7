import { connect, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { interceptStatements } from './statements';

/** The statements and commands that were sent. */
export type RoundTrips = { postgres: string[]; redis: string[] };

export type RoundTripCounter = {
  /** Everything that was sent since the last call. */
  take(): Promise<RoundTrips>;
  /** Resolves once nothing was sent for this long. */
  quiet(milliseconds: number): Promise<void>;
  stop(): void;
};

export type RoundTripSource = {
  /** Without it only Postgres is counted. */
  redisUrl?: string | undefined;
  /** The queue prefix; it identifies our clients on a shared Redis. */
  prefix: string;
};

/**
 * Counts the statements that this process sends to Postgres (in the driver; BEGIN and COMMIT count too) and the
 * commands that clients of the queues send to Redis, from any process. Commands inside a script are not round trips.
 */
export async function countRoundTrips({ redisUrl, prefix }: RoundTripSource): Promise<RoundTripCounter> {
  let sentAt = performance.now();
  const statements = countStatements(() => (sentAt = performance.now()));
  const commands =
    redisUrl === undefined ? undefined : await countCommands(redisUrl, prefix, () => (sentAt = performance.now()));
  return {
    async take() {
      const redis = (await commands?.take()) ?? [];
      return { postgres: statements.take(), redis };
    },
    async quiet(milliseconds) {
      for (;;) {
        const rest = sentAt + milliseconds - performance.now();
        if (rest <= 0) return;
        await pause(rest);
      }
    },
    stop() {
      statements.stop();
      commands?.stop();
    },
  };
}

/**
 * The round trips of this work, minus the background traffic of the same time (the sweeper, workers that wait for
 * jobs). `sent` lists everything, to be shown when there is too much.
 */
export async function measureRoundTrips(
  counter: RoundTripCounter,
  work: () => Promise<unknown>,
): Promise<{ postgres: number; redis: number; sent: RoundTrips }> {
  await counter.take();
  const idleFrom = performance.now();
  await pause(IDLE_MS);
  const idle = await counter.take();
  const from = performance.now();
  await work();
  const share = (performance.now() - from) / (from - idleFrom);
  const sent = await counter.take();
  return {
    postgres: sent.postgres.length - idle.postgres.length * share,
    redis: sent.redis.length - idle.redis.length * share,
    sent,
  };
}

/** The blocking time of a waiting worker, so that each of its commands is seen. */
const IDLE_MS = 5_000;

/** Connections of Clarion processes have this application name; the connection of the specs does not count. */
const OURS = /^clarion-(?!test$)/;

function countStatements(onSent: () => void) {
  let statements: string[] = [];
  const stop = interceptStatements(({ application, text }, send) => {
    if (OURS.test(application)) {
      statements.push(text);
      onSent();
    }
    return send();
  });
  return {
    take(): string[] {
      const taken = statements;
      statements = [];
      return taken;
    },
    stop,
  };
}

async function countCommands(url: string, prefix: string, onSent: () => void) {
  const client = new Redis(url);
  const ours = new Set<string>();
  let commands: { source: string; text: string }[] = [];
  let reached: { mark: string; resolve(): void } | undefined;
  const monitor = await watchCommands(url, (source, text) => {
    if (reached && text.includes(reached.mark)) return reached.resolve();
    if (source === 'lua') return;
    if (text.includes(`${prefix}.`)) ours.add(source);
    commands.push({ source, text: text.slice(0, 200) });
    if (ours.has(source)) onSent();
  });
  return {
    /** The monitor lags behind: it has reported everything once it reports a marker. */
    async take(): Promise<string[]> {
      const mark = `mark-${performance.now()}`;
      const seen = new Promise<void>((resolve) => (reached = { mark, resolve }));
      await client.echo(mark);
      await seen;
      const taken = commands;
      commands = [];
      return taken.filter(({ source }) => ours.has(source)).map(({ text }) => text);
    },
    stop() {
      monitor.destroy();
      client.disconnect();
    },
  };
}

/** Implemented on a socket, because the monitor of ioredis fails when the server is busy while it starts. */
async function watchCommands(url: string, onCommand: (source: string, text: string) => void): Promise<Socket> {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect(Number(port || 6379), hostname);
  if (password) socket.write(`AUTH ${username ? `${username} ` : ''}${decodeURIComponent(password)}\r\n`);
  socket.write('MONITOR\r\n');
  let rest = '';
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const [, source, text] = /^\+[\d.]+ \[\d+ ([^\]]+)\] (.*)$/.exec(line) ?? [];
        if (source !== undefined) onCommand(source, text!);
        else if (line.startsWith('-')) reject(new Error(line));
        resolve();
      }
    });
  });
  return socket;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
