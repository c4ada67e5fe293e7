import {
  ANNOUNCED_STEP_TYPES,
  type EnvironmentId,
  type JsonObject,
  newId,
  partition,
  type TriggerId,
} from '@clarion/contracts/core';
import { withPartitions } from '../../schema/partitions';
import { ClaimRepository } from '../claim.repository';
import { byId } from '../../sql/ids-with-bounds';
import type { Gone } from '../orphans';
import { notificationColumns, planColumns, walkColumns } from './page-columns';
import type {
  ClaimedTrigger,
  FanOutCursor,
  FanOutPage,
  Member,
  MemberPage,
  NewNotification,
  Recipient,
  RecipientInput,
  StepWarning,
  TriggerProgress,
} from './fan-out-rows';
import {
  ADD_STEP_WARNINGS,
  CLAIM_TRIGGERS,
  COMMIT_LAST_PAGE,
  COMMIT_PAGE,
  END_ORPHANS,
  FAIL_TRIGGERS,
  LIST_SUBSCRIBERS,
  LIST_TOPIC_MEMBERS,
  MARK_TRIGGERED,
  PAYLOAD,
  RELEASE_TRIGGERS,
  RESOLVE_RECIPIENTS,
} from './fan-out.sql';
import { columnArrays } from '../../sql/column-arrays';

type ClaimedTriggerRow = Omit<ClaimedTrigger, 'claimId' | 'createdAt' | 'trace' | 'leavesMore' | 'bytes'> & {
  createdAtMs: number;
  own_bytes: number;
  found_rows: number;
  gone: Gone | null;
  traceparent: string | null;
  tracestate: string | null;
};

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Turns accepted triggers into notifications and steps. Every method is one statement for any number of rows. */
export class FanOutRepository extends ClaimRepository<TriggerId> {
  /**
   * Claims triggers. Triggers that another engine holds, or that are finished, are left out. A trigger whose last
   * holder crashed is claimed only when so many crashes are allowed: it may have caused the crash, and must not take
   * other triggers with it (see `suspects`). A trigger that is gone, or whose workflow is, ends instead.
   */
  async claim(triggerIds: TriggerId[], mostCrashes = 0): Promise<ClaimedTrigger[]> {
    const claimId = newId();
    const parameters = [...byId(triggerIds), mostCrashes, claimId, this.takeEnded()];
    const rows = await this.database.prepared<ClaimedTriggerRow>('claim-triggers', CLAIM_TRIGGERS, parameters);
    const [orphans, found] = partition(rows, ({ gone }) => gone !== null);
    if (orphans.length > 0) await this.endOrphans(claimId, orphans, found.length === 0);
    return found.map((row) => toClaimedTrigger(row, claimId, rows.length));
  }

  private async endOrphans(claimId: string, rows: ClaimedTriggerRow[], areAll: boolean): Promise<void> {
    let isRecorded = false;
    try {
      await this.database.query(END_ORPHANS, [
        ...columnArrays(rows, 'id', 'fence'),
        rows.map(({ gone }) => `The ${gone} no longer exists`),
      ]);
      isRecorded = true;
    } finally {
      // After an error no engine runs these triggers: without the claim they can be claimed again at once.
      if (areAll || !isRecorded) this.end(claimId);
    }
    this.onOrphans(rows.map(({ id, environmentId, gone }) => ({ id, type: 'trigger', environmentId, gone: gone! })));
  }

