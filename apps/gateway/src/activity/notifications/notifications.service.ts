import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type EventSummaryDto,
  type ListNotificationsQuery,
  type NotificationDto,
  type NotificationId,
  type NotificationListDto,
  pick,
} from '@clarion/contracts';
import {
  type ActivityNotification,
  type ActivityRecord,
  Database,
  DryRunRepository,
  IntegrationRepository,
  type KeyOwner,
  NotificationRepository,
  StuckRepository,
  type StuckRow,
  type SubscriberSet,
} from '@clarion/persistence';
import { numberedPage, pageEnvelope } from '../../edge/http/numbered-page';
import { withoutNulls } from '../../edge/http/page';
import { givenContexts } from '../../edge/http/query-list';
import { readTimeRange } from '../../edge/http/time-range';
import { toNotificationDtos } from './activity';
import { withIntendedProviders } from './intended-providers';
import { isOpen, withWaits } from './waits';

@Injectable()
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationRepository,
    private readonly integrations: IntegrationRepository,
    private readonly subscribers: DryRunRepository,
    private readonly openWork: StuckRepository,
  ) {}

  async list(owner: KeyOwner, query: ListNotificationsQuery): Promise<NotificationListDto> {
    const page = numberedPage(query);
    const subscribers = subscriberSet(query);
    const result = await this.notifications.list(
      owner.environmentId,
      {
        subscribers,
        transactionIds: query.transactionId,
        ...pick(query, 'templates', 'channels', 'severity', 'topicKey'),
        workflowIds: query.workflowId,
        statuses: query.status,
        detail: query.detail,
        contextKeys: givenContexts(query.contextKeys),
        ...readTimeRange(query),
      },
      page,
    );
    const data = toNotificationDtos(owner, result.rows, await this.named(owner, result.rows, result.record));
    const envelope = pageEnvelope(query, { ...result, rows: data }, (item) => item);
    // If the filter matches no subscriber at all, the response shows page 0 instead of the requested one.
    const hasNoSubscriber =
      data.length === 0 &&
      query.page > 0 &&
      subscribers !== undefined &&
      !(await this.notifications.namesSubscribers(owner.environmentId, subscribers));
    return hasNoSubscriber ? { ...envelope, page: 0 } : envelope;
  }

  async retrieve(owner: KeyOwner, notificationId: NotificationId): Promise<NotificationDto> {
    const found = await this.notifications.find(owner.environmentId, notificationId);
    if (!found) throw new DomainError('not_found', 'Notification not found');
    const messages = await this.notifications.messages(owner.environmentId, found.notification);
    const record = await this.named(owner, [found.notification], found.record);
    const [described] = toNotificationDtos(owner, [found.notification], record, messages);
    const { jobs = [], ...rest } = described!;
    const rows = jobs.some(isOpen) ? await this.openSteps(owner, notificationId) : [];
    return { ...rest, jobs: withWaits(jobs, rows, found.notification.createdAt.toISOString(), new Date()) };
  }

  /** As the system: the tenant sees no claims. The notification was found in its environment. */
  private openSteps({ environmentId }: KeyOwner, id: NotificationId): Promise<StuckRow[]> {
    return this.database.asSystem(() => this.openWork.ofNotification(environmentId, id));
  }

  private async named(owner: KeyOwner, rows: ActivityNotification[], record: ActivityRecord): Promise<ActivityRecord> {
    const stores = { integrations: this.integrations, subscribers: this.subscribers };
    return { ...record, steps: await withIntendedProviders(stores, owner, rows, record.steps) };
  }

  async summary(owner: KeyOwner, transactionId: string): Promise<EventSummaryDto> {
    const summary = await this.notifications.summary(owner.environmentId, transactionId);
    if (!summary) throw new DomainError('not_found', `Transaction ${transactionId} was not found`);
    const { state, error, recipients, notifications, lines } = summary;
    const steps = lines.map(({ type, state: status, reason, count }) =>
      withoutNulls({ channel: type, status, reason: reason ?? undefined, count }),
    );
    return withoutNulls({ transactionId, state, error: error ?? undefined, recipients, notifications, steps });
  }
}

function subscriberSet(query: ListNotificationsQuery): SubscriberSet | undefined {
  const { emails, subscriberIds, search } = query;
  return emails || subscriberIds || search ? { emails, subscriberIds, search } : undefined;
}
