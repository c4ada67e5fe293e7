import { LIMITS } from '../limits';
import {
  AUDIT_ACTOR_TYPES,
  AUDIT_FORMATS,
  AUDIT_RESOURCES,
  type AuditActorType,
  type AuditFormat,
  type AuditResource,
} from '../vocabulary';
import type { JsonObject } from '../json';
import { Child, Children, Choice, JsonMap, Text } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';

export class ListAuditLogQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: UnchangingOrder = '_id';

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'A whole action, such as integration.updated.' })
  action?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'A resource type, such as integration.' })
  resourceType?: string;

  @Text({
    optional: true,
    maxLength: LIMITS.filterText,
    description: 'The id of a resource, also where only its hash is stored.',
  })
  resourceId?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'The id of an API key, or cli, or setup.' })
  actor?: string;

  @Text({ optional: true, description: 'ISO 8601; recorded at this time or later.' })
  createdAfter?: string;

  @Text({ optional: true, description: 'ISO 8601; recorded at this time or earlier.' })
  createdBefore?: string;

  @Text({
    optional: true,
    description: 'Another environment of the organization; takes a key of the scope admin. Default: that of the key.',
  })
  environmentId?: string;

  @Choice(AUDIT_FORMATS, {
    optional: true,
    description:
      'json (default) is a page of the list. csv and ndjson are exports: all entries from the cursor on, streamed; ' +
      '`limit` does not apply.',
  })
  format?: AuditFormat;
}

export class AuditActorDto {
  @Choice(AUDIT_ACTOR_TYPES, {
    description:
      'An API key, the command line, the operator over HTTP, the first start of the installation, or a person with a ' +
      'setup link or an inbox.',
  })
  type!: AuditActorType;
  @Text({ optional: true }) keyId?: string;
  @Text({ optional: true, description: 'The readable beginning of the key.' }) keyPrefix?: string;
}

export class AuditedResourceDto {
  @Choice(AUDIT_RESOURCES) type!: AuditResource;
  @Text({
    description:
      'Its id; of a context its type and id. Of a suppression (`email/ada@example.com`), an endpoint and a ' +
      'connection of one subscriber: the SHA-256 of `{environmentId}:{id}`, because entries cannot be erased.',
  })
  id!: string;
}

export class AuditLogEntryDto {
  @Text() _id!: string;
  @Text() _organizationId!: string;
  @Text({ description: 'The environment that was changed, or whose part was.' }) _environmentId!: string;
  @Text({ description: 'The type of the resource, and what was done: created, updated, deleted, revoked, read, ...' })
  action!: string;
  @Child(() => AuditActorDto) actor!: AuditActorDto;
  @Child(() => AuditedResourceDto) resource!: AuditedResourceDto;
  @JsonMap({
    optional: true,
    description:
      'The fields that changed, as they were. Of credentials, configurations and data only the names of the changed ' +
      'fields are recorded; a field with more than 16 KiB is recorded by its size and SHA-256.',
  })
  before?: JsonObject;
  @JsonMap({ optional: true, description: 'The same fields after the change.' }) after?: JsonObject;
  @Text({ optional: true, description: 'The X-Request-Id of the request that made the change.' }) requestId?: string;
  @Text({ description: 'By the clock of the database.' }) createdAt!: string;
}

export class AuditLogListDto extends CursorEnvelope {
  @Children(() => AuditLogEntryDto) data!: AuditLogEntryDto[];
}
