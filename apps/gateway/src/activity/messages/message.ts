import {
  type EmailBlockDto,
  type EmbeddedWorkflowDto,
  type MessageDto,
  type SubscriberDto,
  pick,
} from '@clarion/contracts';
import type { FullMessage, KeyOwner, Subscriber } from '@clarion/persistence';
import { openMessageTarget, type SecretBox } from '@clarion/platform';
import { seesSecrets } from '../../edge/http/disclosure';
import { maskText } from '../../edge/http/masked-text';
import { fieldsLeftOut, withoutNulls } from '../../edge/http/page';

const SHOWN = {
  ...{ content: 'content', title: 'title', subject: 'subject' },
  ...{ payload: 'payload', overrides: 'overrides', cta: 'cta' },
};

/** Converts a message to the form of the interface. The subscriber is absent if it was deleted. */
export function toMessageDto(
  owner: Pick<KeyOwner, 'environmentId' | 'organizationId' | 'scope' | 'isBrowser'>,
  row: FullMessage,
  { subscriber, template }: { subscriber?: SubscriberDto; template?: EmbeddedWorkflowDto },
  /** Not needed for in-app messages, which have no address to decrypt. */
  secrets?: SecretBox,
): MessageDto {
  // A webhook or a device token is a credential of the subscriber, hidden from browsers and keys of the scope `read`.
  const show = seesSecrets(owner) ? (text: string) => text : maskText;
  const open = (target: string): string | undefined => {
    const text = secrets ? openMessageTarget(secrets, row.environmentId, row.id, target) : target;
    return text === undefined ? undefined : show(text);
  };
  return {
    ...withoutNulls({
      _id: row.id,
      _environmentId: owner.environmentId,
      _organizationId: owner.organizationId,
      _notificationId: row.notificationId,
      _subscriberId: row.subscriberId,
      subscriber,
      template,
      templateIdentifier: row.workflowIdentifier,
      createdAt: row.createdAt.toISOString(),
      deliveredAt: row.deliveredAt?.map((date) => date.toISOString()),
      lastSeenDate: row.lastSeenAt?.toISOString(),
      lastReadDate: row.lastReadAt?.toISOString(),
      snoozedUntil: row.snoozedUntil?.toISOString(),
      content: (row.content ?? '') as string | EmailBlockDto[],
      ...pick(row, 'transactionId', 'subject', 'email', 'phone'),
      directWebhookUrl: row.directWebhookUrl && open(row.directWebhookUrl),
      ...pick(row, 'providerId', 'title', 'errorId', 'errorText', 'channel', 'read', 'seen'),
      deviceTokens: row.deviceTokens?.map(open).filter((token) => token !== undefined),
      ...pick(row, 'cta', 'status', 'payload', 'overrides', 'contextKeys'),
      leftOut: fieldsLeftOut(row.leftOut, SHOWN),
    }),
    _templateId: row.workflowId,
    _messageTemplateId: row.messageTemplateId,
    _feedId: null,
  };
}

/** An in-app message, for what acts on one inbox. It only identifies the subscriber: pages may see it. */
export const toInboxMessageDto = (
  owner: Parameters<typeof toMessageDto>[0],
  row: FullMessage,
  { subscriber }: { subscriber: Subscriber },
): MessageDto =>
  toMessageDto(owner, row, {
    subscriber: {
      _id: subscriber.id,
      ...pick(subscriber, 'subscriberId', 'firstName', 'lastName', 'avatar'),
      _organizationId: owner.organizationId,
      _environmentId: owner.environmentId,
      deleted: false,
      createdAt: subscriber.createdAt.toISOString(),
      updatedAt: subscriber.updatedAt.toISOString(),
    },
  });
