import { Injectable } from '@nestjs/common';
import { EnvironmentsService } from '../environments/environments.service';
import { InboxService } from '../inbox/inbox.service';
import { IntegrationsService } from '../integrations/integrations.service';
import { LayoutsService } from '../layouts/layouts.service';
import { NotificationsService } from '../notifications/notifications.service';
import { SubscriberPreferencesService } from '../preferences/subscriber-preferences.service';
import { SubscribersService } from '../subscribers/subscribers.service';
import { TopicSubscriptionsService } from '../topics/topic-subscriptions.service';
import { TopicsService } from '../topics/topics.service';
import { WorkflowsService } from '../workflows/workflows.service';

/** The services that the rows of the table call. */
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
