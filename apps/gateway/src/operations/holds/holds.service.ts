import { Injectable } from '@nestjs/common';
import {
  type Channel,
  CHANNELS,
  type CreateHoldDto,
  DomainError,
  type HoldDto,
  type HoldListDto,
  type HoldTarget,
  invalidField,
  isId,
  LIMITS,
  newId,
} from '@clarion/contracts';
import {
  Database,
  type Hold,
  type HoldParties,
  HoldRepository,
  type HoldWithSteps,
  IntegrationRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../../edge/audit-log/audit-log';
import { type ActedEnvironment, isOperator, NO_REASON, setterOf } from '../../edge/auth/operator';
import { withoutNulls } from '../../edge/http/page';
import { nameOf } from '../../authoring/workflows/workflows.service';
import { heldByOperator, setByOf } from '../../edge/auth/operator-holds';

type Target = { target: HoldTarget; targetId: string; targetName: string };

/** `remaining`: the hold of a key, which stays when the operator resumes. */
type Resumed = { resumed: boolean; remaining?: Pick<Hold, 'heldBy' | 'reason'> };

@Injectable()
export class HoldsService {
  constructor(
    private readonly database: Database,
    private readonly holds: HoldRepository,
    private readonly integrations: IntegrationRepository,
    private readonly workflows: WorkflowRepository,
    private readonly audit: AuditLog,
  ) {}

  async list({ environmentId }: EnvironmentRef): Promise<HoldListDto> {
    return { data: (await this.holds.list(environmentId)).map(toHoldDto) };
  }

  /** Operator and tenant each have a separate hold: the one of the operator shows, and is resumed first. */
  async hold(
    actor: AuditActor,
    environment: ActedEnvironment,
    input: CreateHoldDto,
  ): Promise<{ hold: HoldDto; created: boolean }> {
    const { environmentId } = environment;
    const found = await this.findTarget(environment, input.target, input.id);
    const byOperator = isOperator(actor);
    return this.database.transaction(async () => {
      if (!byOperator && (await this.holds.countOfKeys(environmentId)) >= LIMITS.holds) {
        throw new DomainError('bad_request', `An environment has at most ${LIMITS.holds} holds`);
      }
      const row = {
        id: newId(),
        environmentId,
        ...found,
        reason: input.reason || NO_REASON,
        heldBy: setterOf(actor),
        byOperator,
      };
      const added = await this.holds.add(row);
      if (added) {
        await this.audit.recordIn(actor, environment, { resource: 'hold', id: added.id, after: added });
        return { hold: toHoldDto({ ...added, waiting: 0 }), created: true };
      }
      const held = await this.holds.findTarget(environmentId, found.target, found.targetId);
      const before = held && (await this.holds.lock(environmentId, held.id));
      if (!before) throw new DomainError('conflict', 'The target was resumed at the same moment, please retry');
      // Of two holds by the same party, the first stays.
      const after =
        before.byOperator === byOperator
          ? before
          : await this.setParties(actor, environment, before, bothParties(before, row));
      return { hold: toHoldDto({ ...after, waiting: held.waiting }), created: false };
    });
  }

  private async setParties(
    actor: AuditActor,
    environment: EnvironmentRef,
    before: Hold,
    parties: HoldParties,
  ): Promise<Hold> {
    const after = { ...before, ...parties };
    await this.holds.setParties(environment.environmentId, before.id, parties);
    await this.audit.recordIn(actor, environment, { resource: 'hold', id: before.id, before, after });
    return after;
  }

  /** Releases the steps of the hold. */
  async resume(actor: AuditActor, environment: ActedEnvironment, id: string): Promise<void> {
    const hold = await this.holds.find(environment.environmentId, id);
    if (!hold) throw new DomainError('not_found', `Hold ${id} was not found`);
    await this.end(actor, environment, hold);
  }

  /** Resumes the target, if it is held. */
  async resumeTarget(
    actor: AuditActor,
    environment: ActedEnvironment,
    target: HoldTarget,
    id: string,
  ): Promise<Resumed> {
    const hold = await this.holdOf(environment, target, id);
    return hold ? this.end(actor, environment, hold) : { resumed: false };
  }

  /** The hold of the target; undefined when it is not held. */
  async holdOf(environment: ActedEnvironment, target: HoldTarget, id: string): Promise<HoldWithSteps | undefined> {
    const { targetId } = await this.findTarget(environment, target, id);
    const { environmentId } = environment;
    const hold = await this.holds.findTarget(environmentId, target, targetId);
    if (hold || target !== 'channel') return hold;
    // Steps without an integration are judged again: they are sent if the channel has one now, and held again if not.
    return this.holds.findTarget(environmentId, 'missing_integration', targetId);
  }

  private end(actor: AuditActor, environment: EnvironmentRef, { id }: Pick<Hold, 'id'>): Promise<Resumed> {
    const { environmentId } = environment;
    return this.database.transaction(async () => {
      const before = await this.holds.lock(environmentId, id);
      if (!before) return { resumed: false };
      if (before.byOperator && !isOperator(actor)) throw heldByOperator(before);
      if (before.byOperator && before.beneath) {
        const parties = { ...before.beneath, byOperator: false, beneath: null };
        await this.setParties(actor, environment, before, parties);
        return { resumed: true, remaining: before.beneath };
      }
      await this.holds.resume(environmentId, id);
      await this.audit.recordIn(actor, environment, { resource: 'hold', id, before });
      return { resumed: true };
    });
  }

  /** The target as it is stored; throws when the environment has no such target. */
  async findTarget(environment: ActedEnvironment, target: HoldTarget, id: string): Promise<Target> {
    const { environmentId, environmentName } = environment;
    switch (target) {
      case 'environment':
        if (id.toLowerCase() !== environmentId) throw new DomainError('not_found', `Environment ${id} was not found`);
        return { target, targetId: environmentId, targetName: environmentName };
      case 'channel':
        if (!(CHANNELS as readonly string[]).includes(id)) {
          throw invalidField('id', `id must be a channel: ${CHANNELS.join(', ')}`, id);
        }
        return { target, targetId: id as Channel, targetName: id };
      case 'workflow': {
        const workflow = await this.workflows.find(environmentId, nameOf(id));
        if (!workflow) throw new DomainError('not_found', `Workflow ${id} was not found`);
        return { target, targetId: workflow.id, targetName: workflow.name };
      }
      case 'integration': {
        const integration = isId(id)
          ? await this.integrations.find(environmentId, id.toLowerCase())
          : await this.integrations.findByIdentifier(environmentId, id);
        if (!integration) throw new DomainError('not_found', `Integration ${id} was not found`);
        return { target, targetId: integration.id, targetName: integration.name };
      }
    }
  }
}

/** The hold of the operator over that of a key, whichever came first. */
function bothParties(held: HoldParties, added: Omit<HoldParties, 'beneath'>): HoldParties {
  const [above, below] = held.byOperator ? [held, added] : [added, held];
  const beneath = held.beneath ?? { heldBy: below.heldBy, reason: below.reason };
  return { heldBy: above.heldBy, reason: above.reason, byOperator: true, beneath };
}

function toHoldDto(row: HoldWithSteps): HoldDto {
  const setBy = setByOf(row);
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    target: row.target,
    id: row.targetId,
    name: row.targetName,
    reason: row.reason,
    setBy,
    heldBy: setBy,
    createdAt: row.createdAt.toISOString(),
    state: row.resumedAt ? 'resuming' : 'held',
    resumedAt: row.resumedAt?.toISOString(),
    waitingSteps: row.waiting,
  }) as HoldDto;
}
