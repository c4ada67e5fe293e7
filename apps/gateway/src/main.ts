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
import { metricsAccess } from './metrics/metrics-access';
import { runGateway } from './run-gateway';

/** The gateway as a process of its own: the stores come from the environment, migrations have run before. */
async function main(): Promise<void> {
  const config = loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY']);
  const logger = createLogger({ level: config.LOG_LEVEL, name: 'gateway', pretty: process.stdout.isTTY });
  const metrics = new Metrics(config.CLARION_METRICS_ENVIRONMENTS);
  const health = new Health();
  let close = (): Promise<void> => Promise.resolve();
  // From the first moment on: a process that waits for its database is to be stopped like any other.
  whenAskedToStop(() => close(), { config, health });
  metrics.exportProcess();
  const { PORT: port, HOST: host } = config;
  // Until there is a gateway to answer, probes are told what it waits for.
  const standIn = await openObserveServer({
    port,
    host,
    variable: 'PORT',
    health,
    metrics: metricsAccess(config) === 'open' ? metrics : undefined,
    otherwise: 503,
  });
  close = () => standIn.close();
  const gateway = await runGateway(processContext({ config, logger, metrics, health }), () => standIn.close());
  close = () => gateway.close();
  logger.info({ url: gateway.url }, 'gateway is ready');
  // Whoever started this process waits for that word; on its own there is nobody to tell.
  process.send?.({ ready: gateway.url });
}

main().catch(exitOnFault);
