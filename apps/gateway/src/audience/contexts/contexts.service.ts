import { Injectable } from '@nestjs/common';
import {
  type ContextDto,
  type ContextEntry,
  contextKey,
  type ContextListDto,
  type CreateContextDto,
  DomainError,
  type JsonObject,
  type ListContextsQuery,
} from '@clarion/contracts';
import { type Context, ContextRepository, Database, type KeyOwner } from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { cursorEnvelope } from '../../edge/http/page';

@Injectable()
export class ContextsService {
  constructor(
    private readonly database: Database,
    private readonly contexts: ContextRepository,
    private readonly audit: AuditLog,
  ) {}

  async create(owner: KeyOwner, { type, id, data }: CreateContextDto): Promise<ContextDto> {
    const inserted = await this.database.transaction(async () => {
      const context = await this.contexts.insert(owner.environmentId, { type, contextId: id, data });
      if (context) await this.audit.record(owner, { ...resourceOf({ type, id }), after: context });
      return context;
    });
    if (inserted) return toContextDto(inserted);
    const existing = await this.contexts.find(owner.environmentId, { type, contextId: id });
    throw new DomainError('conflict', `Context ${contextKey({ type, id })} already exists`, {
      ...(existing && toContextDto(existing)),
    });
  }

  async list(owner: KeyOwner, query: ListContextsQuery): Promise<ContextListDto> {
    const filter = { contextId: query.id, search: query.search };
    return cursorEnvelope(await this.contexts.list(owner.environmentId, filter, query), toContextDto);
  }

  async retrieve(owner: KeyOwner, name: ContextEntry): Promise<ContextDto> {
    return toContextDto(found(await this.contexts.find(owner.environmentId, rowName(name)), name));
  }

  update(owner: KeyOwner, name: ContextEntry, data: JsonObject): Promise<ContextDto> {
    return this.database.transaction(async () => {
      const before = found(await this.contexts.lock(owner.environmentId, rowName(name)), name);
      const after = found(await this.contexts.replaceData(owner.environmentId, rowName(name), data), name);
      await this.audit.record(owner, { ...resourceOf(name), before, after });
      return toContextDto(after);
    });
  }

  delete(owner: KeyOwner, name: ContextEntry): Promise<void> {
    return this.database.transaction(async () => {
      const before = found(await this.contexts.lock(owner.environmentId, rowName(name)), name);
      await this.contexts.delete(owner.environmentId, rowName(name));
      await this.audit.record(owner, { ...resourceOf(name), before });
    });
  }
}

const resourceOf = (name: ContextEntry) => ({ resource: 'context', id: contextKey(name) }) as const;

const rowName = ({ type, id }: ContextEntry) => ({ type, contextId: id });

function found(context: Context | undefined, name: ContextEntry): Context {
  if (!context) throw notFound(name);
  return context;
}

const notFound = (name: ContextEntry): DomainError =>
  new DomainError('not_found', `Context ${contextKey(name)} was not found`);

function toContextDto(row: Context): ContextDto {
  return {
    type: row.type,
    id: row.contextId,
    data: row.data ?? {},
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
