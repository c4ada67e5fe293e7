import type { AuditLogEntryDto } from '@clarion/contracts';

const COLUMNS: Record<string, (entry: AuditLogEntryDto) => string | undefined> = {
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
};

export const CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`;

export const toCsvLine = (entry: AuditLogEntryDto): string =>
  `${Object.values(COLUMNS)
    .map((read) => csvCell(read(entry) ?? ''))
    .join(',')}\r\n`;

/**
 * Quotes a cell by RFC 4180. A spreadsheet reads a text that begins with one of these characters as a formula; a
 * leading apostrophe prevents that.
 */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
