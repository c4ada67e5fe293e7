import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The system takes the ports of outgoing connections, and of servers that listen on port 0, from 32768 upwards. A port
 * from that range that is free now can be in use a moment later, when the process under test opens it.
 */
const LOWEST_PORT = 10_240;
const LOWEST_EPHEMERAL_PORT = 32_768;

/** Ports on the loopback address that nothing listens on, chosen at random below those that the system assigns. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (LOWEST_EPHEMERAL_PORT - LOWEST_PORT));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
