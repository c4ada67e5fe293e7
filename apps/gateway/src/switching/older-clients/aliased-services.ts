import { Injectable } from '@nestjs/common';
import { EnvironmentsService } from '../../operations/environments/environments.service';
import { InboxService } from '../../inbox/inbox.service';
import { IntegrationsService } from '../../channels/integrations/integrations.service';
import { LayoutsService } from '../../authoring/layouts/layouts.service';
import { NotificationsService } from '../../activity/notifications/notifications.service';
import { SubscriberPreferencesService } from '../../audience/preferences/subscriber-preferences.service';
import { SubscribersService } from '../../audience/subscribers/subscribers.service';
import { TopicSubscriptionsService } from '../../audience/topics/topic-subscriptions.service';
import { TopicsService } from '../../audience/topics/topics.service';
import { WorkflowsService } from '../../authoring/workflows/workflows.service';

@Injectable()
export class AliasedServices {
  constructor(
    readonly environments: EnvironmentsService,
    readonly inboxes: InboxService,
    readonly integrations: IntegrationsService,
    readonly layouts: LayoutsService,
    readonly notifications: NotificationsService,
    readonly preferences: SubscriberPreferencesService,
    readonly subscribers: SubscribersService,
    readonly subscriptions: TopicSubscriptionsService,
    readonly topics: TopicsService,
    readonly workflows: WorkflowsService,
  ) {}
}
