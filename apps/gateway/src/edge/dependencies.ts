import type { Database } from '@clarion/persistence';
import type { Config, Health, Logger, Metrics, SecretBox, Tracing } from '@clarion/platform';
import type { QueueConnection, RealtimeRelay } from '@clarion/queue';

export { LOGGER } from '@clarion/runtime';

export type GatewayDependencies = {
  config: Config;
  database: Database;
  queueConnection: QueueConnection;
  relay: RealtimeRelay;
  secrets: SecretBox;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  health: Health;
};
