import { Injectable } from '@nestjs/common';
import {
  ANY_PROMOTED_TYPE,
  type DiffEnvironmentsDto,
  DomainError,
  type EnvironmentDiffDto,
  type EnvironmentId,
  invalidField,
  LIMITS,
  type ListPublishesQuery,
  type PublishDto,
  type PublishEnvironmentDto,
  type PublishListDto,
  type PublishResponseDto,
  type ResourceDiffDto,
  type SyncWorkflowDto,
  TimeSlices,
  type WorkflowDto,
} from '@clarion/contracts';
import {
  Database,
  type Environment,
  EnvironmentRepository,
  IntegrationRepository,
  type KeyOwner,
  PromotionRepository,
  violatedUniqueConstraint,
} from '@clarion/persistence';
import { cursorEnvelope } from '../../edge/http/page';
import { WorkflowsService } from '../workflows/workflows.service';
import { toResourceDiff } from './diff-answers';
import { type Change, type Plan, type PlanOptions, Promotion, type Source } from './promotion';
import { toPublishDto, toPublishResponse } from './publish-answers';
import type { Place } from './resource-kind';
import { undoOf } from './undo';

type Sides = { source: Environment; target: Environment };

/** Publishes resources between the environments of an organization. Callers have a key of the scope `admin`. */
@Injectable()
export class PromotionService {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly integrations: IntegrationRepository,
    private readonly publishes: PromotionRepository,
    private readonly promotion: Promotion,
    private readonly workflows: WorkflowsService,
  ) {}

  diff(owner: KeyOwner, targetId: EnvironmentId, input: DiffEnvironmentsDto): Promise<EnvironmentDiffDto> {
    return this.database.asSystem(async () => {
      const sides = await this.sides(owner, targetId, input.sourceEnvironmentId);
      const plan = await this.plan(sides, { deletes: true, limit: LIMITS.diffResources });
      const warnings = await this.warnings(sides.target.id, plan.changes);
      const resources: ResourceDiffDto[] = [];
      // Many small resources take as long as a large one.
      const slices = new TimeSlices();
      for (const change of plan.changes) {
        resources.push(await toResourceDiff(plan, change, warnings.get(change) ?? []));
        await slices.rest();
      }
      return {
        sourceEnvironmentId: sides.source.id,
        targetEnvironmentId: sides.target.id,
        resources,
        summary: {
          totalEntities: plan.compared,
          totalChanges: plan.differing,
          hasChanges: plan.differing > 0,
        },
      };
    });
  }

  publish(owner: KeyOwner, targetId: EnvironmentId, input: PublishEnvironmentDto): Promise<PublishResponseDto> {
    return this.database.asSystem(async () => {
      const named = input.resources;
      const { sides, plan, warnings } = await this.database.beforehand(async () => {
        const found = await this.sides(owner, targetId, input.sourceEnvironmentId);
        const wanted = await this.plan(found, {
          deletes: true,
          ...(named && { wanted: ({ type }) => namedOf(named, type) }),
        });
        checkNamed(wanted, named ?? []);
        this.promotion.refuseMissing(wanted, found.target.name);
        return { sides: found, plan: wanted, warnings: await this.warnings(found.target.id, wanted.changes) };
      });
      const isWritten = !input.dryRun && plan.changes.length > 0;
      const publishId = isWritten ? await this.apply(owner, sides, plan.changes, 'publish') : undefined;
      const skipped = skippedOf(plan, named ?? []);
      return toPublishResponse(plan, skipped, {
        dryRun: input.dryRun ?? false,
        ...(publishId && { publishId }),
        warnings: [...new Set([...warnings.values()].flat())],
      });
    });
  }

  sync(owner: KeyOwner, identifier: string, { targetEnvironmentId }: SyncWorkflowDto): Promise<WorkflowDto> {
    const targetId = targetEnvironmentId.toLowerCase() as EnvironmentId;
    return this.database.asSystem(async () => {
      const { sides, plan, workflowId } = await this.database.beforehand(async () => {
        const found = await this.sides(owner, targetId, owner.environmentId, 'targetEnvironmentId');
        const workflow = await this.workflows.find(owner, identifier);
        const wanted = await this.plan(found, {
          deletes: false,
          wanted: ({ type }) => (type === 'workflow' ? [workflow.workflowId] : []),
        });
        this.promotion.refuseMissing(wanted, found.target.name);
        return { sides: found, plan: wanted, workflowId: workflow.workflowId };
      });
      if (plan.changes.length > 0) await this.apply(owner, sides, plan.changes, 'sync');
      return this.workflows.retrieve({ ...owner, environmentId: targetId }, workflowId);
    });
  }

  history(owner: KeyOwner, environmentId: EnvironmentId, query: ListPublishesQuery): Promise<PublishListDto> {
    return this.database.asSystem(async () => {
      const { id } = await this.findReadable(owner, environmentId);
      return cursorEnvelope(await this.publishes.listPublishes(id, query), (row) => toPublishDto(row, false));
    });
  }

  retrieve(owner: KeyOwner, environmentId: EnvironmentId, publishId: string): Promise<PublishDto> {
    return this.database.asSystem(async () => {
      const { id } = await this.findReadable(owner, environmentId);
      return toPublishDto(await this.findPublish(id, publishId), true);
    });
  }

  /** Restores what the publish replaced. Refused when one of its resources was edited since. */
  undo(owner: KeyOwner, environmentId: EnvironmentId, publishId: string): Promise<PublishDto> {
    return this.database.asSystem(async () => {
      const { place, source, changes } = await this.database.beforehand(async () => {
        const target = await this.find(owner, environmentId);
        const row = await this.findPublish(target.id, publishId);
        if (row.undoneBy) throw new DomainError('conflict', `Publish ${publishId} was undone by ${row.undoneBy}`);
        const replaced = await this.publishes.replacedBy(target.id, publishId);
        return { place: placeOf(owner, target), ...(await undoOf(this.promotion, target, publishId, replaced)) };
      });
      const id = await this.promotion
        .apply(place, source, changes, { origin: 'undo', undoes: publishId })
        .catch((error: unknown) => {
          if (violatedUniqueConstraint(error) !== 'publish_undoes_key') throw error;
          throw new DomainError('conflict', `Publish ${publishId} was undone before`);
        });
      return toPublishDto(await this.findPublish(environmentId, id), true);
    });
  }

  private plan({ source, target }: Sides, options: PlanOptions): Promise<Plan> {
    return this.promotion.plan(this.sourceOf(source), this.sourceOf(target), options);
  }

  private apply(owner: KeyOwner, { source, target }: Sides, changes: Change[], origin: 'publish' | 'sync') {
    return this.promotion.apply(placeOf(owner, target), this.sourceOf(source), changes, { origin });
  }

  private sourceOf({ id, name }: Environment): Source {
    return this.promotion.environment(id, name);
  }

  /** The channels of changed workflows that no active integration of the target sends on. */
  private async warnings(targetId: EnvironmentId, changes: Change[]): Promise<Map<Change, string[]>> {
    const active = new Set((await this.integrations.listActive(targetId)).map(({ channel }) => channel));
    return new Map(
      changes.map((change) => {
        const channels = (change.after && change.kind.channels?.(change.after.definition)) ?? [];
        const missing = channels.filter((channel) => !active.has(channel));
        return [
          change,
          missing.map((channel) => `No active integration of the target sends on the channel ${channel}`),
        ];
      }),
    );
  }

  private async sides(
    owner: KeyOwner,
    targetId: EnvironmentId,
    wantedSource: string | undefined,
    sameField = 'sourceEnvironmentId',
  ): Promise<Sides> {
    const target = await this.find(owner, targetId);
    const source = await this.find(
      owner,
      (wantedSource?.toLowerCase() as EnvironmentId) ?? (await this.usualSource(target)),
    );
    if (source.id === target.id) throw invalidField(sameField, `${sameField} must name another environment`, source.id);
    return { source, target };
  }

  private async usualSource(target: Environment): Promise<EnvironmentId> {
    if (target.parentId) return target.parentId;
    const others = (await this.environments.list(target.organizationId)).filter(({ id }) => id !== target.id);
    const source = others.find(({ type }) => type === 'dev');
    if (source) return source.id;
    throw invalidField('sourceEnvironmentId', 'sourceEnvironmentId is missing: the target has no parent');
  }

  private async findReadable(owner: KeyOwner, environmentId: EnvironmentId): Promise<Environment> {
    const isReadable = owner.scope === 'admin' || environmentId === owner.environmentId;
    if (!isReadable) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    return this.find(owner, environmentId);
  }

  private async find({ organizationId }: KeyOwner, environmentId: EnvironmentId): Promise<Environment> {
    const found = await this.environments.find(organizationId, environmentId);
    if (!found) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    return found;
  }

  private async findPublish(environmentId: EnvironmentId, publishId: string) {
    const row = await this.publishes.findPublish(environmentId, publishId);
    if (!row) throw new DomainError('not_found', `Publish ${publishId} was not found`);
    return row;
  }
}

