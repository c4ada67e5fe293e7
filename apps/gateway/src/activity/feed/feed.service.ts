import { Injectable } from '@nestjs/common';
import {
  type FeedActorDto,
  type FeedDto,
  type FeedItemDto,
  type FeedQuery,
  type FeedSubscriberDto,
  pick,
} from '@clarion/contracts';
import {
  type KeyOwner,
  type FullMessage,
  MessageRepository,
  type Subscriber,
  SubscriberRepository,
} from '@clarion/persistence';
import { numberedPage, pageEnvelope } from '../../edge/http/numbered-page';
import { fieldsLeftOut, withoutNulls } from '../../edge/http/page';
import { found } from '../../audience/subscribers/subscribers.service';
import { readPayloadFilter } from './payload-filter';

type FeedOwner = Pick<KeyOwner, 'environmentId' | 'organizationId'>;

@Injectable()
export class FeedService {
  constructor(
    private readonly messages: MessageRepository,
    private readonly subscribers: SubscriberRepository,
  ) {}

  async list(owner: KeyOwner, subscriberId: string, query: FeedQuery): Promise<FeedDto> {
    const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
    return this.listOf(owner, subscriber, query);
  }

  /** With `contextKeys`, only messages of exactly these contexts. */
  async listOf(owner: FeedOwner, subscriber: Subscriber, query: FeedQuery, contextKeys?: string[]): Promise<FeedDto> {
    const page = numberedPage(query);
    const payload = query.payload ? readPayloadFilter(query.payload) : undefined;
    const { count, ...result } = await this.messages.feed(
      owner.environmentId,
      subscriber.id,
      { read: query.read, seen: query.seen, payload, contextKeys },
      page,
    );
    return {
      ...pageEnvelope(query, result, (row) => toFeedItemDto(owner, row, subscriber)),
      totalCount: count,
    };
  }
}

const SHOWN = {
  ...{ content: 'content', subject: 'subject', data: 'data' },
  ...{ payload: 'payload', overrides: 'overrides', cta: 'cta' },
};

function toFeedItemDto(owner: FeedOwner, row: FullMessage, subscriber: Subscriber): FeedItemDto {
  const content = row.content ?? '';
  return {
    ...withoutNulls({
      _id: row.id,
      _templateId: row.workflowId ?? '',
      _environmentId: owner.environmentId,
      _messageTemplateId: row.messageTemplateId,
      _organizationId: owner.organizationId,
      _notificationId: row.notificationId,
      _subscriberId: row.subscriberId,
      _jobId: row.stepId,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      actor: actorOf(row),
      subscriber: toFeedSubscriberDto(subscriber),
      transactionId: row.transactionId,
      content: typeof content === 'string' ? content : JSON.stringify(content),
      ...pick(row, 'channel', 'read', 'seen', 'archived', 'cta', 'status', 'payload', 'overrides'),
      leftOut: fieldsLeftOut(row.leftOut, SHOWN),
    }),
    _feedId: null,
    templateIdentifier: row.workflowIdentifier,
    ...pick(row, 'providerId', 'subject', 'deviceTokens', 'data', 'tags'),
  };
}

/** The avatar of the step, or the actor of the trigger; of a user, `data` is the avatar at the time of sending. */
function actorOf({ avatar, actor }: FullMessage): FeedActorDto | undefined {
  if (avatar) return { type: 'system_custom', data: avatar };
  return actor
    ? { type: (actor['type'] ?? 'none') as FeedActorDto['type'], data: (actor['data'] ?? null) as string | null }
    : undefined;
}

function toFeedSubscriberDto({ id, subscriberId, firstName, lastName, avatar }: Subscriber): FeedSubscriberDto {
  return withoutNulls({ _id: id, subscriberId, firstName, lastName, avatar });
}
