import { Module } from '@nestjs/common';
import {
  ContextRepository,
  EnvironmentRepository,
  InboxRepository,
  InboxSecretRepository,
  IntegrationRepository,
  PreferenceRepository,
  PresenceRepository,
  RealtimeRepository,
  SubscriberRepository,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { ActivityModule } from '../activity/activity.module';
import { AudienceModule } from '../audience/audience.module';
import { InboxTokens } from '../edge/auth/inbox-tokens';
import { InboxAdmission } from './inbox-admission';
import { InboxCreations } from './inbox-creations';
import { InboxEnvironments } from './inbox-environments';
import { InboxNotificationsController } from './inbox-notifications.controller';
import { InboxPreferencesController } from './inbox-preferences.controller';
import { InboxSessionsController } from './inbox-sessions.controller';
import { InboxSessionsService } from './inbox-sessions.service';
import { InboxSignatures } from './inbox-signatures';
import { InboxSubscriptionsController } from './inbox-subscriptions.controller';
import { InboxSubscriptionsService } from './inbox-subscriptions.service';
import { InboxService } from './inbox.service';
import { Sockets } from './realtime/sockets';
import { SubscriberMessagesController } from './subscriber-messages.controller';
import { SubscriberNotificationsController } from './subscriber-notifications.controller';
import { WidgetMessagesController } from './widget-messages.controller';
import { WidgetPreferencesController } from './widget-preferences.controller';

/** The inbox of a subscriber: sessions, notifications, preferences, and the socket that announces changes. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      ContextRepository,
      EnvironmentRepository,
      InboxRepository,
      InboxSecretRepository,
      IntegrationRepository,
      PreferenceRepository,
      PresenceRepository,
      RealtimeRepository,
      SubscriberRepository,
      TopicSubscriptionRepository,
    ]),
    ActivityModule,
    AudienceModule,
  ],
  controllers: [
    InboxNotificationsController,
    InboxPreferencesController,
    InboxSessionsController,
    InboxSubscriptionsController,
    SubscriberMessagesController,
    SubscriberNotificationsController,
    WidgetMessagesController,
    WidgetPreferencesController,
  ],
  providers: [
    InboxAdmission,
    InboxCreations,
    InboxEnvironments,
    InboxService,
    InboxSessionsService,
    InboxSignatures,
    InboxSubscriptionsService,
    InboxTokens,
    Sockets,
  ],
  exports: [InboxEnvironments, InboxService, InboxSignatures, InboxTokens],
})
export class InboxModule {}
