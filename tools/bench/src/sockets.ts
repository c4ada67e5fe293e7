import { createHmac } from 'node:crypto';
import { idAtTime } from '@clarion/contracts';
import { io, type Socket } from 'socket.io-client';
import { IN_APP_STEP, Pipeline } from './pipeline';
import { type Figure, progress } from './report';
import type { Scene, Stage } from './stage';

export type SocketOptions = { sockets: number; memoryKiB: number; ratio: number };

const CONNECTING = 100;
const SETTLE_MS = 3_000;

/** Connected inboxes of one gateway: memory for each, and a broadcast to all of them. */
export async function sockets(stage: Stage, { sockets: count, memoryKiB, ratio }: SocketOptions): Promise<Figure[]> {
  const scene = await stage.open('sockets', {
    variables: {
      CLARION_SOCKETS: String(count + 1),
      CLARION_SOCKETS_PER_ENVIRONMENT: String(count),
      CLARION_RATE_LIMIT_INBOX: '100000000',
    },
  });
  await scene.start('engine', 'in_app');
  const pipeline = await Pipeline.open(scene, 'sockets', IN_APP_STEP);
  const { rows } = await pipeline.sql.query<{ identifier: string }>(`SELECT identifier FROM environment`);
  await pipeline.sql.query(`DELETE FROM subscriber`);
  await pipeline.sql.query(
    `INSERT INTO subscriber (id, environment_id, subscriber_id)
     SELECT uuid_v7(), $1, 'reader-' || n FROM generate_series(1, $2::int) n`,
    [scene.environment.id, count],
  );
  const inboxes: Inbox[] = [];
  try {
    const broadcast = async (what: string): Promise<number> => {
      const first = idAtTime(Date.now() - 1);
      const begin = performance.now();
      await call(scene, '/v1/events/trigger/broadcast', {
        name: 'sockets',
        payload: { name: what, order: { id: what } },
      });
      await pipeline.untilDone(first, count, what);
      return performance.now() - begin;
    };
    await broadcast('warm');
    const alone = await broadcast('alone');
    const tokens = await openSessions(scene, rows[0]!.identifier, count);
    const before = await settledMemory(scene);
    for (let at = 0; at < count; at += CONNECTING) {
      inboxes.push(...(await Promise.all(tokens.slice(at, at + CONNECTING).map((token) => connect(scene, token)))));
      if (at % 1_000 === 0) progress(`sockets: ${at} of ${count} connected`);
    }
    const each = (((await settledMemory(scene)) - before) * 1024) / count;
    const begin = performance.now();
    await broadcast('connected');
    const stored = performance.now() - begin;
    await until(() => inboxes.every(({ received }) => received.length > 0));
    const reached = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const once = inboxes.filter(({ received }) => received.length === 1).length;
    return [
      {
        what: `${count} inboxes get one broadcast, each once`,
        measured: `${once} of ${count}`,
        goal: `${count}`,
        reached: once === count,
      },
      {
        what: 'from the broadcast to the last inbox, to the same broadcast without connected inboxes',
        measured: `${(reached / alone).toFixed(2)} x (${ms(reached)} to ${ms(alone)}; stored after ${ms(stored)})`,
        goal: `<= ${ratio.toFixed(1)} x`,
        reached: reached <= alone * ratio,
      },
      {
        what: 'memory of the gateway for each connected inbox',
        measured: `${each.toFixed(1)} KiB`,
        goal: `<= ${memoryKiB} KiB`,
        reached: each <= memoryKiB,
      },
    ];
  } finally {
    for (const { socket } of inboxes) socket.disconnect();
    await pipeline.close();
    await scene.close();
  }
}

type Inbox = { socket: Socket; received: string[] };

const ms = (time: number): string => `${Math.round(time)} ms`;

async function settledMemory(scene: Scene): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return scene.gatewayMemory();
}

async function openSessions(scene: Scene, applicationIdentifier: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 1; at <= count; at += CONNECTING) {
    const batch = Array.from({ length: Math.min(CONNECTING, count - at + 1) }, async (_, index) => {
      const subscriberId = `reader-${at + index}`;
      const { data } = await call<{ data: { token: string } }>(scene, '/v1/inbox/session', {
        applicationIdentifier,
        subscriber: { subscriberId },
        subscriberHash: createHmac('sha256', scene.key).update(subscriberId).digest('hex'),
      });
      return data.token;
    });
    tokens.push(...(await Promise.all(batch)));
  }
  return tokens;
}

function connect(scene: Scene, token: string): Promise<Inbox> {
  const socket = io(scene.url, { transports: ['websocket'], query: { token }, forceNew: true });
  const received: string[] = [];
  socket.on('notification_received', ({ message }: { message: { _id: string } }) => void received.push(message._id));
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve({ socket, received }));
    socket.once('connect_error', reject);
  });
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function call<T>(scene: Scene, path: string, body: object): Promise<T> {
  const answer = await fetch(scene.url + path, {
    method: 'POST',
    headers: { authorization: `ApiKey ${scene.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
