import { Injectable } from '@nestjs/common';
import {
  AcknowledgedDto,
  type Channel,
  DomainError,
  type EmbeddedWorkflowDto,
  fieldErrors,
  LIMITS,
  mapInSlices,
  type ListMessagesQuery,
  type MessageDto,
  type MessageListDto,
  type SubscriberDto,
} from '@clarion/contracts';
import {
  Database,
  type DeletedMessage,
  type FullMessage,
  IntegrationRepository,
  type KeyOwner,
  MessageRepository,
  type Subscriber,
  SubscriberRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { type RealtimeEvent, RealtimeRelay } from '@clarion/queue';
import { numberedPage, pageEnvelope } from '../../edge/http/numbered-page';
import { givenContexts } from '../../edge/http/query-list';
import { withoutNulls } from '../../edge/http/page';
import { Repeated } from '../../edge/http/repeated';
import {
  largeSubscriberFields,
  SubscribersService,
  withoutLargeSubscriberFields,
} from '../../audience/subscribers/subscribers.service';
import { largeFieldsOf, toEmbeddedWorkflow, withoutLargeFields } from './embedded-workflow';
import { toMessageDto } from './message';

/** Events of one batch: a broadcast has more messages than the relay takes at once. */
const EVENTS_AT_ONCE = 1_000;

const distinct = (ids: string[]): string[] => [...new Set(ids)];

@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessageRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly subscriberDtos: SubscribersService,
    private readonly workflows: WorkflowRepository,
    private readonly integrations: IntegrationRepository,
    private readonly secrets: SecretBox,
    private readonly database: Database,
    private readonly relay: RealtimeRelay,
  ) {}

  async list(owner: KeyOwner, query: ListMessagesQuery): Promise<MessageListDto> {
    if (query.limit > LIMITS.messagesPage) {
      const message = `Limit can not be larger then ${LIMITS.messagesPage}`;
      throw new DomainError('bad_request', message, fieldErrors('limit', message, query.limit));
    }
    const page = numberedPage(query);
    const subscriber = query.subscriberId ? await this.findSubscriber(owner, query.subscriberId) : undefined;
    const { count, ...result } = await this.messages.list(
      owner.environmentId,
      {
        subscriberId: subscriber?.id,
        channel: query.channel,
        transactionIds: query.transactionId,
        workflowIds: query.workflowId,
        statuses: query.status,
        detail: query.detail,
        contextKeys: givenContexts(query.contextKeys),
      },
      page,
    );
    const [subscribers, templates] = await Promise.all([
      this.subscribersOf(owner, result.rows, subscriber),
      this.workflowsOf(owner, result.rows),
    ]);
    const describe = (row: FullMessage): MessageDto => {
      const related = { subscriber: subscribers(row.subscriberId), template: templates(row.workflowId) };
      return toMessageDto(owner, row, withoutNulls(related), this.secrets);
    };
    // A page may have a thousand of them: others are served in between.
    const described = await mapInSlices(result.rows, describe);
    return {
      ...pageEnvelope(query, { ...result, rows: described }, (message) => message),
      totalCount: Math.min(count, LIMITS.countCap),
      ...(count > LIMITS.countCap && { totalCountCapped: true }),
    };
  }

  async delete(owner: KeyOwner, messageId: string): Promise<AcknowledgedDto> {
    const deleted = await this.messages.delete(owner.environmentId, messageId);
    if (!deleted) throw new DomainError('not_found', `Message with id ${messageId} not found`);
    this.announce(owner, [deleted]);
    return { acknowledged: true, status: 'deleted' };
  }

  async deleteTransaction(owner: KeyOwner, transactionId: string, channel: Channel | undefined): Promise<void> {
    const deleted = await this.messages.deleteTransaction(owner.environmentId, transactionId, channel);
    if (deleted.length > 0) return this.announce(owner, deleted);
    const kind = channel ? `${channel} messages` : 'messages';
    throw new DomainError('not_found', `Transaction ${transactionId} has no ${kind}`);
  }

  /** Connected inboxes count again. */
  private announce({ environmentId }: KeyOwner, deleted: DeletedMessage[]): void {
    const events = deleted
      .filter(({ channel }) => channel === 'in_app')
      .map(({ id, subscriberId }): RealtimeEvent => {
        return { v: 1, kind: 'message.deleted', environmentId, subscriberId, messageIds: [id] };
      });
    this.database.afterCommit(() => {
      for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
        void this.relay.publish(events.slice(at, at + EVENTS_AT_ONCE));
      }
    });
  }

  private async findSubscriber(owner: KeyOwner, subscriberId: string): Promise<Subscriber> {
    const subscriber = await this.subscribers.find(owner.environmentId, subscriberId);
    if (!subscriber) throw new DomainError('not_found', `Subscriber '${subscriberId}' was not found`);
    return subscriber;
  }

  /** Returns a function from the id to the subscriber as the next message shows it. */
  private async subscribersOf(owner: KeyOwner, rows: FullMessage[], known: Subscriber | undefined) {
    const ids = distinct(rows.map((row) => row.subscriberId));
    const found = known ? [known] : await this.subscribers.findListed(owner.environmentId, ids);
    const described = await this.subscriberDtos.describeListed(owner, found);
    const byId = new Map(described.map((each) => [each._id, each]));
    const repeated = new Repeated<SubscriberDto>(largeSubscriberFields, withoutLargeSubscriberFields);
    return (id: string): SubscriberDto | undefined => {
      const whole = byId.get(id);
      return whole && repeated.show(whole);
    };
  }

  private async workflowsOf(owner: KeyOwner, rows: FullMessage[]) {
    const ids = distinct(rows.flatMap((row) => row.workflowId ?? []));
    const [workflows, active] = await Promise.all([
      this.workflows.findEmbedded(owner.environmentId, ids),
      ids.length === 0 ? [] : this.integrations.activeChannels(owner.environmentId),
    ]);
    const byId = new Map(workflows.map((workflow) => [workflow.id, toEmbeddedWorkflow(owner, workflow, active)]));
    const repeated = new Repeated<EmbeddedWorkflowDto>(largeFieldsOf, withoutLargeFields);
    return (id: string | null): EmbeddedWorkflowDto | undefined => {
      const whole = byId.get(id ?? '');
      return whole && repeated.show(whole);
    };
  }
}