  /**
   * Finds subscribers of any number of environments by subscriberId: creates missing ones, updates those with a
   * different field and only reads the others. Rows are written in the order of ids, so that two batches with the same
   * recipients wait for each other instead of deadlocking.
   */
  async resolve(recipients: RecipientInput[]): Promise<Recipient[]> {
    if (recipients.length === 0) return [];
    const actors = recipients.filter(({ isActor }) => isActor).map(({ subscriberId }) => subscriberId);
    return this.database.prepared<Recipient>('resolve-recipients', RESOLVE_RECIPIENTS, [
      recipients.map(({ environmentId }) => environmentId),
      actors,
      ...columnArrays(recipients, 'subscriberId', 'newId'),
      recipients.map(({ profile }) => (Object.keys(profile).length > 0 ? JSON.stringify(profile) : null)),
    ]);
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

  /** The payload of a trigger; empty if the trigger is gone. */
  async payloadOf({ id, environmentId }: Pick<ClaimedTrigger, 'id' | 'environmentId'>): Promise<JsonObject> {
    const [row] = await this.database.prepared<{ payload: JsonObject }>('payload', PAYLOAD, [id, environmentId]);
    return row?.payload ?? {};
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

  /** All or nothing, except triggers with a newer fence, which belong to another engine. Returns those written. */
  async commit({ triggers, notifications }: FanOutPage): Promise<Set<string>> {
    const [failed, others] = partition(triggers, ({ state }) => state === 'failed');
    const rows = [
      ...(failed.length > 0 ? await this.fail(failed) : []),
      ...(others.length > 0 ? await this.commitPage(others, notifications) : []),
    ];
    return new Set(rows.map(({ id }) => id));
  }

  private commitPage(triggers: TriggerProgress[], notifications: NewNotification[]): Promise<{ id: string }[]> {
    const isLast = triggers.every(({ state }) => state === 'done');
    const parameters = [
      ...planColumns(triggers),
      ...notificationColumns(notifications),
      ANNOUNCED_STEP_TYPES,
      ...(isLast ? [] : walkColumns(triggers)),
    ];
    return withPartitions(this.database, () =>
      isLast
        ? this.database.prepared('commit-last-page', COMMIT_LAST_PAGE, parameters)
        : this.database.prepared('commit-page', COMMIT_PAGE, parameters),
    );
  }

  private fail(triggers: TriggerProgress[]): Promise<{ id: string }[]> {
    return this.database.query(FAIL_TRIGGERS, [
      ...columnArrays(triggers, 'id', 'fence'),
      triggers.map(({ error }) => error ?? null),
    ]);
  }

  /** Releases triggers that have not begun, so that another engine can claim them at once. */
  async release(triggers: { id: TriggerId; fence: number }[], waitMs = 0): Promise<void> {
    if (triggers.length === 0) return;
    await this.database.query(RELEASE_TRIGGERS, [...columnArrays(triggers, 'id', 'fence'), waitMs]);
  }

  async warn(warnings: StepWarning[], detail: string): Promise<void> {
    await this.database.query(ADD_STEP_WARNINGS, [...columnArrays(warnings, 'stepId', 'raw', 'environmentId'), detail]);
  }

  /** Called at most once per interval and workflow: a busy workflow would otherwise be written all the time. */
  async markTriggered(workflowIds: string[]): Promise<void> {
    await this.database.query(MARK_TRIGGERED, [workflowIds]);
  }
}

/** Names each field: a copy of all others (`...row`) costs as much as the rest of a claim. */
const toClaimedTrigger = (row: ClaimedTriggerRow, claimId: string, count: number): ClaimedTrigger => ({
  id: row.id,
  claimId,
  environmentId: row.environmentId,
  transactionId: row.transactionId,
  workflowId: row.workflowId,
  workflowVersion: row.workflowVersion,
  workflowUpdatedAt: row.workflowUpdatedAt,
  recipients: row.recipients,
  payload: row.payload,
  overrides: row.overrides,
  actor: row.actor,
  tenant: row.tenant,
  context: row.context,
  cursor: row.cursor,
  lane: row.lane,
  fence: row.fence,
  crashCount: row.crashCount,
  leavesMore: row.found_rows > count,
  bytes: row.own_bytes,
  createdAt: new Date(row.createdAtMs),
  trace: row.traceparent === null ? null : { traceparent: row.traceparent, tracestate: row.tracestate },
});

function toMemberPage(rows: (Member & { last: string | null })[], leftOut: string[]): MemberPage {
  const out = new Set(leftOut);
  const last = rows[0]?.last;
  return { members: rows.filter((row) => !out.has(row.subscriberId)), cursor: last ? { after: last } : null };
}
