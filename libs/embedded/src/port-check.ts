import { createServer } from 'node:net';

/** Rejects with the system error (EADDRINUSE, EACCES, ...) when the port cannot be opened. */
export function assertPortFree(port: number, host: string): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
