import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One connection through the proxy. */
export type ProxiedConnection = {
  /** `Date.now()` when it was opened. */
  openedAt: number;
  /** The first bytes that the client sent, as text: they show what the connection is for. */
  opening(): string;
  /** The last bytes that the client sent, as text: they show what the client waits for. */
  lastSent(): string;
  /** Keeps both sides open and forwards nothing more. */
  blackHole(): void;
  cut(): void;
};

export type TcpProxy = {
  readonly port: number;
  /** The open connections. */
  connections(): ProxiedConnection[];
  /** New connections go to this port from now on; existing ones stay. */
  retarget(port: number): void;
  /** Closes every connection and refuses new ones until `restore`. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Keeps connections open and forwards nothing, also of new ones, until `thaw`. What was sent meanwhile is lost. */
  freeze(): void;
  thaw(): void;
  /** Forwards everything this many milliseconds later; 0 ends it. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
};

const KEPT_BYTES = 512;

/** A proxy on the loopback address, in front of a server on another port, that makes the network misbehave. */
export async function openTcpProxy(targetPort: number, host = '127.0.0.1'): Promise<TcpProxy> {
  const connections = new Map<Socket, ProxiedConnection>();
  let target = targetPort;
  let frozen = false;
  let delayMs = 0;
  const server = createServer((inbound) => {
    const outbound = connect(target, host);
    let isBlackHole = false;
    let opening = '';
    let lastSent = '';
    const cut = (): void => {
      inbound.destroy();
      outbound.destroy();
    };
    connections.set(inbound, {
      openedAt: Date.now(),
      opening: () => opening,
      lastSent: () => lastSent,
      blackHole: () => void (isBlackHole = true),
      cut,
    });
    inbound.on('data', (data) => {
      const text = data.toString('latin1');
      if (opening.length < KEPT_BYTES) opening += text.slice(0, KEPT_BYTES);
      lastSent = text.slice(-KEPT_BYTES);
    });
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (data) => {
        if (frozen || isBlackHole) return;
        if (delayMs > 0) setTimeout(() => !to.destroyed && to.write(data), delayMs);
        else to.write(data);
      });
      from.on('close', () => {
        connections.delete(inbound);
        // A client of a black hole does not learn that the server is gone.
        if (!isBlackHole || from === inbound) to.destroy();
      });
    }
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const connection of connections.values()) connection.cut();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => [...connections.values()],
    retarget: (next) => void (target = next),
    cut,
    restore: () => listen(port),
    freeze: () => void (frozen = true),
    thaw: () => void (frozen = false),
    delay: (milliseconds) => void (delayMs = milliseconds),
    close: cut,
  };
}
