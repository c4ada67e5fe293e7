import { PassThrough, type Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError, type EnvironmentId, type TailLineDto, TENANT_LIMITS, TenantCounts } from '@clarion/contracts';
import {
  type ActivityFilter,
  ActivityRepository,
  Database,
  EnvironmentSlots,
  UsageRepository,
} from '@clarion/persistence';
import { Health, type Logger } from '@clarion/platform';
import { tooManyStreams } from '../activity/activity-streams';
import { LOGGER } from '../edge/dependencies';
import { ActivityTail } from './activity-tail';
import type { NamedEnvironment } from './work-operations.service';

const READ_EVERY_MS = 1_000;
/** A comment is sent after this many reads, so that proxies keep the connection. */
const HEARTBEAT_READS = 15;
/** A caller that does not read is disconnected when this much waits for it. */
const WAITING_BYTES = 1024 * 1024;

type Caller = {
  /** The environment of the key. */
  environmentId: EnvironmentId;
  environments: () => Promise<NamedEnvironment[]>;
  filter: ActivityFilter;
  /** Rejects when the key or the session was revoked. */
  checkAccess: () => Promise<unknown>;
};

/** Server-sent events about several environments. Each stream reads once a second, in one statement. */
@Injectable()
export class Tails implements OnModuleDestroy {
  private readonly streams = new Set<PassThrough>();
  private readonly share = TENANT_LIMITS.tails();
  private readonly counts: TenantCounts;
  /** A filter can be dear, so few tails read at the same time. */
  private readonly reads: EnvironmentSlots;
  private isClosed = false;

  constructor(
    private readonly activity: ActivityRepository,
    private readonly usage: UsageRepository,
    private readonly health: Health,
    database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const readShare = TENANT_LIMITS.tailReads();
    this.counts = new TenantCounts(() => this.share, database.organizations.of);
    this.reads = database.slotsOf(() => readShare);
  }

  async open(caller: Caller): Promise<Readable> {
    if (this.isClosed || this.health.isDraining) {
      throw new DomainError('unavailable', 'The gateway is stopping', {}, { 'Retry-After': '1' });
    }
    const full = this.counts.fullLevel(caller.environmentId);
    if (full) throw tooManyStreams('tails', full, this.share);
    const tail = new ActivityTail({ activity: this.activity, usage: this.usage }, caller.filter);
    const stream = new PassThrough();
    const giveBack = this.counts.take(caller.environmentId);
    this.streams.add(stream);
    stream.once('close', () => {
      giveBack();
      this.streams.delete(stream);
    });
    const lines: TailLineDto[] = [];
    try {
      await this.readInTurn(tail, caller, (line) => lines.push(line));
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
    for (const stream of this.streams) stream.end();
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
      await this.readInTurn(tail, caller, (line) => write(stream, eventOf(line)));
    } catch (error) {
      // Only a refusal ends the stream: while the database does not answer, the access is unknown.
      if (error instanceof DomainError && error.code !== 'unavailable') return void stream.end();
      this.logger.warn({ err: error }, 'The activity could not be read for a tail. It is tried again.');
    }
  }

  private async readInTurn(tail: ActivityTail, caller: Caller, report: (line: TailLineDto) => void): Promise<void> {
    const giveBack = await this.reads.take(caller.environmentId);
    try {
      await tail.read(await caller.environments(), report);
    } finally {
      giveBack();
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
