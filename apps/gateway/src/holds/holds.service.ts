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
  HoldRepository,
  type HoldWithSteps,
  IntegrationRepository,
  type KeyOwner,
  WorkflowRepository,
} from '@clarion/persistence';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../audit-log/audit-log';
import { withoutNulls } from '../http/page';
import { nameOf } from '../workflows/workflows.service';

/** The environment of a hold. */
export type HeldEnvironment = EnvironmentRef & { environmentName: string };

type Target = { target: HoldTarget; targetId: string; targetName: string };

const NO_REASON = 'no reason given';

/** Holds and resumes integrations, channels, workflows and environments, for keys and for the command line. */
@Injectable()
export class HoldsService {
  constructor(
    private readonly database: Database,
    private readonly holds: HoldRepository,
    private readonly integrations: IntegrationRepository,
    private readonly workflows: WorkflowRepository,
    private readonly audit: AuditLog,
  ) {}

  async list(owner: KeyOwner): Promise<HoldListDto> {
    return { data: (await this.holds.list(owner.environmentId)).map(toHoldDto) };
  }

  /** A target that is held already stays as it is. */
  async hold(
    actor: AuditActor,
    environment: HeldEnvironment,
    input: CreateHoldDto,
  ): Promise<{ hold: HoldDto; created: boolean }> {
    const { environmentId } = environment;
    const found = await this.findTarget(environment, input.target, input.id);
    const isKey = typeof actor === 'object';
    return this.database.transaction(async () => {
      if ((await this.holds.count(environmentId)) >= LIMITS.holds) {
        throw new DomainError('bad_request', `An environment has at most ${LIMITS.holds} holds`);
      }
      const row = {
        id: newId(),
        environmentId,
        ...found,
        reason: input.reason || NO_REASON,
        heldBy: isKey ? actor.keyPrefix : 'the command line',
      };
      const added = await this.holds.add(row, isKey ? actor.keyId : undefined);
      if (added) await this.audit.recordIn(actor, environment, { resource: 'hold', id: added.id, after: added });
      const hold = added
        ? { ...added, waiting: 0 }
        : await this.holds.findTarget(environmentId, found.target, found.targetId);
      if (!hold) throw new DomainError('conflict', 'The target was resumed at the same moment, please retry');
      return { hold: toHoldDto(hold), created: added !== undefined };
    });
  }

  /** Releases the steps of the hold. */
  async resume(owner: KeyOwner, id: string): Promise<void> {
    const hold = await this.holds.find(owner.environmentId, id);
    if (!hold) throw new DomainError('not_found', `Hold ${id} was not found`);
    await this.end(owner, owner, hold);
  }

  /** Resumes the target. False when it is not held. */
  async resumeTarget(
    actor: AuditActor,
    environment: HeldEnvironment,
    target: HoldTarget,
    id: string,
  ): Promise<boolean> {
    const hold = await this.holdOf(environment, target, id);
    return hold !== undefined && this.end(actor, environment, hold);
  }

  /** The hold of the target; undefined when it is not held. */
  async holdOf(environment: HeldEnvironment, target: HoldTarget, id: string): Promise<HoldWithSteps | undefined> {
    const { targetId } = await this.findTarget(environment, target, id);
    const { environmentId } = environment;
    const hold = await this.holds.findTarget(environmentId, target, targetId);
    if (hold || target !== 'channel') return hold;
    // Steps without an integration are judged again: they are sent if the channel has one now, and held again if not.
    return this.holds.findTarget(environmentId, 'missing_integration', targetId);
  }

  private end(actor: AuditActor, environment: EnvironmentRef, hold: HoldWithSteps): Promise<boolean> {
    return this.database.transaction(async () => {
      const resumed = await this.holds.resume(environment.environmentId, hold.id);
      if (resumed) {
        const { waiting: _, ...before } = hold;
        await this.audit.recordIn(actor, environment, { resource: 'hold', id: hold.id, before });
      }
      return resumed;
    });
  }

  /** The target as it is stored; throws when the environment has no such target. */
  async findTarget(environment: HeldEnvironment, target: HoldTarget, id: string): Promise<Target> {
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

function toHoldDto(row: HoldWithSteps): HoldDto {
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    target: row.target,
    id: row.targetId,
    name: row.targetName,
    reason: row.reason,
    heldBy: row.heldBy,
    createdAt: row.createdAt.toISOString(),
    state: row.resumedAt ? 'resuming' : 'held',
    resumedAt: row.resumedAt?.toISOString(),
    waitingSteps: row.waiting,
  }) as HoldDto;
}
