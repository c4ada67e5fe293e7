import type { JsonObject, WebhookDeliveryState } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import type { WebhookDelivery, WebhookEndpoint } from '../../entities';
import { CLAIM, DISABLE, DUE, FILL, LOOK, RECORD, RELEASE, REPLAY } from './webhook-sending.sql';

/** An endpoint that this process serves until its lease ends. */
export type LeasedEndpoint = Pick<WebhookEndpoint, 'id' | 'environmentId' | 'url' | 'secret' | 'failures'> & {
  leaseId: string;
  /** Null when there is none, or when it no longer signs. */
  previousSecret: string | null;
};

type FilledEndpoint = LeasedEndpoint & { seen: number; isReplaying: boolean };

/** A delivery that is due, with its entry: it was created when that happened, or when a test was asked for. */
export type DueDelivery = Pick<WebhookDelivery, 'id' | 'entryId' | 'type' | 'attempt' | 'createdAt'> & {
  sequence: number | null;
  /** Null when retention has deleted the entry. */
  data: JsonObject | null;
};

export type AttemptResult = {
  id: string;
  state: WebhookDeliveryState;
  /** Until the next attempt, for `waiting`. */
  dueInMs?: number;
  status?: number;
  text?: string;
  error?: string;
};

/** What an endpoint is after a round of calls. */
export type EndpointHealth = { hasSucceeded: boolean; failures: number; pauseMs?: number };

/** The part of the workers that sends entries to webhook endpoints. */
export class WebhookSendingRepository extends Repository {
  /** Whether entries wait for their numbers, and whether an endpoint has something to get. */
  async look(): Promise<{ hasNew: boolean; hasDue: boolean }> {
    const [row] = await this.database.prepared<{ hasNew: boolean; hasDue: boolean }>('webhooks-look', LOOK, []);
    return row!;
  }

  /** Leases endpoints that have something to get: of each organization those first that were served longest ago. */
  claim(leaseId: string, leaseMs: number, limit: number): Promise<LeasedEndpoint[]> {
    return this.database.prepared('webhooks-claim', CLAIM, [leaseId, leaseMs, limit]);
  }

  /** Renews the lease and opens deliveries for new and replayed entries. Undefined without lease or when inactive. */
  async fill(
    { id, leaseId }: LeasedEndpoint,
    leaseMs: number,
  ): Promise<{ endpoint: LeasedEndpoint; hasMore: boolean } | undefined> {
    const [row] = await this.database.prepared<FilledEndpoint>('webhooks-fill', FILL, [id, leaseId, leaseMs]);
    if (!row) return undefined;
    const { seen, isReplaying, ...endpoint } = row;
    const [replayed] = isReplaying
      ? await this.database.prepared<{ seen: number }>('webhooks-replay', REPLAY, [id, leaseId])
      : [];
    return { endpoint, hasMore: seen > 0 || (replayed?.seen ?? 0) > 0 };
  }

  due({ id }: LeasedEndpoint, limit: number): Promise<DueDelivery[]> {
    return this.database.prepared('webhooks-due', DUE, [id, limit]);
  }

  /** Whether the endpoint has failed for so many days; undefined when another process has its lease. */
  async record(
    { id, leaseId }: LeasedEndpoint,
    results: AttemptResult[],
    { hasSucceeded, failures, pauseMs }: EndpointHealth,
    failingDays: number,
  ): Promise<boolean | undefined> {
    const [row] = await this.database.prepared<{ isFailing: boolean }>('webhooks-record', RECORD, [
      id,
      leaseId,
      JSON.stringify(results),
      hasSucceeded,
      failures,
      pauseMs ?? null,
      failingDays,
      results.map((result) => result.id),
    ]);
    return row?.isFailing;
  }

  /** Switches the endpoint off, with an entry in the event log and in the audit log. */
  async disable({ id, leaseId }: LeasedEndpoint, reason: string): Promise<void> {
    await this.database.prepared('webhooks-disable', DISABLE, [id, leaseId, reason]);
  }

  async release({ id, leaseId }: LeasedEndpoint): Promise<void> {
    await this.database.prepared('webhooks-release', RELEASE, [id, leaseId]);
  }
}
