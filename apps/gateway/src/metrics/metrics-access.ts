import { AddressList, type Config } from '@clarion/platform';

/**
 * Who may read `/metrics` on the port of the interface. A gateway that listens beyond its own machine shows them to holders
 * of the token alone; without a token Prometheus reads them on CLARION_OBSERVE_PORT, which no ingress leads to.
 */
export function metricsAccess(config: Pick<Config, 'HOST' | 'CLARION_METRICS_TOKEN'>): 'open' | 'token' | 'closed' {
  if (config.CLARION_METRICS_TOKEN) return 'token';
  return isLoopback(config.HOST) ? 'open' : 'closed';
}

const LOOPBACK = new AddressList(['127.0.0.0/8', '::1']);

const isLoopback = (host: string): boolean => host === 'localhost' || LOOPBACK.has(host);
