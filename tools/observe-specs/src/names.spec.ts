import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '@clarion/platform';
import { alertNames, alerts, dashboards, filledIn, prometheusConfig, read, ROOT, rules, scalingQueries } from './files';
import { wordsOf } from './promql';

/** Labels that Prometheus adds to every series, and series that it creates itself. */
const TARGET_LABELS = ['job', 'instance'];
const OF_PROMETHEUS: [name: string, labels: string[]][] = [
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate']],
];

/** Every series by name, with its labels. */
function exported(): Map<string, string[]> {
  const metrics = new Metrics();
  metrics.exportProcess();
  const own = metrics
    .names()
    .flatMap(({ name, labels }): [string, string[]][] => [
      [name, labels],
      ...['_bucket', '_sum', '_count'].map((end): [string, string[]] => [
        name + end,
        end === '_bucket' ? [...labels, 'le'] : labels,
      ]),
    ]);
  const series = new Map([...OF_PROMETHEUS, ...own]);
  // A recorded series has the labels that its expression groups by.
  for (const { record, expr } of rules()) if (record) series.set(record, [...new Set(wordsOf(expr).grouping)]);
  return series;
}

/** The faults of an expression: unknown series and labels. */
function faultsOf(expr: string, series: Map<string, string[]>): string[] {
  const { selectors, grouping } = wordsOf(expr);
  const unknown = selectors.flatMap(({ metric, labels }) => {
    const known = series.get(metric);
    if (!known) return [`there is no ${metric}`];
    return labels
      .filter((label) => !known.includes(label) && !TARGET_LABELS.includes(label))
      .map((label) => `${metric} has no ${label}`);
  });
  const there = [...TARGET_LABELS, ...selectors.flatMap(({ metric }) => series.get(metric) ?? [])];
  return [...unknown, ...grouping.filter((label) => !there.includes(label)).map((label) => `nothing has ${label}`)];
}

const panelsOf = () =>
  dashboards().flatMap(([file, { panels }]) =>
    panels.filter(({ type }) => type !== 'row').map((panel) => ({ name: `${file}: ${panel.title}`, panel })),
  );

