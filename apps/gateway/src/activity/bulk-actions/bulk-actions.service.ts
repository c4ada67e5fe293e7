import { Injectable } from '@nestjs/common';
import {
  type ActivityFilterDto,
  type BulkActionDto,
  type BulkActionListDto,
  type CreateBulkActionDto,
  DomainError,
  type EnvironmentId,
  invalidField,
  LIMITS,
  type ListBulkActionsQuery,
  type RunBulkActionDto,
  TENANT_LIMITS,
} from '@clarion/contracts';
import {
  ActivityRepository,
  type BulkAction,
  BulkActionRepository,
  Database,
  type EnvironmentSlots,
  IntegrationRepository,
  isLockTimeout,
  type KeyOwner,
  type OpenBulkActions,
  type ReplayedSteps,
  type ReplayThrough,
} from '@clarion/persistence';
import { toActivityFilter } from '../activity-filter';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../../edge/audit-log/audit-log';
import { isOperator } from '../../edge/auth/operator';
import { cursorEnvelope, withoutNulls } from '../../edge/http/page';

@Injectable()
export class BulkActionsService {
  private readonly searches: EnvironmentSlots;

  constructor(
    private readonly database: Database,
    private readonly bulkActions: BulkActionRepository,
    private readonly activity: ActivityRepository,
    private readonly integrations: IntegrationRepository,
    private readonly audit: AuditLog,
  ) {
    const share = TENANT_LIMITS.searches();
    this.searches = database.slotsOf(() => share);
  }

  /** A replay by a filter that names channels, providers, a reason or an error group runs only the steps that match. */
  async create(actor: AuditActor, environment: EnvironmentRef, body: CreateBulkActionDto): Promise<BulkActionDto> {
    const { action, statuses, perSecond, filter } = body;
    if (statuses && action !== 'replay') throw invalidField('statuses', 'statuses is for action replay only');
    if (statuses?.length === 0) throw invalidField('statuses', 'statuses must not be empty');
    const { environmentId } = environment;
    // The search may take seconds, and the count holds a lock until the transaction ends.
    const named = await this.named(environmentId, body);
    return this.database.transaction(async () => {
      if (!isOperator(actor)) await this.checkPlanned(environment);
      const steps = filter && stepsOf(filter);
      const planned = { action, statuses: statuses ?? (['failed'] as const).slice(), steps, perSecond, ...named };
      return toDto(await this.bulkActions.create(environmentId, planned));
    });
  }

  /** Each plan stores its items until it is run, stopped or has expired. */
  private async checkPlanned(environment: EnvironmentRef): Promise<void> {
    const { planned, plannedItems, plannedOfOrganization } = await this.countOpen(environment);
    const fault =
      planned >= LIMITS.plannedBulkActions
        ? `The environment has ${planned} planned bulk actions`
        : plannedItems >= LIMITS.plannedBulkActionItems
          ? `The planned bulk actions of the environment have ${plannedItems} items`
          : plannedOfOrganization >= LIMITS.plannedBulkActionsOfOrganization &&
            `The organization has ${plannedOfOrganization} planned bulk actions`;
    if (!fault) return;
    const instead = `run or stop some of them first. They expire after ${LIMITS.plannedBulkActionHours} hours`;
    throw new DomainError('conflict', `${fault}: ${instead}`);
  }

  /** Every engine looks through all actions that were started for the next batch. */
  private async checkStarted(environment: EnvironmentRef): Promise<void> {
    const { started, startedOfOrganization } = await this.countOpen(environment);
    const fault =
      started >= LIMITS.startedBulkActions
        ? `The environment has ${started} bulk actions`
        : startedOfOrganization >= LIMITS.startedBulkActionsOfOrganization &&
          `The organization has ${startedOfOrganization} bulk actions`;
    if (fault) throw new DomainError('conflict', `${fault} that have not ended: stop some of them, or run it later`);
  }

