import { createServer, IncomingMessage, type Server } from 'node:http';

/** Where clients of socket.io connect. */
export const SOCKET_PATH = '/socket.io/';

/**
 * A request that asks for another protocol on its connection (`Upgrade`) is answered as if it did not ask, as HTTP
 * allows, unless it asks for a WebSocket where there is one. Some clients offer HTTP/2 with every request. Node itself
 * has one rule for all requests of a server.
 */
export class GatewayRequest extends IncomingMessage {
  private asksToUpgrade = false;

  set upgrade(asks: boolean) {
    this.asksToUpgrade = asks;
  }

  get upgrade(): boolean {
    const isWebSocket =
      this.headers.upgrade?.toLowerCase() === 'websocket' && this.url?.startsWith(SOCKET_PATH) === true;
    return this.asksToUpgrade && (isWebSocket || this.method === 'CONNECT');
  }
}

/** A server that never listens. It passes the upgrade requests that it is given to the library attached to it. */
export const createUpgradeHost = (): Server => createServer();
