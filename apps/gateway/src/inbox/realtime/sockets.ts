import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LIMITS, type SubscriberRowId, TENANT_LIMITS, TenantCounts, type TenantShare } from '@clarion/contracts';
import { Database, isDatabaseUnavailable, PresenceRepository, RealtimeRepository } from '@clarion/persistence';
import { Config, FaultLog, Health, type Logger, Metrics } from '@clarion/platform';
import { RealtimeRelay } from '@clarion/queue';
import { type ExtendedError, Server, type Socket } from 'socket.io';
import { WrongKeys } from '../../edge/auth/wrong-keys';
import { LOGGER } from '../../edge/dependencies';
import { answerRaw } from '../../edge/http/raw-answer';
import { createUpgradeHost, SOCKET_PATH } from '../../edge/http/websocket-request';
import { InboxEnvironments } from '../inbox-environments';
import { type InboxClaims, InboxTokens } from '../../edge/auth/inbox-tokens';
import { Admission, RefusedConnection } from './admission';
import { type Connection, Connections, contextsText } from './connections';
import { DatabaseClock } from './database-clock';
import { Deliveries } from './deliveries';
import { Position } from './position';
import { Presence } from './presence';
import { readFramesInTurn, sever, watchFrames } from './web-socket';

/** A client sends its token and nothing else. */
const LARGEST_PACKET = 16 * 1024;
const PACKETS_AT_ONCE = 20;
const PACKETS_MS = 10_000;
/** How long a connection may stay without a token. */
const CONNECT_MS = 5_000;
/** Connections that a stopping gateway closes each second, so that the others get their clients one after the other. */
const CLOSED_PER_SECOND = 1_000;
const TOKEN_LIFE_MS = LIMITS.inboxTokenHours * 3600 * 1000;

@Injectable()
export class Sockets implements OnModuleDestroy {
  private readonly io: Server;
  /** Takes the upgrade requests for socket.io; they come from the server of the gateway. */
  private readonly host = createUpgradeHost();
  private readonly connections: Connections;
  private readonly admission: Admission;
  private readonly deliveries: Deliveries;
  private readonly presence: Presence;
  private readonly clock: DatabaseClock;
  private readonly unwatch: () => void;
  /** Open connections without a valid token. */
  private readonly unknown = new Set<Socket['conn']>();
  private isStopping = false;
  private listening: Promise<unknown> | undefined;

  constructor(
    private readonly config: Config,
    { organizations }: Database,
    health: Health,
    tokens: InboxTokens,
    environments: InboxEnvironments,
    wrongKeys: WrongKeys,
    presences: PresenceRepository,
    repository: RealtimeRepository,
    private readonly relay: RealtimeRelay,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const share = (): TenantShare =>
      TENANT_LIMITS.sockets({
        environment: config.CLARION_SOCKETS_PER_ENVIRONMENT,
        organization: config.CLARION_SOCKETS_PER_ORGANIZATION,
        gateway: config.CLARION_SOCKETS,
      });
    const connections = new Connections(new TenantCounts(share, organizations.of));
    this.connections = connections;
    const faults = new FaultLog(logger);
    this.admission = new Admission({ config, health, tokens, environments, wrongKeys, connections, share });
    const holds = (claims: InboxClaims) => this.admission.holds(claims);
    this.deliveries = new Deliveries(connections, repository, metrics.sockets, faults, holds);
    this.presence = new Presence(presences, faults, (subscriberId) => this.disconnect(subscriberId));
    this.clock = new DatabaseClock(() => repository.now());
    this.unwatch = metrics.watchSockets(() => connections.size);
    this.io = new Server(this.host, {
      path: SOCKET_PATH,
      serveClient: false,
      // Clients of the inbox use no other transport. A WebSocket needs no sticky sessions at the load balancer.
      transports: ['websocket'],
      maxHttpBufferSize: LARGEST_PACKET,
      connectTimeout: CONNECT_MS,
      destroyUpgrade: false,
    });
    readFramesInTurn(this.io);
    this.io.engine.on('connection', (raw: Socket['conn']) => this.watch(raw));
    this.io.use(
      (socket, next) =>
        void this.admit(socket).then(
          () => next(),
          (error) => this.refuse(socket, error, next),
        ),
    );
    this.io.on('connection', (socket) => this.open(socket));
  }

