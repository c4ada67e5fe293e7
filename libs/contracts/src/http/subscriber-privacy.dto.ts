import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { JsonMap, Text, Texts } from './fields';

export class ExportSubscriberQuery {
  @Text('The `next` of the page before.', {
    optional: true,
    pattern: /^(?:otherTriggers:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    patternMessage: 'after must be the next of the page before',
  })
  after?: string;
}

export class SubscriberExportDto {
  @Text() subscriberId!: string;

  @Text({ format: 'date-time' }) exportedAt!: string;

  @JsonMap(
    'Rows by the kind of record. The first page has the profile with all that belongs to it; every page has up to ' +
      `${LIMITS.exportedNotifications} notifications, newest first, with all that belongs to them, or fewer when ` +
      'they are large. If there are many `otherTriggers`, the first pages contain only them.',
  )
  records!: JsonObject;

  @Texts(
    `Kinds of which the first page has only the first ${LIMITS.exportedRows} rows, or fewer when they are ` + 'large.',
  )
  truncated!: string[];

  @Text('Give it as `after` to get the next page; null on the last one.', { nullable: true }) next!: string | null;
}

/** What an erasure leaves. It is also in the audit log, and has no personal data. */
export class ErasureReceiptDto {
  @Text('Also the `resourceId` of the entry in the audit log.') id!: string;
  @Text('SHA-256 of `{environmentId}:{subscriberId}` in hexadecimal digits.') subscriberIdHash!: string;
  @Text({ format: 'date-time' }) erasedAt!: string;
  @JsonMap('Rows that were deleted or cleared, by table; `work` counts canceled work.') counts!: JsonObject;
}
