/** Starts a Redis with the arguments of a deployment file and tries it with and without the password. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type RedisReplies = { stranger: string; wrong: string; ours: string };

export const ONLY_WITH_PASSWORD: RedisReplies = {
  stranger: expect.stringMatching(/^-NOAUTH/) as string,
  wrong: expect.stringMatching(/^-WRONGPASS/) as string,
  ours: '+OK',
};

/** The replies to PING without a password, and with two passwords. */
export async function repliesOfRedis([program, ...args]: string[], password: string): Promise<RedisReplies> {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-redis-'));
  const socket = join(folder, 'redis.sock');
  const own = args.map((text) => (text === '/data' ? folder : text));
  const server = spawn(program!, [...own, '--dir', folder, '--port', '0', '--unixsocket', socket], {
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()).once('error', () => resolve()));
  try {
    const ask = async (command: string): Promise<string> => {
      while (server.exitCode === null) {
        const reply = await replyTo(socket, command).catch(() => undefined);
        if (reply !== undefined) return reply;
      }
      throw new Error(`${program} ended with ${server.exitCode}`);
    };
    return {
      stranger: await ask('PING'),
      wrong: await ask('AUTH another-password'),
      ours: await ask(`AUTH ${password}`),
    };
  } finally {
    server.kill();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

function replyTo(path: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(path, () => connection.write(`${command}\r\n`));
    connection.once('data', (data) => {
      connection.destroy();
      resolve(data.toString().trim());
    });
    connection.once('error', (error) => setTimeout(() => reject(error), 20));
  });
}
