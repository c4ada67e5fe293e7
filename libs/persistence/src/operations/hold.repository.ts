import {
  type Channel,
  type EnvironmentId,
  EXECUTION_DETAILS,
  type ExecutionDetailRecord,
  type HoldCause,
  type HoldTarget,
  INSTALLATION_HELD,
  LIMITS,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Hold } from '../entities';
import { withPartitions } from '../schema/partitions';
import { textOf } from '../history/detail-text';
import { HOLD_OF_INTEGRATION, HOLD_WITHOUT_INTEGRATION, KEEP_STEPS, OF_HOLD, RELEASE_HELD } from './hold.sql';
import type { HeldStep } from '../work/steps/step-rows';
import { columnArrays } from '../sql/column-arrays';

export type NewHold = Pick<
  Hold,
  'id' | 'environmentId' | 'target' | 'targetId' | 'targetName' | 'reason' | 'heldBy' | 'byOperator'
>;

/** Whose hold it is. */
export type HoldParties = Pick<Hold, 'heldBy' | 'reason' | 'byOperator' | 'beneath'>;

/** With the number of steps that wait for it, up to a cap. */
export type HoldWithSteps = Hold & { waiting: number };

export type StepToKeep = HeldStep & { holdId: string };

/** A claimed step whose channel has no active integration. */
export type StepWithoutIntegration = HeldStep & { environmentId: EnvironmentId };

const WITH_STEPS = `
SELECT h.*, (SELECT count(*)::int FROM (
         SELECT 1 FROM work w WHERE ${OF_HOLD} AND w.environment_id = h.environment_id
          LIMIT ${LIMITS.countCap + 1}) counted) AS waiting
  FROM hold h`;

/** Holds, and the open steps that wait for them. */
export class HoldRepository extends Repository {
  /** Returns undefined when the target is held already. */
  add(hold: NewHold): Promise<Hold | undefined> {
    return this.database.row<Hold>(
      `INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by, by_operator)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (environment_id, target, target_id) WHERE resumed_at IS NULL DO NOTHING
       RETURNING *`,
      [
        hold.id,
        hold.environmentId,
        hold.target,
        hold.targetId,
        hold.targetName,
        hold.reason,
        hold.heldBy,
        hold.byOperator,
      ],
    );
  }

  /** Also the holds whose steps are being released. */
  list(environmentId: EnvironmentId): Promise<HoldWithSteps[]> {
    return this.database.rows<HoldWithSteps>(
      `${WITH_STEPS} WHERE h.environment_id = $1 ORDER BY h.id DESC LIMIT ${2 * LIMITS.holds}`,
      [environmentId],
    );
  }

  /** What is held, oldest first: the order in which steps wait for holds. */
  listHeld(environmentId: EnvironmentId): Promise<Hold[]> {
    return this.database.rows<Hold>(
      `SELECT * FROM hold WHERE environment_id = $1 AND resumed_at IS NULL ORDER BY id LIMIT ${LIMITS.holds}`,
      [environmentId],
    );
  }

  /** Those that keys have set, also the resumed ones whose steps are being released. */
  countOfKeys(environmentId: EnvironmentId): Promise<number> {
    return this.database.value<number>(
      `SELECT count(*)::int AS count FROM hold
        WHERE environment_id = $1 AND (NOT by_operator OR beneath IS NOT NULL)`,
      [environmentId],
    );
  }

  find(environmentId: EnvironmentId, id: string): Promise<HoldWithSteps | undefined> {
    return this.database.row<HoldWithSteps>(`${WITH_STEPS} WHERE h.environment_id = $1 AND h.id = $2`, [
      environmentId,
      id,
    ]);
  }

  findTarget(environmentId: EnvironmentId, target: HoldCause, targetId: string): Promise<HoldWithSteps | undefined> {
    return this.database.row<HoldWithSteps>(
      `${WITH_STEPS} WHERE h.environment_id = $1 AND h.target = $2 AND h.target_id = $3 AND h.resumed_at IS NULL`,
      [environmentId, target, targetId],
    );
  }

  findOfOperator(environmentId: EnvironmentId): Promise<Hold | undefined> {
    return this.database.row<Hold>(
      `SELECT * FROM hold WHERE environment_id = $1 AND by_operator AND resumed_at IS NULL ORDER BY id LIMIT 1`,
      [environmentId],
    );
  }

