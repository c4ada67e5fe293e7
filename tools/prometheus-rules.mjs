/**
 * `npm run prometheus-rules`: writes k8s/observe/rules as a PrometheusRule of the Prometheus operator, for Kustomize
 * and for the Helm chart. A spec compares them.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse, stringify } from 'yaml';
import { root } from './setup.mjs';

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
const write = async (file, value) => {
  const settings = { ...(await resolveConfig(file)), parser: 'yaml' };
  writeFileSync(file, await format(head + stringify(value, { lineWidth: 0 }), settings));
};
await write(join(root, 'k8s', 'components', 'monitoring', 'rules.yaml'), rule);
await write(join(root, 'k8s', 'helm', 'clarion', 'files', 'rules.yaml'), { groups });
