import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditLogListDto, ListAuditLogQuery } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../http/request-context';
import { Exports, FromReplica, Scope } from '../http/route-policy';
import { Operation } from '../openapi/operation';
import { AuditLogService } from './audit-log.service';

const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const;

@ApiTags('audit log')
@Controller('v1/audit-log')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogService) {}

  @Get()
  @Scope('full')
  @FromReplica()
  @Exports('format')
  @Operation('List the changes of the configuration and of keys, newest first', {
    description:
      'Shows who changed what and when: API keys, environments, organizations, integrations, workflows, layouts, ' +
      'tenants, contexts and suppressions. Requires a key of the scope `full`; with the `environmentId` of another ' +
      'environment of the organization, a key of the scope `admin`. Entries cannot be changed or deleted.',
    type: AuditLogListDto,
    exportTypes: Object.values(EXPORT_TYPES).map((type) => type.split(';', 1)[0]!),
  })
  async list(@Owner() owner: KeyOwner, @Query() query: ListAuditLogQuery): Promise<AuditLogListDto | StreamableFile> {
    const { format } = query;
    if (format !== 'csv' && format !== 'ndjson') return this.auditLog.list(owner, query);
    return new StreamableFile(await this.auditLog.export(owner, query, format), {
      type: EXPORT_TYPES[format],
      disposition: `attachment; filename="audit-log.${format}"`,
    });
  }
}
