import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import {
  AUDIT_ACTOR_TYPES,
  type AuditLogEntryDto,
  type AuditLogListDto,
  DomainError,
  type EnvironmentId,
  invalidField,
  isId,
  type ListAuditLogQuery,
} from '@clarion/contracts';
import {
  type AuditLogFilter,
  type AuditLogPage,
  AuditLogRepository,
  Database,
  EnvironmentRepository,
  type KeyOwner,
  type NamedAuditLogEntry,
} from '@clarion/persistence';
import { maskQuery } from '../http/masked-text';
import { cursorEnvelope, withoutNulls } from '../http/page';
import { readTime } from '../http/time-range';
import { personalHash } from './audit-log';
import { AUDIT_LOG_CSV } from './audit-log-csv';

const EXPORT_PAGE = 100;

@Injectable()
export class AuditLogService {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditLogRepository,
    private readonly environments: EnvironmentRepository,
  ) {}

  async list(owner: KeyOwner, query: ListAuditLogQuery): Promise<AuditLogListDto> {
    const environmentId = await this.readableEnvironment(owner, query.environmentId);
    return cursorEnvelope(await this.read(environmentId, filterOf(environmentId, query), query), toEntryDto);
  }

  /** Streams all entries from the cursor on. The next page is read when the caller has read the previous one. */
  async export(owner: KeyOwner, query: ListAuditLogQuery, format: 'csv' | 'ndjson'): Promise<Readable> {
    if (query.before) throw invalidField('before', 'before does not go with an export: use after', query.before);
    const environmentId = await this.readableEnvironment(owner, query.environmentId);
    const filter = filterOf(environmentId, query);
    // The first page is read before the response begins, so that an invalid cursor still gets an error status.
    const read = (after: string | undefined, includeCursor: boolean) =>
      this.read(environmentId, filter, { ...query, after, includeCursor, limit: EXPORT_PAGE });
    const first = await read(query.after, query.includeCursor);
    const line = format === 'csv' ? AUDIT_LOG_CSV.line : (entry: AuditLogEntryDto) => `${JSON.stringify(entry)}\n`;
    async function* lines(): AsyncGenerator<string> {
      if (format === 'csv') yield AUDIT_LOG_CSV.head;
      for (let page = first; ; page = await read(page.next!, false)) {
        yield page.rows.map((row) => line(toEntryDto(row))).join('');
        if (page.next === null) return;
      }
    }
    return Readable.from(lines());
  }

  /** Reads as the system: an admin key may read other environments, and an export continues after the handler. */
  private read(environmentId: EnvironmentId, filter: AuditLogFilter, page: AuditLogPage) {
    return this.database.asSystem(() => this.entries.list(environmentId, filter, page));
  }

  /** The environment of the key or, for an admin key, the wanted one. Others get the same 404 as a missing one. */
  private async readableEnvironment(owner: KeyOwner, wanted: string | undefined): Promise<EnvironmentId> {
    if (!wanted || wanted.toLowerCase() === owner.environmentId) return owner.environmentId;
    if (!isId(wanted)) throw invalidField('environmentId', 'environmentId must be a UUID', wanted);
    const found =
      owner.scope === 'admin' &&
      (await this.database.asSystem(() => this.environments.find(owner.organizationId, wanted as EnvironmentId)));
    if (!found) throw new DomainError('not_found', `Environment ${wanted} was not found`);
    return found.id;
  }
}

function filterOf(environmentId: EnvironmentId, query: ListAuditLogQuery): AuditLogFilter {
  const { actor, resourceId } = query;
  const actorType = AUDIT_ACTOR_TYPES.find((type) => type === actor);
  if (actor && !actorType && !isId(actor)) {
    throw invalidField('actor', 'actor must be the id of an API key, cli, operator or setup', actor);
  }
  return {
    action: query.action,
    resourceType: query.resourceType,
    resourceIds: resourceId === undefined ? undefined : [resourceId, personalHash(environmentId, resourceId)],
    actorType,
    actorId: actorType ? undefined : actor,
    createdAfter: readTime('createdAfter', query.createdAfter),
    createdBefore: readTime('createdBefore', query.createdBefore),
  };
}

function toEntryDto(row: NamedAuditLogEntry): AuditLogEntryDto {
  // The address of a webhook endpoint may hold a token.
  const name =
    row.resourceType === 'webhook_endpoint' ? row.resourceName && maskQuery(row.resourceName) : row.resourceName;
  return withoutNulls({
    _id: row.id,
    _organizationId: row.organizationId,
    _environmentId: row.environmentId,
    action: row.action,
    actor: withoutNulls({ type: row.actorType, keyId: row.actorId, keyPrefix: row.actorName, keyName: row.keyName }),
    resource: withoutNulls({ type: row.resourceType, id: row.resourceId, name }),
    before: row.before,
    after: row.after,
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  }) as AuditLogEntryDto;
}
