import type { RealtimeMessage } from '@clarion/persistence';
import { withoutNulls } from '../../edge/http/page';
import type { InboxClaims } from '../../edge/auth/inbox-tokens';
import { toInboxWorkflow } from '../inbox-item';

/**
 * The stored message as the clients of the inbox map it. Payload and overrides stay on the server: they may have values
 * for other channels, which the page of the subscriber must not see. An unsigned session sees no profile.
 */
export function toRealtimeMessage(row: RealtimeMessage, { signer }: Pick<InboxClaims, 'signer'>): object {
  const { id, subscriberId, ...profile } = row.to;
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    _subscriberId: id,
    _notificationId: row.notificationId,
    _templateId: row.workflowId,
    templateIdentifier: row.workflowIdentifier,
    transactionId: row.transactionId,
    channel: row.channel,
    subject: row.subject,
    content: row.content ?? '',
    avatar: row.avatar,
    read: row.read,
    seen: row.seen,
    archived: row.archived,
    deliveredAt: row.deliveredAt?.map((date) => date.toISOString()),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    firstSeenDate: row.firstSeenAt?.toISOString(),
    lastSeenDate: row.lastSeenAt?.toISOString(),
    lastReadDate: row.lastReadAt?.toISOString(),
    archivedAt: row.archivedAt?.toISOString(),
    tags: row.tags,
    data: row.data,
    severity: row.severity,
    contextKeys: row.contextKeys,
    workflow: toInboxWorkflow(row),
    subscriber: withoutNulls({ _id: id, subscriberId, ...(signer && profile) }),
    cta: row.cta,
  });
}
