import { groupBy, LIMITS, type SubscriberRowId, TimeSlices } from '@clarion/contracts';
import type { Arrival, InboxCounts, RealtimeMessage, RealtimeRepository, WatchedInbox } from '@clarion/persistence';
import type { FaultLog, Metrics } from '@clarion/platform';
import type { RealtimeEvent } from '@clarion/queue';
import { type Connection, type Connections, contextsText } from './connections';
import { markOf } from './position';
import { toRealtimeMessage } from './realtime-message';
import { RepeatedWork } from './repeated-work';
import { onceWritten, sever, waitingFor } from './web-socket';

/** How long changes wait for others, so that they share a statement. */
const MESSAGES_MS = 10;
const COUNTS_MS = 100;
/** How often all connected inboxes are compared with the database, for events that were lost. */
const CHECK_MS = 30_000;
const MESSAGES_AT_ONCE = 500;
const INBOXES_AT_ONCE = 500;
/** With more waiting messages than this, the next check sends the others. */
const WAITING_MESSAGES = 50_000;
/** A client for which this much waits is sent no message before it has read what was written. */
const WAITING_CHARACTERS = 1024 * 1024;
/** Events that wait for a client that does not read, before its connection is closed. It is sent the rest later. */
const WAITING_EVENTS = 1_000;
/** What waits for all clients of the gateway, before those are closed for which most waits. */
const ALL_WAITING_CHARACTERS = 64 * 1024 * 1024;

/** Why counts are sent: something changed, or something may have changed, so only other counts are sent. */
type CountReason = 'changed' | 'check';

/**
 * Sends connected inboxes what comes into them. An event of the relay only says what to read; the position of each
 * connection decides what is sent. So an event that is lost, late or doubled changes nothing but the time. Each read is
 * one statement for all inboxes that wait for it.
 */
export class Deliveries {
  private readonly waiting = new Set<string>();
  private readonly counted = new Map<SubscriberRowId, CountReason>();
  private readonly catchingUp = new Set<Connection>();
  private readonly messageReads = new RepeatedWork(
    () => this.readMessages(),
    (error) => this.report(error),
  );
  private readonly countReads = new RepeatedWork(
    () => this.readCounts(),
    (error) => this.report(error),
  );
  private readonly catchUps = new RepeatedWork(
    () => this.catchUp(),
    (error) => this.report(error),
  );
  private checkTimer: NodeJS.Timeout | undefined;
  /** At most this much waits for clients: what they have read is not subtracted. */
  private waitingCharacters = 0;

  constructor(
    private readonly connections: Connections,
    private readonly repository: RealtimeRepository,
    private readonly metrics: Metrics['sockets'],
    private readonly faults: FaultLog,
    private readonly holds: (claims: Connection['claims']) => Promise<boolean>,
  ) {}

  /** Events of the relay. Those for subscribers who are not connected here cost nothing. */
  take(events: RealtimeEvent[]): void {
    for (const { kind, subscriberId: id, messageIds } of events) {
      const subscriberId = id as SubscriberRowId;
      if (this.connections.countOf(subscriberId) === 0) continue;
      if (kind === 'message.created') for (const messageId of messageIds) this.wait(messageId);
      this.count(subscriberId, 'changed');
    }
  }

  /** Sends a client that connected again what it missed. */
  resume(connection: Connection): void {
    this.catchingUp.add(connection);
    this.catchUps.start(MESSAGES_MS);
    this.count(connection.claims.subscriberRowId, 'check');
  }

  /** Compares all connections with the database now, after events of the relay may have been lost, and repeatedly. */
  checkAll(): void {
    clearTimeout(this.checkTimer);
    this.checkTimer = setTimeout(() => this.checkAll(), CHECK_MS);
    this.checkTimer.unref();
    for (const connection of this.connections.all()) this.catchingUp.add(connection);
    if (this.catchingUp.size > 0) this.catchUps.start(0);
  }

  /** Counts of all connections, after changes of the state may have been lost. */
  recount(): void {
    for (const { claims } of this.connections.all()) this.count(claims.subscriberRowId, 'check');
  }

  async close(): Promise<void> {
    clearTimeout(this.checkTimer);
    await Promise.all([this.messageReads.close(), this.countReads.close(), this.catchUps.close()]);
  }

