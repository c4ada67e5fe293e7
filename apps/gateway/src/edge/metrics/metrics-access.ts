import { AddressList, type Config } from '@clarion/platform';

type Settings = Pick<Config, 'HOST' | 'CLARION_METRICS_TOKEN' | 'CLARION_PUBLIC_URL' | 'CLARION_TRUST_PROXY'>;

/**
 * Decides who may read `/metrics` on the port of the HTTP interface. A gateway that listens on more than the loopback
 * interface requires the token, and so does one behind a proxy: a proxy on the same host brings callers from everywhere
 * to the loopback interface. Without a token, Prometheus reads CLARION_OBSERVE_PORT, which no ingress exposes.
 */
export function metricsAccess(settings: Settings): 'open' | 'token' | 'closed' {
  if (settings.CLARION_METRICS_TOKEN) return 'token';
  const hasProxy = settings.CLARION_TRUST_PROXY.length > 0 || settings.CLARION_PUBLIC_URL !== undefined;
  return isLoopback(settings.HOST) && !hasProxy ? 'open' : 'closed';
}

const LOOPBACK = new AddressList(['127.0.0.0/8', '::1']);

const isLoopback = (host: string): boolean => host === 'localhost' || LOOPBACK.has(host);
