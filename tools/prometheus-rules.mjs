/**
 * `npm run prometheus-rules`: writes k8s/observe/rules as a PrometheusRule of the Prometheus operator, for Kustomize
 * and for the Helm chart. A spec compares them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { FORMATTER, node, root } from './setup.mjs';

const folder = join(root, 'k8s', 'observe', 'rules');
const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));
const groups = files.sort().flatMap((name) => parse(readFileSync(join(folder, name), 'utf8')).groups);
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
