import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { ImportRun } from '../entities';
import { storableJson } from '../sql/storable-json';

/** The rows of an environment, as an import counts them. */
export type EnvironmentTotals = {
  integrations: number;
  layouts: number;
  workflows: number;
  translations: number;
  subscribers: number;
  topics: number;
  subscriptions: number;
  preferences: number;
};

/** The progress of imports that have not ended. */
export class ImportRunRepository extends Repository {
  find(environmentId: EnvironmentId, source: string): Promise<ImportRun | undefined> {
    return this.database.row<ImportRun>(`SELECT * FROM import_run WHERE environment_id = $1 AND source = $2`, [
      environmentId,
      source,
    ]);
  }

  /** Begins an import. Undefined when there is one already. */
  insert(environmentId: EnvironmentId, source: string, progress: JsonObject): Promise<ImportRun | undefined> {
    return this.database.row<ImportRun>(
      `INSERT INTO import_run (environment_id, source, progress) VALUES ($1, $2, $3)
       ON CONFLICT ON CONSTRAINT import_run_pkey DO NOTHING RETURNING *`,
      [environmentId, source, storableJson(progress)],
    );
  }

  /** False when another import has written since: this one must stop. */
  async save({ environmentId, source, fence }: ImportRun, progress: JsonObject): Promise<boolean> {
    return this.database.matches(
      `UPDATE import_run SET progress = $4, fence = fence + 1, updated_at = now()
        WHERE environment_id = $1 AND source = $2 AND fence = $3`,
      [environmentId, source, fence, storableJson(progress)],
    );
  }

  /** Deletes the row of an import that has ended, unless another import has written since. */
  async end({ environmentId, source, fence }: ImportRun): Promise<void> {
    await this.database.query(`DELETE FROM import_run WHERE environment_id = $1 AND source = $2 AND fence = $3`, [
      environmentId,
      source,
      fence,
    ]);
  }

  async delete(environmentId: EnvironmentId, source: string): Promise<void> {
    await this.database.query(`DELETE FROM import_run WHERE environment_id = $1 AND source = $2`, [
      environmentId,
      source,
    ]);
  }

  /** Counts what the environment has. Preferences that apply in some contexts only are left out. */
  totals(environmentId: EnvironmentId): Promise<EnvironmentTotals> {
    return this.database.one<EnvironmentTotals>(
      `SELECT (SELECT count(*)::int FROM integration WHERE environment_id = $1 AND NOT deleted) AS integrations,
              (SELECT count(*)::int FROM layout WHERE environment_id = $1) AS layouts,
              (SELECT count(*)::int FROM workflow WHERE environment_id = $1 AND deleted_at IS NULL) AS workflows,
              (SELECT count(*)::int FROM translation WHERE environment_id = $1) AS translations,
              (SELECT count(*)::int FROM subscriber WHERE environment_id = $1) AS subscribers,
              (SELECT count(*)::int FROM topic WHERE environment_id = $1) AS topics,
              (SELECT count(*)::int FROM topic_subscription WHERE environment_id = $1) AS subscriptions,
              (SELECT count(*)::int FROM preference WHERE environment_id = $1 AND context_key = '') AS preferences`,
      [environmentId],
    );
  }
}
