import type { EnvironmentId } from '@clarion/contracts';
import type { EnvironmentSlots } from '@clarion/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a body may arrive before it makes room for others. */
const ARRIVAL_MS = 2_000;
const CHECK_MS = 250;

/**
 * Large bodies that have room and are not complete. When the gateway has no room for a body of a tenant that is within
 * its share, those are cut off that have been arriving longest: a few tenants could announce bodies that never come.
 */
export class ArrivingBodies {
  /** When each of them began, in this order. */
  private readonly since = new Map<FastifyRequest, number>();

  constructor(private readonly room: Pick<EnvironmentSlots, 'fullLevel'>) {}

  /** Runs what waits for room. */
  async wait<T>(environmentId: EnvironmentId, bytes: number, take: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => this.makeRoom(environmentId, bytes), CHECK_MS);
    try {
      return await take();
    } finally {
      clearInterval(timer);
    }
  }

  add(request: FastifyRequest, { raw }: FastifyReply): void {
    if (raw.closed || raw.destroyed) return;
    this.since.set(request, performance.now());
    raw.once('close', () => this.delete(request));
  }

  /** It is complete, or its caller has gone. */
  delete(request: FastifyRequest): void {
    this.since.delete(request);
  }

  private makeRoom(environmentId: EnvironmentId, bytes: number): void {
    const [oldest] = this.since;
    if (!oldest || this.room.fullLevel(environmentId, bytes) !== 'gateway') return;
    const [request, since] = oldest;
    if (performance.now() - since < ARRIVAL_MS) return;
    this.delete(request);
    request.raw.socket.destroy();
  }
}
