import { Injectable } from '@nestjs/common';
import {
  type BulkActionDto,
  type BulkActionListDto,
  type CreateBulkActionDto,
  DomainError,
  invalidField,
  LIMITS,
  type ListBulkActionsQuery,
  type RunBulkActionDto,
  type UnchangedItemsDto,
} from '@clarion/contracts';
import {
  ActivityRepository,
  type BulkAction,
  BulkActionRepository,
  Database,
  type KeyOwner,
  ORDER_COLUMNS,
} from '@clarion/persistence';
import { toActivityFilter } from '../activity/activity-filter';
import { AuditLog } from '../audit-log/audit-log';
import { oneCursor } from '../http/one-cursor';
import { cursorEnvelope, withoutNulls } from '../http/page';

@Injectable()
export class BulkActionsService {
  constructor(
    private readonly database: Database,
    private readonly bulkActions: BulkActionRepository,
    private readonly activity: ActivityRepository,
    private readonly audit: AuditLog,
  ) {}

  async create(owner: KeyOwner, body: CreateBulkActionDto): Promise<BulkActionDto> {
    const { action, statuses, perSecond } = body;
    if (statuses && action !== 'replay') throw invalidField('statuses', 'statuses is for action replay only');
    if (statuses?.length === 0) throw invalidField('statuses', 'statuses must not be empty');
    const named = await this.named(owner, body);
    const planned = { action, statuses: statuses ?? (['failed'] as const).slice(), perSecond, ...named };
    return toDto(await this.bulkActions.create(owner.environmentId, planned));
  }

  private async named(
    { environmentId }: KeyOwner,
    { ids, filter }: CreateBulkActionDto,
  ): Promise<{ ids: string[]; hasMore: boolean }> {
    if ((ids === undefined) === (filter === undefined)) throw invalidField('ids', 'Give either ids or filter');
    if (filter) return this.activity.ids(environmentId, toActivityFilter(filter), LIMITS.bulkActionItems);
    if (ids!.length === 0) throw invalidField('ids', 'ids must not be empty');
    return { ids: ids!, hasMore: false };
  }

  async list(owner: KeyOwner, query: ListBulkActionsQuery): Promise<BulkActionListDto> {
    oneCursor(query);
    const page = { ...query, orderBy: ORDER_COLUMNS[query.orderBy] };
    return cursorEnvelope(await this.bulkActions.list(owner.environmentId, page), (row) => toDto(row));
  }

  async retrieve(owner: KeyOwner, id: string): Promise<BulkActionDto> {
    return this.describe(owner, await this.find(owner, id));
  }

  async run(owner: KeyOwner, id: string, { count, perSecond }: RunBulkActionDto): Promise<BulkActionDto> {
    const planned = await this.find(owner, id);
    if (planned.count !== count) {
      throw new DomainError('conflict', `The bulk action has ${planned.count} items, and ${count} were confirmed`, {
        count: planned.count,
        confirmed: count,
      });
    }
    const started = await this.change(owner, planned, () => this.bulkActions.run(owner.environmentId, id, perSecond));
    if (started) return toDto(started);
    const current = await this.find(owner, id);
    if (current.state === 'stopped') throw new DomainError('conflict', 'The bulk action was stopped: create a new one');
    return this.describe(owner, current);
  }

  async stop(owner: KeyOwner, id: string): Promise<BulkActionDto> {
    const before = await this.find(owner, id);
    const stopped = await this.change(owner, before, () => this.bulkActions.stop(owner.environmentId, id));
    return this.describe(owner, stopped ?? (await this.find(owner, id)));
  }

  /** Records who started or stopped what. Undefined when the state did not allow the change. */
  private change(
    owner: KeyOwner,
    before: BulkAction,
    change: () => Promise<BulkAction | undefined>,
  ): Promise<BulkAction | undefined> {
    return this.database.transaction(async () => {
      const after = await change();
      if (after) {
        const { state, action, count, perSecond, done } = after;
        await this.audit.record(owner, {
          resource: 'bulk_action',
          id: after.id,
          before: { state: before.state },
          after: { state, action, count, perSecond, done },
        });
      }
      return after;
    });
  }

  private async describe(owner: KeyOwner, row: BulkAction): Promise<BulkActionDto> {
    return toDto(row, row.unchanged > 0 ? await this.bulkActions.unchanged(owner.environmentId, row.id) : []);
  }

  private async find({ environmentId }: KeyOwner, id: string): Promise<BulkAction> {
    const found = await this.bulkActions.find(environmentId, id);
    if (!found) throw new DomainError('not_found', `Bulk action ${id} was not found`);
    return found;
  }
}

function toDto(row: BulkAction, unchangedReasons?: UnchangedItemsDto[]): BulkActionDto {
  const { id, environmentId, cursorId: _cursor, nextAt: _next, createdAt, startedAt, endedAt, ...figures } = row;
  return withoutNulls({
    _id: id,
    _environmentId: environmentId,
    ...figures,
    unchangedReasons,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString(),
    endedAt: endedAt?.toISOString(),
  });
}