describe('metric names in rules, dashboards and scaling queries', () => {
  const series = exported();

  it('reports names that do not exist', () => {
    expect(faultsOf('sum by (color) (rate(clarion_message_total{channel="email"}[5m]))', series)).toEqual([
      'there is no clarion_message_total',
      'nothing has color',
    ]);
    expect(faultsOf('clarion_due_steps{provider="x"}', series)).toEqual(['clarion_due_steps has no provider']);
    expect(faultsOf('max by (channel) (clarion_due_steps{channel="x"})', series)).toEqual([]);
  });

  it.each(rules().map(({ alert, record, expr }) => [alert ?? record, expr]))(
    'finds every name of the rule %s in the code',
    (_, expr) => {
      expect(faultsOf(expr!, series)).toEqual([]);
    },
  );

  it.each(panelsOf().map(({ name, panel }) => [name, panel]))(
    'finds every name of the panel %s in the code',
    (_, panel) => {
      const expressions = (panel.targets ?? []).map(({ expr }) => filledIn(expr, { channel: 'x', provider: 'x' }));
      expect(expressions.length).toBeGreaterThan(0);
      expect(expressions.flatMap((expr) => faultsOf(expr, series))).toEqual([]);
    },
  );

  it.each(dashboards())('finds every name of the variables of %s in the code', (_, { templating }) => {
    const asked = templating.list.filter(({ type }) => type === 'query').map(({ definition }) => definition!);
    const pattern = /^label_values\((\w+), (\w+)\)$/;
    for (const definition of asked) {
      const [, metric, label] = pattern.exec(definition) ?? [];
      expect({ definition, labels: series.get(metric!) }).toEqual({
        definition,
        labels: expect.arrayContaining([label]) as string[],
      });
    }
    expect(templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
  });

  it('finds every name of the scaling queries, and one query for each role with a backlog', () => {
    const queries = scalingQueries();
    const jobs = prometheusConfig().scrape_configs.map(({ job_name: job }) => job);
    expect(new Set(queries.map(({ target }) => target))).toEqual(
      new Set(jobs.filter((job) => job !== 'clarion-gateway')),
    );
    expect(queries.flatMap(({ query }) => faultsOf(query, series))).toEqual([]);
  });

  it('shows every metric in a dashboard or uses it in a rule', () => {
    const shown = new Set([
      ...rules().flatMap(({ expr }) => wordsOf(expr).selectors.map(({ metric }) => metric)),
      ...panelsOf().flatMap(({ panel }) =>
        panel.targets!.flatMap(({ expr }) =>
          wordsOf(filledIn(expr, { channel: 'x', provider: 'x' })).selectors.map(({ metric }) => metric),
        ),
      ),
    ]);
    const unseen = new Metrics()
      .names()
      .map(({ name }) => name)
      .filter((name) => ![name, `${name}_bucket`].some((one) => shown.has(one)));
    expect(unseen.filter((name) => !shown.has(`${name}_sum`))).toEqual([]);
  });
});

describe('dashboards', () => {
  it.each(panelsOf().map(({ name, panel }) => [name, panel]))('describes the panel %s and its unit', (_, panel) => {
    expect(panel).toMatchObject({
      title: expect.stringMatching(/\S/) as string,
      description: expect.stringMatching(/\.$/) as string,
      datasource: { uid: '${datasource}' },
      fieldConfig: { defaults: { unit: expect.stringMatching(/\S/) as string } },
    });
    expect(panel.targets!.every(({ datasource }) => datasource.uid === '${datasource}')).toBe(true);
  });

  it.each(dashboards())('has no overlapping panels in %s', (_, { panels }) => {
    const taken = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (__, cell) => ({ title, place: `${x + (cell % w)},${y + Math.floor(cell / w)}` })),
    );
    const twice = taken.filter(({ place }, index) => taken.findIndex((other) => other.place === place) !== index);
    expect(twice).toEqual([]);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('gives every dashboard a unique name', () => {
    const names = dashboards().flatMap(([, { uid, title }]) => [uid, title]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('k8s/observe/prometheus.yml', () => {
  it('scrapes every app on the port that it listens on', () => {
    const apps = readdirSync(join(ROOT, 'apps')).filter((app) => /^(gateway|engine|worker-.+)$/.test(app));
    const scraped = prometheusConfig().scrape_configs.map(
      ({ job_name: job, metrics_path: path, dns_sd_configs: dns }) => ({
        job,
        path,
        names: dns.flatMap(({ names }) => names),
        ports: dns.map(({ port }) => port),
      }),
    );
    expect(scraped.toSorted((a, b) => a.job.localeCompare(b.job))).toEqual(
      apps.toSorted().map((app) => ({
        job: `clarion-${app}`,
        path: undefined,
        names: [app],
        ports: [9464],
      })),
    );
  });

  it('has an alert for each job that disappears', () => {
    const { expr } = alerts().find(({ alert }) => alert === 'ClarionRoleMissing')!;
    const missed = [...expr.matchAll(/absent\(clarion_build_info\{job="([^"]+)"\}\)/g)].map(([, job]) => job);
    expect(missed).toEqual(prometheusConfig().scrape_configs.map(({ job_name: job }) => job));
  });
});

describe('docs/runbook.md', () => {
  const text = read('docs/runbook.md');
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split('\n', 1)[0]!.trim(), section]),
  );

  it('has a section for every alert and no other section', () => {
    expect([...sections.keys()].filter((title) => title.startsWith('Clarion')).toSorted()).toEqual(
      alertNames().toSorted(),
    );
  });

  it('asks the database with commands of clarion and without SQL', () => {
    expect(text.match(/^.*(?:psql|pg_stat_).*$/gm)).toBeNull();
  });

  it.each(alerts().map((alert) => [alert.alert!, alert]))(
    'is linked by the alert %s and has its meaning, where to look and what to do',
    (name, alert) => {
      expect(alert.annotations).toMatchObject({
        summary: expect.stringMatching(/\S/) as string,
        description: expect.stringMatching(/\.$/) as string,
        runbook_url: `docs/runbook.md#${name.toLowerCase()}`,
      });
      expect(['page', 'ticket']).toContain(alert.labels?.['severity']);
      for (const part of ['**It means**', '**Look at**', '**Do**']) expect(sections.get(name)).toContain(part);
    },
  );
});