  private wait(messageId: string): void {
    if (this.waiting.size >= WAITING_MESSAGES) return this.metrics.drop('overload');
    this.waiting.add(messageId);
    this.messageReads.start(MESSAGES_MS);
  }

  private count(subscriberId: SubscriberRowId, reason: CountReason): void {
    if (this.counted.get(subscriberId) !== 'changed') this.counted.set(subscriberId, reason);
    this.countReads.start(COUNTS_MS);
  }

  /** Returns whether there is more to do. */
  private async readMessages(): Promise<boolean> {
    const ids = [...this.waiting].slice(0, MESSAGES_AT_ONCE);
    // Before the read: an id that comes while it runs may be a later arrival of the same message.
    for (const id of ids) this.waiting.delete(id);
    try {
      await this.sendEach(ids, (row) =>
        [...this.connections.of(row.subscriberId)].filter(({ position }) => position.expects(row)),
      );
    } catch (error) {
      for (const id of ids) this.waiting.add(id);
      throw error;
    }
    return this.waiting.size > 0;
  }

  /** Messages can be large and are written for each client: other events are handled in between. */
  private async sendEach(ids: string[], clientsOf: (row: RealtimeMessage) => Connection[]): Promise<void> {
    const slices = new TimeSlices();
    for await (const rows of this.repository.messages(ids)) {
      for (const row of rows) {
        const message = { row, mark: markOf(row), contexts: contextsText(row.contextKeys) };
        for (const connection of clientsOf(row)) {
          this.deliver(connection, message);
          await slices.rest();
        }
      }
      // What was written is on its way before the next page.
      await slices.pause();
    }
  }

  private deliver(
    connection: Connection,
    { row, mark, contexts }: { row: RealtimeMessage; mark: string; contexts: string },
  ): void {
    const { claims, position } = connection;
    if (claims.environmentId !== row.environmentId || connection.contexts !== contexts || position.has(mark)) return;
    if (this.isBehind(connection)) return;
    position.add(mark, row.createdAt.getTime());
    this.send(connection, 'notification_received', { message: toRealtimeMessage(row, claims) });
  }

  /** Whether the client has to read first. It is sent what it misses as soon as it has. */
  private isBehind(connection: Connection): boolean {
    const { conn } = connection.socket;
    if (connection.isBehind || waitingFor(conn).characters < WAITING_CHARACTERS) return connection.isBehind === true;
    connection.isBehind = true;
    onceWritten(conn, () => {
      connection.isBehind = false;
      if (connection.socket.connected) this.resume(connection);
    });
    return true;
  }

  /** Reads what arrived after the position of each connection, and sends what it was not sent. */
  private async catchUp(): Promise<boolean> {
    const batch = [...this.catchingUp].slice(0, INBOXES_AT_ONCE);
    for (const connection of batch) this.catchingUp.delete(connection);
    const inboxes = batch.map(({ claims, position }) => ({ ...inboxOf(claims), since: new Date(position.since) }));
    try {
      // The session ends with its environment and with what signed it.
      const held = await Promise.all(batch.map(({ claims }) => this.holds(claims)));
      batch.forEach(({ socket }, index) => held[index] || socket.disconnect(true));
      const { now, pages } = await this.repository.arrivals(inboxes);
      const missing = pages.map(({ arrivals }, index) =>
        arrivals.filter((arrival) => isMissing(batch[index]!, arrival)),
      );
      await this.sendMissing(batch, missing);
      pages.forEach(({ hasMore, isGone }, index) => {
        const connection = batch[index]!;
        // The token ends with its subscriber and its environment.
        if (isGone) connection.socket.disconnect(true);
        if (!connection.socket.connected || missing[index]!.some((arrival) => isMissing(connection, arrival))) return;
        if (hasMore) this.catchingUp.add(connection);
        else connection.position.complete(now.getTime());
      });
    } catch (error) {
      for (const connection of batch) if (connection.socket.connected) this.catchingUp.add(connection);
      throw error;
    }
    return this.catchingUp.size > 0;
  }

