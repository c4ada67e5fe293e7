import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { until } from '@clarion/testing';
import { paceReads } from './paced-reads';

const BYTES = 12 * 1024;
const CONNECTIONS = 20;

/** Takes all that the connection has, as undici does, and needs more than a slice of time for each piece. */
function readSlowly(socket: Socket, onPiece: (piece: Buffer) => void): void {
  const next = (): Buffer | null => socket.read() as Buffer | null;
  socket.on('readable', () => {
    for (let piece = next(); piece !== null; piece = next()) {
      onPiece(piece);
      for (const from = performance.now(); performance.now() - from < 11;);
    }
  });
}

it('reads few pieces of all connections in a turn of the event loop, and all bytes in their order', async () => {
  const sent = Buffer.from(Array.from({ length: BYTES }, (_, at) => at % 251));
  const server = createServer((socket) => socket.write(sent)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
  await until(() => sockets.every(({ readableLength }) => readableLength === BYTES));

  let piecesOfTurn = 0;
  let most = 0;
  let isOver = false;
  const countTurn = (): void => {
    most = Math.max(most, piecesOfTurn);
    piecesOfTurn = 0;
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const received = sockets.map((socket) => {
    const pieces: Buffer[] = [];
    paceReads(socket);
    readSlowly(socket, (piece) => {
      piecesOfTurn += 1;
      pieces.push(piece);
    });
    return pieces;
  });
  await until(() => received.every((pieces) => Buffer.concat(pieces).length === BYTES));
  isOver = true;
  expect(received.every((pieces) => Buffer.concat(pieces).equals(sent))).toBe(true);
  expect(most).toBeLessThanOrEqual(2);
  for (const socket of sockets) socket.destroy();
  server.close();
});
