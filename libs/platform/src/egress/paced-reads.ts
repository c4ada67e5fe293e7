import type { Socket } from 'node:net';

/** Bytes that are parsed at a time, and the time after which other events are handled before the next ones. */
const PIECE_BYTES = 4 * 1024;
const SLICE_MS = 10;

/** When the first piece of this turn of the event loop was read, and the connections that wait for the next turn. */
let since: number | undefined;
let waiting: Socket[] = [];

function beginTurn(): void {
  const sockets = waiting;
  [since, waiting] = [undefined, []];
  for (const socket of sockets) if (!socket.destroyed) socket.emit('readable');
}

/**
 * The parser of undici takes all that a connection has at once and calls back for every header, chunk and informational
 * response, also after it has refused them. A receiver that sends very many could stop the event loop for a minute. So
 * all connections together are read in small pieces, and for a slice of time in each turn.
 */
export function paceReads(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => unknown;
  socket.read = (): unknown => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(beginTurn);
    } else if (performance.now() - since > SLICE_MS) {
      waiting.push(socket);
      return null;
    }
    return read(Math.min(socket.readableLength, PIECE_BYTES) || undefined);
  };
}
