import type { AuditLogEntryDto } from '@clarion/contracts';
import { csvOf } from '../http/csv';

export const AUDIT_LOG_CSV = csvOf<AuditLogEntryDto>({
  id: ({ _id }) => _id,
  createdAt: ({ createdAt }) => createdAt,
  environmentId: ({ _environmentId }) => _environmentId,
  actorType: ({ actor }) => actor.type,
  keyId: ({ actor }) => actor.keyId,
  keyPrefix: ({ actor }) => actor.keyPrefix,
  action: ({ action }) => action,
  resourceType: ({ resource }) => resource.type,
  resourceId: ({ resource }) => resource.id,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  requestId: ({ requestId }) => requestId,
});
