import {
  type ButtonType,
  type InboxActionDto,
  type InboxItemDto,
  type InboxRedirectDto,
  type InboxWorkflowDto,
  isJsonObject,
  type Json,
  type JsonObject,
  REDIRECT_TARGETS,
  type RedirectTarget,
} from '@clarion/contracts';
import type { InboxMessage, Subscriber } from '@clarion/persistence';
import { fieldsLeftOut, withoutNulls } from '../edge/http/page';

const SHOWN = { content: 'body', subject: 'subject', data: 'data', cta: 'redirect' };

export function toInboxItem(row: InboxMessage, subscriber: Subscriber): InboxItemDto {
  const content = row.content ?? '';
  const { id, subscriberId, firstName, lastName, avatar } = subscriber;
  return withoutNulls({
    id: row.id,
    transactionId: row.transactionId,
    subject: row.subject,
    body: typeof content === 'string' ? content : JSON.stringify(content),
    to: withoutNulls({ id, subscriberId, firstName, lastName, avatar }),
    isRead: row.read,
    isSeen: row.seen,
    isArchived: row.archived,
    isSnoozed: row.snoozedUntil !== null,
    snoozedUntil: row.snoozedUntil?.toISOString(),
    deliveredAt: row.deliveredAt?.map((date) => date.toISOString()),
    createdAt: row.createdAt.toISOString(),
    readAt: row.lastReadAt?.toISOString(),
    firstSeenAt: row.firstSeenAt?.toISOString(),
    archivedAt: row.archivedAt?.toISOString(),
    avatar: row.avatar,
    primaryAction: toAction(row.cta, 'primary'),
    secondaryAction: toAction(row.cta, 'secondary'),
    channelType: row.channel,
    tags: row.tags,
    data: row.data,
    redirect: toRedirect(row.cta['data']),
    workflow: toInboxWorkflow(row),
    severity: row.severity,
    leftOut: fieldsLeftOut(row.leftOut, SHOWN),
  });
}

/** `libs/content` composes `cta`: the buttons with label and redirect, and which of them was used. */
function toAction(cta: JsonObject, type: ButtonType): InboxActionDto | undefined {
  const { buttons, status, result } = objectIn(cta['action']);
  const button = (Array.isArray(buttons) ? buttons : []).map(objectIn).find((each) => each['type'] === type);
  if (!button || typeof button['content'] !== 'string') return undefined;
  const redirect = toRedirect(button);
  return {
    label: button['content'],
    isCompleted: status === 'done' && objectIn(result)['type'] === type,
    ...(redirect && { redirect }),
  };
}

function toRedirect(given: Json | undefined): InboxRedirectDto | undefined {
  const { url, target } = objectIn(given);
  if (typeof url !== 'string') return undefined;
  return { url, ...(isTarget(target) && { target }) };
}

const isTarget = (value: Json | undefined): value is RedirectTarget =>
  REDIRECT_TARGETS.includes(value as RedirectTarget);

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Returns undefined if the workflow no longer exists. */
export function toInboxWorkflow(
  row: Pick<
    InboxMessage,
    'workflowId' | 'workflowIdentifier' | 'workflowName' | 'workflowSeverity' | 'critical' | 'tags'
  >,
): InboxWorkflowDto | undefined {
  const { workflowId: id, workflowIdentifier: identifier, workflowName: name, workflowSeverity: severity } = row;
  if (id === null || identifier === null || name === null || severity === null) return undefined;
  return withoutNulls({ id, identifier, name, severity, critical: row.critical, tags: row.tags });
}
