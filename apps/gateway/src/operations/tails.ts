import { PassThrough, type Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError, LIMITS, type TailLineDto } from '@clarion/contracts';
import { type ActivityFilter, ActivityRepository, UsageRepository } from '@clarion/persistence';
import { Health, type Logger } from '@clarion/platform';
import { LOGGER } from '../core.module';
import { ActivityTail } from './activity-tail';
import type { NamedEnvironment } from './work-operations.service';

const READ_EVERY_MS = 1_000;
/** A comment is sent after this many reads, so that proxies keep the connection. */
const HEARTBEAT_READS = 15;
/** A caller that does not read is disconnected when this much waits for it. */
const WAITING_BYTES = 1024 * 1024;

type Caller = {
  organizationId: string;
  environments: () => Promise<NamedEnvironment[]>;
  filter: ActivityFilter;
  /** Rejects when the key or the session was revoked. */
  checkAccess: () => Promise<unknown>;
};

/** Server-sent events about the activity of several environments. Each stream reads for itself, once a second. */
@Injectable()
export class Tails implements OnModuleDestroy {
  /** The organization of each open stream. */
  private readonly streams = new Map<PassThrough, string>();
  private isClosed = false;

  constructor(
    private readonly activity: ActivityRepository,
    private readonly usage: UsageRepository,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async open(caller: Caller): Promise<Readable> {
    if (this.isClosed || this.health.isDraining) {
      throw new DomainError('unavailable', 'The gateway is stopping', {}, { 'Retry-After': '1' });
    }
    this.refuseTooMany(caller.organizationId);
    const tail = new ActivityTail({ activity: this.activity, usage: this.usage }, caller.filter);
    const stream = new PassThrough();
    this.streams.set(stream, caller.organizationId);
    stream.once('close', () => this.streams.delete(stream));
    const lines: TailLineDto[] = [];
    try {
      await tail.read(await caller.environments(), (line) => lines.push(line));
    } catch (error) {
      stream.destroy();
      throw error;
    }
    stream.write('retry: 2000\n: connected\n\n');
    for (const text of newestWithin(lines.map(eventOf), WAITING_BYTES / 2)) stream.write(text);
    this.schedule(stream, () => this.read(stream, tail, caller));
    return stream;
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    for (const stream of this.streams.keys()) stream.end();
  }

  private refuseTooMany(organizationId: string): void {
    const own = [...this.streams.values()].filter((id) => id === organizationId).length;
    const fault =
      own >= LIMITS.tailsOfOrganization
        ? `The organization has ${own} open tails in this gateway, which is the most for one organization`
        : this.streams.size >= LIMITS.tails && `The gateway has ${LIMITS.tails} open tails`;
    if (fault) throw new DomainError('too_many_requests', fault, {}, { 'Retry-After': '10' });
  }

  /** The next read begins a second after the last one ended, so a slow database gets no more of them. */
  private schedule(stream: PassThrough, read: () => Promise<void>, reads = 1): void {
    if (stream.writableEnded || stream.destroyed) return;
    setTimeout(() => {
      if (stream.destroyed) return;
      if (this.health.isDraining) return this.onModuleDestroy();
      if (reads % HEARTBEAT_READS === 0) write(stream, ': heartbeat\n\n');
      void read().finally(() => this.schedule(stream, read, reads + 1));
    }, READ_EVERY_MS).unref();
  }

  private async read(stream: PassThrough, tail: ActivityTail, caller: Caller): Promise<void> {
    try {
      await caller.checkAccess();
      await tail.read(await caller.environments(), (line) => write(stream, eventOf(line)));
    } catch (error) {
      // Only a refusal ends the stream: while the database does not answer, the access is unknown.
      if (error instanceof DomainError && error.code !== 'unavailable') return void stream.end();
      this.logger.warn({ err: error }, 'The activity could not be read for a tail. It is tried again.');
    }
  }
}

/** The last texts that together are at most this long: a caller cannot have read anything yet. */
function newestWithin(texts: string[], characters: number): string[] {
  let [length, first] = [0, texts.length];
  while (first > 0 && length + texts[first - 1]!.length <= characters) length += texts[(first -= 1)]!.length;
  return texts.slice(first);
}

const eventOf = (line: TailLineDto): string => `event: activity\ndata: ${JSON.stringify(line)}\n\n`;

function write(stream: PassThrough, text: string): void {
  if (stream.writableEnded || stream.destroyed) return;
  if (stream.writableLength > WAITING_BYTES) stream.destroy();
  else stream.write(text);
}
