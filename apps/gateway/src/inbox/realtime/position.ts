import { createHash } from 'node:crypto';
import type { Arrival } from '@clarion/persistence';

/** A message is visible at most this long after its `created_at`: the time that a statement may take, and a reserve. */
const COMMIT_WINDOW_MS = 15_000;
/** Arrivals that a position names. With more of them, `since` moves to the oldest that it no longer names. */
const NAMED = 64;
const MARK = 8;
const FORM = new RegExp(`^1\\.([0-9a-z]{1,11})\\.([0-9-]{0,40})\\.((?:[\\w-]{${MARK}}){0,${NAMED}})$`);

/**
 * What a client has been sent: all that arrived until `since`, and the arrivals after it that are named. The text form
 * goes to the client with each event. A client of socket.io stores the last one and sends it when it connects again, to
 * any gateway, so the server needs no memory of connections that ended. A client can invent a position; it only decides
 * what is sent to that client from its own inbox.
 */
export class Position {
  private readonly named = new Map<string, number>();

  private constructor(
    /** By the clock of the database, in milliseconds. */
    public since: number,
    /** The counts that the client was sent last; empty if it was sent none. */
    public counts = '',
    /** What the relay announces is sent if it arrived after this time. */
    private announcedSince = since,
  ) {}

  /**
   * The position of a client that connects for the first time: it has just read its inbox. What the relay announces
   * from now on was committed about now, so the client may not have read it, although it was created before.
   */
  static at(now: number): Position {
    return new Position(now, '', now - COMMIT_WINDOW_MS);
  }

  /** Reads the text that a client sent. The bounds limit what it can ask for. Undefined if it is no position. */
  static read(text: unknown, { earliest, now }: { earliest: number; now: number }): Position | undefined {
    const [, since, counts = '', marks = ''] = (typeof text === 'string' && FORM.exec(text)) || [];
    if (since === undefined) return undefined;
    const position = new Position(Math.min(now, Math.max(earliest, Number.parseInt(since, 36))), counts);
    for (let at = 0; at < marks.length; at += MARK) position.named.set(marks.slice(at, at + MARK), now);
    return position;
  }

  /** Whether the client was sent this arrival. Of old ones, only those that are named are known. */
  has(mark: string): boolean {
    return this.named.has(mark);
  }

  /** Whether an arrival that the relay announces may be new to the client. An announcement can be late. */
  expects({ createdAt }: Arrival): boolean {
    return createdAt.getTime() > this.announcedSince;
  }

  add(mark: string, createdAt: number): void {
    this.named.set(mark, createdAt);
    if (this.named.size <= NAMED) return;
    const [oldest, time] = [...this.named].reduce((least, each) => (each[1] < least[1] ? each : least));
    this.named.delete(oldest);
    this.since = Math.max(this.since, time);
    this.announcedSince = Math.max(this.announcedSince, time);
  }

  /** The client was sent all arrivals that were visible at this time. */
  complete(now: number): void {
    const complete = now - COMMIT_WINDOW_MS;
    this.since = Math.max(this.since, complete);
    this.announcedSince = Math.max(this.announcedSince, complete);
    for (const [mark, time] of this.named) if (time <= this.announcedSince) this.named.delete(mark);
  }

  toString(): string {
    return `1.${Math.floor(this.since).toString(36)}.${this.counts}.${[...this.named.keys()].join('')}`;
  }
}

/** A short name of an arrival: a message that comes back after a snooze is another one. */
export const markOf = ({ id, createdAt }: Arrival): string =>
  createHash('sha1').update(`${id} ${createdAt.getTime()}`).digest('base64url').slice(0, MARK);
