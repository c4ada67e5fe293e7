import {
  createLogger,
  exitOnFault,
  Health,
  loadConfig,
  Metrics,
  openObserveServer,
  whenAskedToStop,
} from '@clarion/platform';
import { processContext } from '@clarion/runtime';
import { metricsAccess } from './edge/metrics/metrics-access';
import { runGateway } from './run-gateway';

/** Runs the gateway as a separate process. It expects the addresses of its stores and a migrated database. */
async function main(): Promise<void> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY']);
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'gateway', pretty: process.stdout.isTTY });
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  const health = new Health();
  let close = (): Promise<void> => Promise.resolve();
  // Installed first, so that SIGTERM also stops a process that still waits for its database.
  whenAskedToStop(() => close(), { config, health });
  metrics.exportProcess();
  const { PORT: port, HOST: host } = config;
  // Answers the probes on the gateway's port until the gateway itself listens.
  const startupServer = await openObserveServer({
    port,
    host,
    variable: 'PORT',
    health,
    metrics: metricsAccess(config) === 'open' ? metrics : undefined,
    otherwise: 503,
  });
  close = () => startupServer.close();
  const gateway = await runGateway(processContext({ config, logger, metrics, health }), () => startupServer.close());
  close = () => gateway.close();
  logger.info({ url: gateway.url }, 'gateway is ready');
  // A parent process waits for this message. Without a parent, `process.send` is undefined.
  process.send?.({ ready: gateway.url });
}

main().catch(exitOnFault);
