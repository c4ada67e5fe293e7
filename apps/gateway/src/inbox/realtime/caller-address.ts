import type { IncomingMessage } from 'node:http';
import type { AddressList } from '@clarion/platform';

/** The address of the client: what the last trusted proxy saw. Without trusted proxies, that of the connection. */
export function callerAddress({ socket, headers }: IncomingMessage, proxies: AddressList): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  let address = socket.remoteAddress ?? '';
  while (forwarded.length > 0 && proxies.has(address)) address = forwarded.pop()!;
  return address;
}
