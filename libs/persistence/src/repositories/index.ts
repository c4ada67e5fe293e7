import { EnvironmentRepository } from './environment.repository';
import { IdempotencyRepository } from './idempotency.repository';
import { IntegrationRepository } from './integration.repository';
import { MessageRepository } from './message.repository';
import { NotificationRepository } from './notification.repository';
import { SubscriberChannelRepository } from './subscriber-channel.repository';
import { SubscriberRepository } from './subscriber.repository';
import { TopicSubscriptionRepository } from './topic-subscription.repository';
import { TopicRepository } from './topic.repository';
import { TriggerRepository } from './trigger.repository';
import { WorkflowRepository } from './workflow.repository';

export * from './environment.repository';
export * from './idempotency.repository';
export * from './integration.repository';
export * from './message.repository';
export * from './notification.repository';
export * from './subscriber-channel.repository';
export * from './subscriber.repository';
export * from './topic-subscription.repository';
export * from './topic.repository';

export * from './trigger.repository';
export * from './workflow.repository';

/** Every repository; each is made from the database alone. */
export const REPOSITORIES = [
  EnvironmentRepository,
  IdempotencyRepository,
  IntegrationRepository,
  MessageRepository,
  NotificationRepository,
  SubscriberChannelRepository,
  SubscriberRepository,
  TopicRepository,
  TopicSubscriptionRepository,
  TriggerRepository,
  WorkflowRepository,
];
