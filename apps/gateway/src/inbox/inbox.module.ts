import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module';
import { PreferencesModule } from '../preferences/preferences.module';
import { TopicsModule } from '../topics/topics.module';
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
import { InboxTokens } from './inbox-tokens';
import { InboxService } from './inbox.service';
import { SubscriberMessagesController } from './subscriber-messages.controller';
import { SubscriberNotificationsController } from './subscriber-notifications.controller';
import { WidgetMessagesController } from './widget-messages.controller';
import { WidgetPreferencesController } from './widget-preferences.controller';

@Module({
  imports: [FeedModule, PreferencesModule, TopicsModule],
  controllers: [
    SubscriberNotificationsController,
    SubscriberMessagesController,
    InboxSessionsController,
    InboxNotificationsController,
    InboxPreferencesController,
    InboxSubscriptionsController,
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
  ],
  exports: [InboxEnvironments, InboxService, InboxSignatures, InboxTokens],
})
export class InboxModule {}
