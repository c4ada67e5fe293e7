import { type EnvironmentId, executionDetail, type TriggerId } from '@clarion/contracts/core';
import type { Database } from '../../database';
import { withPartitions } from '../../partitions';
import { textOf } from '../detail-text';
import { byId } from '../ids-with-bounds';
import type {
  ClaimedTrigger,
  FanOutCursor,
  FanOutPage,
  Member,
  MemberPage,
  Recipient,
  RecipientInput,
  StepWarning,
} from './fan-out-rows';
import {
  ADD_STEP_WARNINGS,
  CLAIM_TRIGGERS,
  COMMIT_PAGE,
  FIND_SUSPECT_TRIGGERS,
  LIST_SUBSCRIBERS,
  LIST_TOPIC_MEMBERS,
  MARK_TRIGGERED,
  RELEASE_TRIGGERS,
  RESOLVE_RECIPIENTS,
} from './fan-out.sql';

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Turns accepted triggers into notifications and steps. Every method is one statement for any number of rows. */
export class FanOutRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims triggers. Triggers that another engine holds, or that are finished, are left out. A trigger whose last
   * holder crashed is claimed only alone: it may have caused the crash, and must not take other triggers with it (see
   * `suspects`).
   */
  claim(triggerIds: TriggerId[], alone = false): Promise<ClaimedTrigger[]> {
    return this.database.prepared<ClaimedTrigger>('claim-triggers', CLAIM_TRIGGERS, [...byId(triggerIds), alone]);
  }

  /** The triggers among these that have to be claimed one at a time. */
  async suspects(triggerIds: TriggerId[]): Promise<TriggerId[]> {
    const rows = await this.database.query<{ id: TriggerId }>(FIND_SUSPECT_TRIGGERS, [triggerIds]);
    return rows.map(({ id }) => id);
  }

  /**
   * Finds subscribers of any number of environments by subscriberId: creates missing ones, updates those with a
   * different field and only reads the others. Rows are written in the order of ids, so that two batches with the same
   * recipients wait for each other instead of deadlocking.
   */
  async resolve(recipients: RecipientInput[]): Promise<Recipient[]> {
    if (recipients.length === 0) return [];
    const actors = recipients.filter(({ isActor }) => isActor).map(({ subscriberId }) => subscriberId);
    const parameters = [JSON.stringify(recipients), actors];
    return this.database.prepared<Recipient>('resolve-recipients', RESOLVE_RECIPIENTS, parameters);
  }

  /** The next members of the topics, each once for any number of subscriptions, without the excluded ones. */
  async topicMembers(
    environmentId: EnvironmentId,
    topicKeys: string[],
    cursor: FanOutCursor | null,
    leftOut: string[],
    limit: number,
  ): Promise<MemberPage> {
    const parameters = [environmentId, topicKeys, cursor?.after ?? NO_ID, limit];
    return toMemberPage(await this.database.prepared('topic-members', LIST_TOPIC_MEMBERS, parameters), leftOut);
  }

  /** The next subscribers of the environment. */
  async subscribers(
    environmentId: EnvironmentId,
    cursor: FanOutCursor | null,
    leftOut: string[],
    limit: number,
  ): Promise<MemberPage> {
    const parameters = [environmentId, cursor?.after ?? NO_ID, limit];
    return toMemberPage(await this.database.prepared('all-subscribers', LIST_SUBSCRIBERS, parameters), leftOut);
  }

  /**
   * Commits a page of notifications with their steps and the progress of their triggers, all or nothing. A trigger with
   * a newer fence belongs to another engine: nothing of it is written. Returns the triggers that were written.
   */
  async commit(page: FanOutPage): Promise<Set<string>> {
    const rows = await withPartitions(this.database, () =>
      this.database.prepared<{ id: string }>('commit-fan-out', COMMIT_PAGE, [
        JSON.stringify(page.triggers),
        JSON.stringify(page.notifications),
        JSON.stringify(page.steps),
        ...textOf(executionDetail('stepQueued')),
      ]),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Releases triggers that have not begun, so that another engine can claim them at once. */
  async release(triggers: { id: TriggerId; fence: number }[]): Promise<void> {
    if (triggers.length === 0) return;
    await this.database.query(RELEASE_TRIGGERS, [triggers.map(({ id }) => id), triggers.map(({ fence }) => fence)]);
  }

  /** Adds a warning to the execution details of steps. */
  async warn(warnings: StepWarning[], detail: string): Promise<void> {
    const parameters = [warnings.map(({ stepId }) => stepId), warnings.map(({ raw }) => raw), detail];
    await this.database.query(ADD_STEP_WARNINGS, parameters);
  }

  /** Called at most once per interval and workflow: a busy workflow would otherwise be written all the time. */
  async markTriggered(workflowIds: string[]): Promise<void> {
    await this.database.query(MARK_TRIGGERED, [workflowIds]);
  }
}

function toMemberPage(rows: (Member & { last: string | null })[], leftOut: string[]): MemberPage {
  const out = new Set(leftOut);
  const last = rows[0]?.last;
  return { members: rows.filter((row) => !out.has(row.subscriberId)), cursor: last ? { after: last } : null };
}
