import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type ListNotificationsQuery,
  type NotificationDto,
  type NotificationListDto,
} from '@clarion/contracts';
import {
  type ActivityNotification,
  type KeyOwner,
  NotificationRepository,
  type SubscriberSet,
} from '@clarion/persistence';
import { numberedPage, pageEnvelope } from '../http/numbered-page';
import { givenContexts } from '../http/query-list';
import { toNotificationDtos } from './activity';
import { readTimeRange } from './time-range';

@Injectable()
export class NotificationsService {
  constructor(private readonly notifications: NotificationRepository) {}

  async list(owner: KeyOwner, query: ListNotificationsQuery): Promise<NotificationListDto> {
    const page = numberedPage(query);
    const subscribers = subscriberSet(query);
    const result = await this.notifications.list(
      owner.environmentId,
      {
        subscribers,
        transactionIds: query.transactionId,
        templates: query.templates,
        channels: query.channels,
        severity: query.severity,
        topicKey: query.topicKey,
        contextKeys: givenContexts(query.contextKeys),
        ...readTimeRange(query),
      },
      page,
    );
    const data = await this.describe(owner, result.rows);
    const envelope = pageEnvelope(query, { ...result, rows: data }, (item) => item);
    // Nobody to look for is said by page 0, whatever page was asked for.
    const isNobody =
      data.length === 0 &&
      query.page > 0 &&
      subscribers !== undefined &&
      !(await this.notifications.namesSubscribers(owner.environmentId, subscribers));
    return isNobody ? { ...envelope, page: 0 } : envelope;
  }

  async retrieve(owner: KeyOwner, notificationId: string): Promise<NotificationDto> {
    const row = await this.notifications.find(owner.environmentId, notificationId);
    if (!row) throw new DomainError('not_found', 'Notification not found');
    const [record, messages] = await Promise.all([
      this.notifications.record(owner.environmentId, [row]),
      this.notifications.messages(owner.environmentId, row),
    ]);
    const [described] = toNotificationDtos(owner, [row], record, messages);
    return described!;
  }

  private async describe(owner: KeyOwner, rows: ActivityNotification[]): Promise<NotificationDto[]> {
    return toNotificationDtos(owner, rows, await this.notifications.record(owner.environmentId, rows));
  }
}

function subscriberSet(query: ListNotificationsQuery): SubscriberSet | undefined {
  const { emails, subscriberIds, search } = query;
  return emails || subscriberIds || search ? { emails, subscriberIds, search } : undefined;
}
