import type { Channel, IntegrationState, ProviderId, StepType } from '@clarion/contracts';
import type { Database } from '../database';

export type StepLag = { type: StepType; due: number; oldestSeconds: number };
export type AccountState = {
  integrationId: string;
  environmentId: string;
  channel: Channel;
  providerId: ProviderId;
  state: IntegrationState;
};

/** Counted up to here, so that a look at a long queue costs no more than one at a short one. */
const COUNT_CAP = 10_000;

/** What waits, over all environments: for operators, not for tenants. */
export class LagRepository {
  constructor(private readonly database: Database) {}

  /** Steps that are due and not done, by type, and for how long the oldest has been due. */
  steps(): Promise<StepLag[]> {
    return this.database.rows<StepLag>(
      `SELECT type, count(*)::int AS due, extract(epoch FROM now() - min(due_at))::float8 AS oldest_seconds
         FROM (SELECT type, due_at FROM step
                WHERE state IN ('queued', 'delayed') AND due_at <= now() ORDER BY due_at LIMIT ${COUNT_CAP}) due
        GROUP BY type`,
    );
  }

  /** Triggers that are not yet notifications. */
  async triggers(): Promise<{ open: number; oldestSeconds: number }> {
    const [row] = await this.database.rows<{ open: number; oldestSeconds: number }>(
      `SELECT count(*)::int AS open, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest_seconds
         FROM (SELECT created_at FROM trigger WHERE state IN ('accepted', 'running') ORDER BY id LIMIT ${COUNT_CAP}) open`,
    );
    return row!;
  }

  /** Provider accounts that are not simply fine. */
  accounts(): Promise<AccountState[]> {
    return this.database.rows<AccountState>(
      `SELECT id AS integration_id, environment_id, channel, provider_id, health ->> 'state' AS state
         FROM integration WHERE health IS NOT NULL AND active AND NOT deleted ORDER BY id LIMIT ${COUNT_CAP}`,
    );
  }
}
