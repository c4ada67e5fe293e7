import type { EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Attachment } from '../entities';

/** The files of triggers. They are written by TriggerRepository, together with the trigger they came with. */
export class AttachmentRepository extends Repository {
  /** All files of these triggers, those of one trigger in their order. */
  findByTrigger(environmentId: EnvironmentId, triggerIds: string[]): Promise<Attachment[]> {
    if (triggerIds.length === 0) return Promise.resolve([]);
    return this.database.rows<Attachment>(
      `SELECT * FROM attachment WHERE environment_id = $1 AND trigger_id = ANY ($2) ORDER BY trigger_id, position`,
      [environmentId, triggerIds],
    );
  }
}