  private async sendMissing(batch: Connection[], missing: Arrival[][]): Promise<void> {
    const waiting = batch.flatMap((connection, index) =>
      this.isBehind(connection) ? [] : missing[index]!.map(({ id }) => ({ id, connection })),
    );
    const byMessage = groupBy(waiting, ({ id }) => id);
    await this.sendEach([...byMessage.keys()], ({ id }) => byMessage.get(id)!.map(({ connection }) => connection));
    for (const { connection } of waiting) this.count(connection.claims.subscriberRowId, 'check');
  }

  /** Connections of a subscriber in the same contexts share a count. */
  private async readCounts(): Promise<boolean> {
    const subscribers = [...this.counted].slice(0, INBOXES_AT_ONCE);
    for (const [id] of subscribers) this.counted.delete(id);
    const groups = subscribers.flatMap(([id, reason]) =>
      [...groupBy(this.connections.of(id), ({ contexts }) => contexts).values()].map((connections) => ({
        connections,
        reason,
      })),
    );
    if (groups.length > 0) {
      try {
        const counts = await this.repository.counts(groups.map(({ connections }) => inboxOf(connections[0]!.claims)));
        groups.forEach(({ connections, reason }, index) => {
          for (const connection of connections) this.sendCounts(connection, counts[index]!, reason);
        });
      } catch (error) {
        for (const [id, reason] of subscribers) this.count(id, reason);
        throw error;
      }
    }
    return this.counted.size > 0;
  }

  private sendCounts(connection: Connection, counts: InboxCounts, reason: CountReason): void {
    const { unread, unseen, severity } = counts;
    const text = [unread, unseen, ...Object.values(severity)].join('-');
    if (reason === 'check' && connection.position.counts === text) return;
    connection.position.counts = text;
    this.send(connection, 'unread_count_changed', {
      unreadCount: shown(unread),
      counts: {
        total: shown(unread),
        severity: Object.fromEntries(Object.entries(severity).map(([name, count]) => [name, shown(count)])),
      },
      hasMore: unread > LIMITS.inboxCount,
    });
    this.send(connection, 'unseen_count_changed', { unseenCount: shown(unseen), hasMore: unseen > LIMITS.inboxCount });
  }

  /** The position goes with each event, as the last argument: that is where a client of socket.io looks for it. */
  private send({ socket, position }: Connection, event: RealtimeEventName, data: object): void {
    if (!socket.connected) return;
    const { events, characters } = waitingFor(socket.conn);
    if (events >= WAITING_EVENTS) return this.drop(socket);
    socket.emit(event, data, String(position));
    this.waitingCharacters += waitingFor(socket.conn).characters - characters;
    if (this.waitingCharacters > ALL_WAITING_CHARACTERS) this.relieve();
    this.metrics.send(event);
  }

  /** The client connects again and is sent the rest. */
  private drop({ conn }: Connection['socket']): void {
    this.metrics.drop('slow');
    sever(conn);
  }

  /** Drops the clients for which most waits. What was read in the meantime is no longer counted. */
  private relieve(): void {
    const clients = [...this.connections.all()]
      .map(({ socket }) => ({ socket, characters: waitingFor(socket.conn).characters }))
      .sort((one, other) => other.characters - one.characters);
    this.waitingCharacters = clients.reduce((sum, { characters }) => sum + characters, 0);
    for (const { socket, characters } of clients) {
      if (this.waitingCharacters <= ALL_WAITING_CHARACTERS / 2) return;
      this.drop(socket);
      this.waitingCharacters -= characters;
    }
  }

  private report(error: unknown): void {
    this.faults.report('Connected inboxes could not be sent their messages. It is tried again.', error);
  }
}

type RealtimeEventName = 'notification_received' | 'unread_count_changed' | 'unseen_count_changed';

const shown = (count: number): number => Math.min(count, LIMITS.inboxCount);

const inboxOf = (claims: Connection['claims']): WatchedInbox => ({
  environmentId: claims.environmentId,
  subscriberId: claims.subscriberRowId,
  contextKeys: claims.contextKeys,
});

/** An event of the relay about it may be on its way; then it is sent now and not again. */
const isMissing = ({ position, socket }: Connection, arrival: Arrival): boolean =>
  socket.connected && arrival.createdAt.getTime() > position.since && !position.has(markOf(arrival));
