import { Module } from '@nestjs/common';
import { SubscriptionPreferencesReader } from './subscription-preferences';
import { TopicSubscriptionsController } from './topic-subscriptions.controller';
import { TopicSubscriptionsService } from './topic-subscriptions.service';
import { TopicsController } from './topics.controller';
import { TopicsService } from './topics.service';

@Module({
  controllers: [TopicsController, TopicSubscriptionsController],
  providers: [TopicsService, TopicSubscriptionsService, SubscriptionPreferencesReader],
  exports: [TopicsService, TopicSubscriptionsService, SubscriptionPreferencesReader],
})
export class TopicsModule {}
