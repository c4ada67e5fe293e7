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
  @Choice(UNCHANGING_ORDER, 'Default _id.', { optional: true }) orderBy: UnchangingOrder = '_id';

  @Text('A whole action, such as integration.updated.', { optional: true, maxLength: LIMITS.filterText })
  action?: string;

  @Text('A resource type, such as integration.', { optional: true, maxLength: LIMITS.filterText })
  resourceType?: string;

  @Text('The id of a resource, also where only its hash is stored.', { optional: true, maxLength: LIMITS.filterText })
  resourceId?: string;

  @Text('The id of an API key, or cli, or setup.', { optional: true, maxLength: LIMITS.filterText }) actor?: string;
  @Text('ISO 8601; recorded at this time or later.', { optional: true }) createdAfter?: string;
  @Text('ISO 8601; recorded at this time or earlier.', { optional: true }) createdBefore?: string;

  @Text('Another environment of the organization; takes a key of the scope admin. Default: that of the key.', {
    optional: true,
  })
  environmentId?: string;

  @Choice(
    AUDIT_FORMATS,
    'json (default) is a page of the list. csv and ndjson are exports: all entries from the cursor on, streamed; ' +
      '`limit` does not apply.',
    { optional: true },
  )
  format?: AuditFormat;
}

export class AuditActorDto {
  @Choice(
    AUDIT_ACTOR_TYPES,
    'An API key, the command line, the operator over HTTP, the first start of the installation, or a person with a ' +
      'setup link or an inbox.',
  )
  type!: AuditActorType;
  @Text({ optional: true }) keyId?: string;
  @Text('The readable beginning of the key.', { optional: true }) keyPrefix?: string;
  @Text('The name that the key has now; absent where it was removed.', { optional: true }) keyName?: string;
}

export class AuditedResourceDto {
  @Choice(AUDIT_RESOURCES) type!: AuditResource;
  @Text(
    'Its id; of a context its type and id. Of a suppression (`email/ada@example.com`), an endpoint and a ' +
      'connection of one subscriber: the SHA-256 of `{environmentId}:{id}`, because entries cannot be erased.',
  )
  id!: string;
  @Text(
    'What it is called now: its name, the key of a variable, the address of a webhook endpoint without the values of ' +
      'its query. Absent where it was removed or has none.',
    { optional: true },
  )
  name?: string;
}

export class AuditLogEntryDto {
  @Text() _id!: string;
  @Text() _organizationId!: string;
  @Text('The environment that was changed, or whose part was.') _environmentId!: string;
  @Text('The type of the resource, and what was done: created, updated, deleted, revoked, read, ...') action!: string;
  @Child(() => AuditActorDto) actor!: AuditActorDto;
  @Child(() => AuditedResourceDto) resource!: AuditedResourceDto;
  @JsonMap(
    'The fields that changed, as they were. Of credentials, configurations and data only the names of the changed ' +
      'fields are recorded; a field with more than 16 KiB is recorded by its size and SHA-256.',
    { optional: true },
  )
  before?: JsonObject;
  @JsonMap('The same fields after the change.', { optional: true }) after?: JsonObject;
  @Text('The X-Request-Id of the request that made the change.', { optional: true }) requestId?: string;
  @Text('By the clock of the database.') createdAt!: string;
}

export class AuditLogListDto extends CursorEnvelope {
  @Children(() => AuditLogEntryDto) data!: AuditLogEntryDto[];
}
