import type { Duplex } from 'node:stream';
import { SECURITY_HEADERS } from '@clarion/platform';
import { errorBody, REASONS } from './error.filter';

type RawAnswer = { status: number; message?: string; url?: string; headers?: Record<string, string> };

/** Answers with an error and closes the connection, where there is no response object of Node. */
export function answerRaw(
  socket: Duplex,
  { status, message = REASONS[status]!, url = '', headers = {} }: RawAnswer,
): void {
  const body = JSON.stringify(errorBody({ status, message, extra: {} }, { url }));
  const lines = Object.entries({
    ...SECURITY_HEADERS,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]!}\r\n${lines.join('')}\r\n${body}`);
}
