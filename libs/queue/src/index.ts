export * from './admission';
export * from './consumer';
export * from './backend';
export * from './inspect-queues';
export * from './jobs';
export * from './producer';
export type { RedisServerFacts } from './redis-servers';
export * from './relay';
export * from './step-offers';