const placeOf = (owner: KeyOwner, { id, organizationId }: Environment): Place => ({
  actor: owner,
  organizationId,
  environmentId: id,
});

type Named = NonNullable<PublishEnvironmentDto['resources']>[number];

const isNamed = ({ resourceType, resourceId }: Named, type: string, id: string): boolean =>
  resourceId === id && (resourceType === ANY_PROMOTED_TYPE || resourceType === type);

const namedOf = (named: Named[], type: string): string[] => [
  ...new Set(named.flatMap((each) => (isNamed(each, type, each.resourceId) ? [each.resourceId] : []))),
];

/** Refuses names that neither side has, and fingerprints of another state. */
function checkNamed(plan: Plan, named: Named[]): void {
  for (const [at, each] of named.entries()) {
    const types = [...plan.present.keys()].filter((type) => isNamed(each, type, each.resourceId));
    const exists = types.some(
      (type) => plan.present.get(type)!.has(each.resourceId) || plan.offered.get(type)!.has(each.resourceId),
    );
    if (!exists) {
      throw invalidField(
        `resources.${at}.resourceId`,
        `there is no ${each.resourceType} with this id`,
        each.resourceId,
      );
    }
    if (each.fingerprint === undefined) continue;
    const matching = plan.changes.filter(({ kind, id }) => isNamed(each, kind.type, id));
    if (matching.some(({ fingerprint }) => fingerprint === each.fingerprint)) continue;
    throw new DomainError(
      'conflict',
      `The ${types.join(' or ')} ${each.resourceId} was changed since the diff: nothing was published`,
    );
  }
}

/** The named resources that are the same on both sides. */
function skippedOf(plan: Plan, named: Named[]) {
  return [...plan.present].flatMap(([type, names]) =>
    named
      .filter((each) => isNamed(each, type, each.resourceId) && names.has(each.resourceId))
      .filter(({ resourceId }) => !plan.changes.some(({ kind, id }) => kind.type === type && id === resourceId))
      .map(({ resourceId }) => ({ type, id: resourceId, name: names.get(resourceId)! })),
  );
}