  /** Holds a new environment if the operator holds the installation: a tenant would go on sending with it otherwise. */
  addOfInstallation(id: string, environmentId: EnvironmentId): Promise<Hold | undefined> {
    return this.database.row<Hold>(
      `INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by, by_operator)
       SELECT $1, new.id, h.target, new.id, new.name, h.reason, h.held_by, true
         FROM environment new, hold h JOIN environment e ON e.id = h.environment_id AND e.deleted_at IS NULL
        WHERE new.id = $2 AND h.target = 'environment' AND h.by_operator AND h.resumed_at IS NULL
          AND starts_with(h.reason, $3)
        ORDER BY h.id LIMIT 1
       RETURNING *`,
      [id, environmentId, INSTALLATION_HELD],
    );
  }

  /** Locks the row, so that the result stays true until the transaction ends. Undefined when it was resumed. */
  lock(environmentId: EnvironmentId, id: string): Promise<Hold | undefined> {
    return this.database.row<Hold>(
      `SELECT * FROM hold WHERE environment_id = $1 AND id = $2 AND resumed_at IS NULL FOR UPDATE`,
      [environmentId, id],
    );
  }

  /** Changes whose hold it is. The steps that wait for it go on waiting. */
  async setParties(
    environmentId: EnvironmentId,
    id: string,
    { heldBy, reason, byOperator, beneath }: HoldParties,
  ): Promise<void> {
    await this.database.query(
      `UPDATE hold SET held_by = $3, reason = $4, by_operator = $5, beneath = $6 WHERE environment_id = $1 AND id = $2`,
      [environmentId, id, heldBy, reason, byOperator, beneath && JSON.stringify(beneath)],
    );
  }

  /** From now on the hold keeps no step; the sweeper releases those that wait. False when it was resumed before. */
  resume(environmentId: EnvironmentId, id: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE hold SET resumed_at = now() WHERE environment_id = $1 AND id = $2 AND resumed_at IS NULL RETURNING id`,
      [environmentId, id],
    );
  }

  /** Resumes the holds of targets that are being deleted. Returns one of the operator, if it has to stay. */
  async resumeTargets(
    environmentId: EnvironmentId,
    target: HoldTarget,
    targetIds: string[],
    isOperator: boolean,
  ): Promise<Hold | undefined> {
    const rows = await this.database.rows<Hold>(
      `UPDATE hold SET resumed_at = CASE WHEN $4 OR NOT by_operator THEN now() END
        WHERE environment_id = $1 AND target = $2 AND target_id = ANY ($3::text[]) AND resumed_at IS NULL
       RETURNING *`,
      [environmentId, target, targetIds, isOperator],
    );
    return rows.find(({ resumedAt }) => resumedAt === null);
  }

  /** Lets claimed steps wait for holds. A step whose hold has been resumed meanwhile stays as it is. */
  async keep(steps: StepToKeep[], detail: ExecutionDetailRecord = EXECUTION_DETAILS.stepHeld): Promise<void> {
    await withPartitions(this.database, () =>
      this.database.query(KEEP_STEPS, [...columnArrays(steps, 'id', 'fence', 'holdId'), ...textOf(detail)]),
    );
  }

  /** Lets claimed steps of a channel wait until it has an active integration. */
  async keepWithoutIntegration(channel: Channel, steps: StepWithoutIntegration[]): Promise<void> {
    const environmentIds = steps.map(({ environmentId }) => environmentId);
    const holds = await this.database.rows<Pick<Hold, 'id' | 'environmentId'>>(HOLD_WITHOUT_INTEGRATION, [
      environmentIds,
      channel,
    ]);
    const holdOf = new Map(holds.map(({ id, environmentId }) => [environmentId, id]));
    await this.keep(
      steps.map(({ id, fence, environmentId }) => ({ id, fence, holdId: holdOf.get(environmentId)! })),
      EXECUTION_DETAILS.stepHeldWithoutIntegration,
    );
  }

  /** Releases the next steps of resumed holds; returns how many. */
  async release(): Promise<number> {
    const [row] = await this.database.prepared<{ count: number }>('release-held', RELEASE_HELD, []);
    return row!.count;
  }

  /** The integrations of these environments that are on hold, with their holds. */
  heldIntegrations(environmentIds: string[]): Promise<{ integrationId: string; holdId: string }[]> {
    return this.database.rows(
      `SELECT integration_id, hold_id FROM (
         SELECT i.id AS integration_id, ${HOLD_OF_INTEGRATION} AS hold_id FROM integration i
          WHERE i.environment_id IN (SELECT environment_id FROM hold WHERE resumed_at IS NULL)
            AND i.environment_id = ANY ($1::uuid[]) AND NOT i.deleted) held
        WHERE hold_id IS NOT NULL`,
      [environmentIds],
    );
  }
}
