import { EnvironmentRepository } from './environment.repository';
import { IdempotencyRepository } from './idempotency.repository';
import { SubscriberChannelRepository } from './subscriber-channel.repository';
import { SubscriberRepository } from './subscriber.repository';

export * from './environment.repository';
export * from './idempotency.repository';
export * from './subscriber-channel.repository';
export * from './subscriber.repository';

/** Every repository; each is made from the database alone. */
export const REPOSITORIES = [
  EnvironmentRepository,
  IdempotencyRepository,
  SubscriberChannelRepository,
  SubscriberRepository,
];
