import { AddressList, type Config } from '@clarion/platform';

/**
 * Decides who may read `/metrics` on the port of the HTTP interface. A gateway that listens on more than the loopback
 * interface requires the token. Without a token, Prometheus reads CLARION_OBSERVE_PORT, which no ingress exposes.
 */
export function metricsAccess(config: Pick<Config, 'HOST' | 'CLARION_METRICS_TOKEN'>): 'open' | 'token' | 'closed' {
  if (config.CLARION_METRICS_TOKEN) return 'token';
  return isLoopback(config.HOST) ? 'open' : 'closed';
}

const LOOPBACK = new AddressList(['127.0.0.0/8', '::1']);

const isLoopback = (host: string): boolean => host === 'localhost' || LOOPBACK.has(host);