  private countOpen({ environmentId, organizationId }: EnvironmentRef): Promise<OpenBulkActions> {
    return this.bulkActions.countOpen(environmentId, organizationId).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      const wait = { 'Retry-After': '3' };
      throw new DomainError('too_many_requests', 'The environment is planning another bulk action', {}, wait);
    });
  }

  private async named(
    environmentId: EnvironmentId,
    { ids, filter }: CreateBulkActionDto,
  ): Promise<{ ids: string[]; hasMore: boolean }> {
    if ((ids === undefined) === (filter === undefined)) throw invalidField('ids', 'Give either ids or filter');
    if (filter) return this.search(environmentId, filter);
    if (ids!.length === 0) throw invalidField('ids', 'ids must not be empty');
    return { ids: ids!, hasMore: false };
  }

  private async search(
    environmentId: EnvironmentId,
    filter: ActivityFilterDto,
  ): Promise<{ ids: string[]; hasMore: boolean }> {
    const giveBack = await this.searches.take(environmentId);
    try {
      const found = await this.activity.ids(environmentId, toActivityFilter(filter), LIMITS.bulkActionItems);
      if (found) return found;
    } finally {
      giveBack();
    }
    const narrower = 'narrow it with after and before, or with workflowId, transactionId or subscriber';
    throw invalidField(
      'filter',
      `filter has to look at more than ${LIMITS.bulkActionSearch} notifications: ${narrower}`,
    );
  }

  async list(owner: KeyOwner, query: ListBulkActionsQuery): Promise<BulkActionListDto> {
    return cursorEnvelope(await this.bulkActions.list(owner.environmentId, query), (row) => toDto(row));
  }

  async retrieve(environment: EnvironmentRef, id: string): Promise<BulkActionDto> {
    return this.describe(environment, await this.find(environment, id));
  }

  async run(
    actor: AuditActor,
    environment: EnvironmentRef,
    id: string,
    { count, perSecond, integrationIdentifier }: RunBulkActionDto,
  ): Promise<BulkActionDto> {
    const planned = await this.find(environment, id);
    if (planned.count !== count) {
      throw new DomainError('conflict', `The bulk action has ${planned.count} items, and ${count} were confirmed`, {
        count: planned.count,
        confirmed: count,
      });
    }
    const isNew = planned.state === 'planned' && integrationIdentifier !== undefined;
    const through = isNew ? await this.throughOf(environment, planned, integrationIdentifier) : undefined;
    const started = await this.change(actor, environment, planned, async () => {
      if (planned.state === 'planned' && !isOperator(actor)) await this.checkStarted(environment);
      return this.bulkActions.run(environment.environmentId, id, { perSecond, through });
    });
    if (started) return toDto(started);
    const current = await this.find(environment, id);
    if (current.state === 'stopped') throw new DomainError('conflict', 'The bulk action was stopped: create a new one');
    if (current.state === 'planned') {
      const since = expiryOf(current).toISOString();
      throw new DomainError('conflict', `The plan of the bulk action has expired at ${since}: create a new one`);
    }
    return this.describe(environment, current);
  }

  private async throughOf(
    { environmentId }: EnvironmentRef,
    { id, action }: BulkAction,
    identifier: string,
  ): Promise<ReplayThrough> {
    const name = 'integrationIdentifier';
    if (action !== 'replay') throw invalidField(name, `${name} is for action replay only`);
    const found = await this.integrations.findByIdentifier(environmentId, identifier);
    if (!found?.active) throw invalidField(name, `${name} must name an active integration`, identifier);
    const { channel, providerId } = found;
    if (!(await this.bulkActions.hasChannel(environmentId, id, channel)))
      throw invalidField(name, `${name} names an integration of the channel ${channel}: no item is of it`, identifier);
    return { channel, integrationIdentifier: identifier, providerId };
  }

  async stop(actor: AuditActor, environment: EnvironmentRef, id: string): Promise<BulkActionDto> {
    const before = await this.find(environment, id);
    const stopped = await this.change(actor, environment, before, () =>
      this.bulkActions.stop(environment.environmentId, id),
    );
    return this.describe(environment, stopped ?? (await this.find(environment, id)));
  }

  /** Records who started or stopped what. Undefined when the state did not allow the change. */
  private change(
    actor: AuditActor,
    environment: EnvironmentRef,
    before: BulkAction,
    change: () => Promise<BulkAction | undefined>,
  ): Promise<BulkAction | undefined> {
    return this.database.transaction(async () => {
      const after = await change();
      if (after) {
        const { state, action, count, perSecond, done, through } = after;
        await this.audit.recordIn(actor, environment, {
          resource: 'bulk_action',
          id: after.id,
          before: { state: before.state },
          after: { state, action, count, perSecond, done, integrationIdentifier: through?.integrationIdentifier },
        });
      }
      return after;
    });
  }

  private async describe({ environmentId }: EnvironmentRef, row: BulkAction): Promise<BulkActionDto> {
    const unchangedReasons = row.unchanged > 0 ? await this.bulkActions.unchanged(environmentId, row.id) : [];
    const isPlan = row.state === 'planned' && row.action === 'replay';
    return toDto(row, {
      unchangedReasons,
      ...(isPlan && { reasons: await this.bulkActions.reasons(environmentId, row.id) }),
    });
  }

  private async find({ environmentId }: EnvironmentRef, id: string): Promise<BulkAction> {
    const found = await this.bulkActions.find(environmentId, id);
    if (!found) throw new DomainError('not_found', `Bulk action ${id} was not found`);
    return found;
  }
}

/** Of a filter that looks at single steps, one step meets all of it. */
function stepsOf({ channel, providerId, reason, errorGroup, status }: ActivityFilterDto): ReplayedSteps {
  const isOfSteps = channel !== undefined || providerId !== undefined || Boolean(reason) || Boolean(errorGroup);
  return {
    errorGroup,
    channels: channel,
    providerIds: providerId,
    reason: reason || undefined,
    outcomes: isOfSteps ? status : undefined,
  };
}

const expiryOf = ({ createdAt }: BulkAction): Date =>
  new Date(createdAt.getTime() + LIMITS.plannedBulkActionHours * 3600_000);

function toDto(row: BulkAction, why?: Pick<BulkActionDto, 'unchangedReasons' | 'reasons'>): BulkActionDto {
  const { id, environmentId, cursorId: _cursor, nextAt, createdAt, startedAt, endedAt, through, ...figures } = row;
  return withoutNulls({
    _id: id,
    _environmentId: environmentId,
    ...figures,
    integrationIdentifier: through?.integrationIdentifier,
    ...why,
    nextAt: nextAt?.toISOString(),
    createdAt: createdAt.toISOString(),
    expiresAt: row.state === 'planned' ? expiryOf(row).toISOString() : undefined,
    startedAt: startedAt?.toISOString(),
    endedAt: endedAt?.toISOString(),
  });
}
