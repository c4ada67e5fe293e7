import type { Server, Socket } from 'socket.io';

type Connected = Socket['conn'];

/** What is used of `ws`, which engine.io does not describe. */
type WebSocket = { bufferedAmount: number; on(frame: string, listener: () => void): unknown; terminate(): void };
type WebSocketServer = { options: { allowSynchronousEvents?: boolean } };

const webSocketOf = ({ transport }: Connected): WebSocket => (transport as unknown as { socket: WebSocket }).socket;

/** Reads one frame of a connection in each turn of the event loop: 64 KB have 10,000 empty ones. */
export function readFramesInTurn({ engine }: Server): void {
  Object.assign((engine as unknown as { ws: WebSocketServer }).ws.options, { allowSynchronousEvents: false });
}

/** Calls for each packet, and for the frames of WebSocket that are not packets. */
export function watchFrames(conn: Connected, onFrame: () => void): void {
  conn.on('packet', onFrame);
  for (const frame of ['ping', 'pong']) webSocketOf(conn).on(frame, onFrame);
}

/** Closes at once: until the peer has answered a closing handshake, what it sends is read and what waits is kept. */
export function sever(conn: Connected): void {
  conn.close(true);
  webSocketOf(conn).terminate();
}

/** Calls when all that was given to the connection by now has been taken by the operating system. */
export const onceWritten = ({ transport }: Connected, done: () => void): void => void transport.once('drain', done);

/** What was written and the client has not read, as far as the operating system has not taken it. */
export function waitingFor(conn: Connected): { events: number; characters: number } {
  const { writeBuffer } = conn as unknown as { writeBuffer: { data?: string }[] };
  let characters = webSocketOf(conn).bufferedAmount;
  for (const { data } of writeBuffer) characters += data?.length ?? 0;
  return { events: writeBuffer.length, characters };
}
