import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { QueueBackend } from '@clarion/queue';

export type TcpProxy = {
  /** The queue backend, reached through the proxy. */
  backend: QueueBackend;
  /** Closes every connection and refuses new ones until `restore`. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Keeps connections open and forwards nothing. */
  freeze(): void;
  close(): Promise<void>;
};

/** A server that can be made unreachable without stopping the one that all specs share. */
export async function openTcpProxy(backend: QueueBackend): Promise<TcpProxy> {
  const target = new URL(backend.url);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((inbound) => {
    const outbound = connect(Number(target.port || 6379), target.hostname);
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (data) => !frozen && to.write(data));
      from.on('close', () => void (sockets.delete(from), to.destroy()));
    }
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(backend.url);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    backend: { ...backend, url: url.href },
    cut,
    restore: () => listen(port),
    freeze: () => void (frozen = true),
    close: cut,
  };
}
