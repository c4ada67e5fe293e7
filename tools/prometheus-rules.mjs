/**
 * `npm run prometheus-rules`: writes k8s/observe/rules as a PrometheusRule of the Prometheus operator, for Kustomize
 * and for the Helm chart. A spec compares them. With `-- --runbook-url <url>` the alerts link to the runbook there; the
 * Helm chart has a value for it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { FORMATTER, node, root } from './setup.mjs';

const RUNBOOK = 'docs/runbook.md';
const { values } = parseArgs({ options: { 'runbook-url': { type: 'string', default: RUNBOOK } } });
const folder = join(root, 'k8s', 'observe', 'rules');
const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));
const withLinks = (text) => text.replaceAll(`${RUNBOOK}#`, `${values['runbook-url']}#`);
const groups = files.sort().flatMap((name) => parse(withLinks(readFileSync(join(folder, name), 'utf8'))).groups);
const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'clarion' },
  spec: { groups },
};
const head = '# Written from k8s/observe/rules by `node tools/prometheus-rules.mjs`; edit those.\n';
const write = (file, value) => {
  writeFileSync(file, head + stringify(value, { lineWidth: 0 }));
  execFileSync(node, [FORMATTER, file], { cwd: root });
};
write(join(root, 'k8s', 'components', 'monitoring', 'rules.yaml'), rule);
write(join(root, 'k8s', 'helm', 'clarion', 'files', 'rules.yaml'), { groups });
