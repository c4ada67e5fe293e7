import { Module } from '@nestjs/common';
import {
  ContextRepository,
  PreferenceRepository,
  SubscriberChannelRepository,
  SubscriberErasureRepository,
  SubscriberExportRepository,
  SubscriberRepository,
  SuppressionRepository,
  TenantRepository,
  TopicRepository,
  TopicSubscriptionRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { AuthoringModule } from '../authoring/authoring.module';
import { ContextsController } from './contexts/contexts.controller';
import { ContextsService } from './contexts/contexts.service';
import { SubscriberPreferencesController } from './preferences/subscriber-preferences.controller';
import { SubscriberPreferencesService } from './preferences/subscriber-preferences.service';
import { SubscriberCredentialsController } from './subscribers/subscriber-credentials.controller';
import { SubscriberCredentialsService } from './subscribers/subscriber-credentials.service';
import { SubscriberImportService } from './subscribers/subscriber-import.service';
import { SubscriberPrivacyController } from './subscribers/subscriber-privacy.controller';
import { SubscriberPrivacyService } from './subscribers/subscriber-privacy.service';
import { SubscribersController } from './subscribers/subscribers.controller';
import { SubscribersService } from './subscribers/subscribers.service';
import { SuppressionsController } from './suppressions/suppressions.controller';
import { SuppressionsService } from './suppressions/suppressions.service';
import { TenantsController } from './tenants/tenants.controller';
import { TenantsService } from './tenants/tenants.service';
import { SubscriptionPreferencesReader } from './topics/subscription-preferences';
import { TopicSubscriptionsController } from './topics/topic-subscriptions.controller';
import { TopicSubscriptionsService } from './topics/topic-subscriptions.service';
import { TopicsController } from './topics/topics.controller';
import { TopicsService } from './topics/topics.service';

/** Who receives messages: subscribers with their preferences, topics, tenants, contexts and suppressions. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      ContextRepository,
      PreferenceRepository,
      SubscriberChannelRepository,
      SubscriberErasureRepository,
      SubscriberExportRepository,
      SubscriberRepository,
      SuppressionRepository,
      TenantRepository,
      TopicRepository,
      TopicSubscriptionRepository,
      WorkflowRepository,
    ]),
    AuthoringModule,
  ],
  controllers: [
    ContextsController,
    SubscriberCredentialsController,
    SubscriberPreferencesController,
    SubscriberPrivacyController,
    SubscribersController,
    SuppressionsController,
    TenantsController,
    TopicSubscriptionsController,
    TopicsController,
  ],
  providers: [
    ContextsService,
    SubscriberCredentialsService,
    SubscriberImportService,
    SubscriberPreferencesService,
    SubscriberPrivacyService,
    SubscribersService,
    SubscriptionPreferencesReader,
    SuppressionsService,
    TenantsService,
    TopicSubscriptionsService,
    TopicsService,
  ],
  exports: [
    SubscriberPreferencesService,
    SubscribersService,
    SubscriptionPreferencesReader,
    TopicSubscriptionsService,
    TopicsService,
  ],
})
export class AudienceModule {}
