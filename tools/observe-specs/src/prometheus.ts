import { type PrometheusServer, startPrometheusServer } from '@clarion/testing';
import { prometheusConfig, ruleFile } from './files';

/** A real Prometheus with our jobs and rules, which scrapes every two seconds and raises alerts without waiting. */
export type Prometheus = PrometheusServer & {
  /** The firing alerts: name and distinguishing labels. */
  firing(): Promise<string[]>;
  /** Rules that could not be evaluated. */
  brokenRules(): Promise<string[]>;
};

/** `targets` lists the processes of each app, as host:port. */
export async function startPrometheus(targets: Record<string, string[]>): Promise<Prometheus> {
  const { scrape_configs: jobs } = prometheusConfig();
  const config = {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '2s' },
    rule_files: ['rules.yml'],
    scrape_configs: jobs.map(({ dns_sd_configs: dns, ...job }) => ({
      ...job,
      static_configs: [{ targets: dns.flatMap(({ names }) => names.flatMap((name) => targets[name]!)) }],
    })),
  };
  const withoutWaiting = {
    groups: ruleFile().groups.map((group) => ({
      ...group,
      // A busy machine misses the time limit of an add now and then: only its wait makes that no alert.
      rules: group.rules.map(({ for: wait, ...rule }) =>
        rule.alert === 'ClarionQueueAddsFailing' ? { ...rule, for: wait } : rule,
      ),
    })),
  };
  const server = await startPrometheusServer(config, { 'rules.yml': withoutWaiting });
  if (!server) throw new Error('there is no prometheus on PATH');
  return {
    ...server,
    async firing() {
      const { alerts } = await server.ask<{ alerts: { labels: Record<string, string>; state: string }[] }>(
        '/api/v1/alerts',
      );
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels: { alertname, severity: _severity, instance: _instance, ...labels } }) =>
          [alertname, ...Object.values(labels).toSorted()].join(' '),
        )
        .toSorted();
    },
    async brokenRules() {
      const { groups } = await server.ask<{
        groups: { rules: { name: string; health: string; lastError?: string }[] }[];
      }>('/api/v1/rules');
      return groups
        .flatMap(({ rules }) => rules)
        .filter(({ health }) => health !== 'ok')
        .map(({ name, health, lastError }) => `${name}: ${lastError ?? health}`);
    },
  };
}