  attach(server: HttpServer): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // A client may disconnect while it is being answered.
      socket.on('error', () => socket.destroy());
      try {
        const open = { all: this.io.engine.clientsCount, unknown: this.unknown.size };
        this.admission.checkRequest(request, open, this.isStopping);
      } catch (error) {
        if (!(error instanceof RefusedConnection)) throw error;
        this.metrics.sockets.refuse(error.reason);
        const headers = { 'Retry-After': '5' };
        // Without the query, which has the token.
        return answerRaw(socket, { status: error.status!, message: error.message, url: SOCKET_PATH, headers });
      }
      this.host.emit('upgrade', request, socket, head);
    });
  }

  /** Closes the connections, some at a time. Clients connect again, to another gateway. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    const open = [...this.connections.all()];
    const longest = Math.min(open.length / CLOSED_PER_SECOND, this.config.CLARION_DRAIN_MS / 2_000);
    const perTick = Math.max(1, Math.ceil(open.length / (longest * 10)));
    for (let at = 0; at < open.length; at += perTick) {
      for (const { socket } of open.slice(at, at + perTick)) socket.conn.close(true);
      if (at + perTick < open.length) await delay(100);
    }
    this.io.engine.close();
    this.unwatch();
    await this.deliveries.close();
    await this.presence.close();
  }

  /** Counts what a connection sends, and closes one that sends more than the protocol needs. */
  private watch(raw: Socket['conn']): void {
    if (!this.admission.hasValidToken(raw.request)) {
      this.unknown.add(raw);
      raw.once('close', () => this.unknown.delete(raw));
    }
    let packets = 0;
    let since = performance.now();
    const count = (): void => {
      const now = performance.now();
      if (now - since > PACKETS_MS) [packets, since] = [0, now];
      packets += 1;
      if (packets === PACKETS_AT_ONCE + 1) this.cutOff(raw);
    };
    watchFrames(raw, count);
  }

  private cutOff(raw: Socket['conn']): void {
    this.metrics.sockets.refuse('traffic');
    sever(raw);
  }

  private async admit(socket: Socket): Promise<void> {
    const { auth, query } = socket.handshake;
    const claims = await this.admission.check(socket.request, auth['token'] ?? query['token']);
    const now = await this.clock.now();
    const bounds = { earliest: claims.expiresAt - TOKEN_LIFE_MS, now };
    // The offset is the newer one: it came with an event after the client had connected.
    const known = Position.read(auth['offset'], bounds) ?? Position.read(auth['pid'], bounds);
    const position = known ?? Position.at(now);
    const data: SocketData = { claims, position, isKnown: known !== undefined };
    socket.data = data;
    // socket.io sends this with the answer to the connection, and the client sends it when it connects again.
    Object.assign(socket, { pid: String(position) });
  }

  private refuse(socket: Socket, error: unknown, next: (error: ExtendedError) => void): void {
    if (error instanceof RefusedConnection) {
      this.metrics.sockets.refuse(error.reason);
      next(Object.assign(new Error(error.message), { data: { reason: error.reason } }));
      return;
    }
    if (!isDatabaseUnavailable(error)) this.logger.error({ err: error }, 'A connection of an inbox failed');
    // A client tries again when the connection is closed, and not when it is refused.
    socket.conn.close(true);
  }

  private open(socket: Socket): void {
    const { claims, position, isKnown } = socket.data as SocketData;
    const connection: Connection = { socket, claims, contexts: contextsText(claims.contextKeys), position };
    this.unknown.delete(socket.conn);
    if (this.isStopping || this.isBeyondLimit(claims)) return void socket.disconnect(true);
    // The request of the upgrade is no longer needed; it would take memory as long as the connection is open.
    Object.assign(socket.conn, { request: null });
    const { environmentId, subscriberRowId: subscriberId } = claims;
    if (this.connections.add(connection)) this.presence.join({ environmentId, subscriberId });
    const expiry = setTimeout(() => socket.disconnect(true), Math.max(0, claims.expiresAt - Date.now()));
    expiry.unref();
    socket.once('disconnect', () => {
      clearTimeout(expiry);
      if (this.connections.remove(connection)) this.presence.leave(subscriberId);
    });
    socket.onAny(() => this.cutOff(socket.conn));
    this.listen();
    if (isKnown) this.deliveries.resume(connection);
  }

  /** Connections that were opened at the same moment were checked before any of them counted. */
  private isBeyondLimit(claims: InboxClaims): boolean {
    try {
      this.admission.checkLimits(claims);
      return false;
    } catch (error) {
      this.metrics.sockets.refuse((error as RefusedConnection).reason);
      return true;
    }
  }

  /** A gateway listens from its first connection on. What it may have missed before is found by a check. */
  private listen(): void {
    this.listening ??= this.relay
      .subscribe(
        (events) => this.deliveries.take(events),
        () => {
          this.deliveries.checkAll();
          this.deliveries.recount();
        },
      )
      .then(() => this.deliveries.checkAll());
  }

  private disconnect(subscriberId: SubscriberRowId): void {
    for (const { socket } of [...this.connections.of(subscriberId)]) socket.disconnect(true);
  }
}

type SocketData = { claims: InboxClaims; position: Position; isKnown: boolean };
