import type { QueueBackend } from '@clarion/queue';
import { openTcpProxy, type TcpProxy } from '@clarion/testing';

/** The queue backend, reached through a proxy: it can be made unreachable without stopping the server of all specs. */
export async function openBackendProxy(backend: QueueBackend): Promise<TcpProxy & { backend: QueueBackend }> {
  const url = new URL(backend.url);
  // A spec that waits for the limit itself does not wait for 20 times as long.
  url.searchParams.set('wait_factor', '4');
  const proxy = await openTcpProxy(Number(url.port || 6379), url.hostname);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { ...proxy, backend: { ...backend, url: url.href } };
}
