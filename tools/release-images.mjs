/**
 * `node tools/release-images.mjs <folder> <version>`: puts the images of a release into the production overlay and the
 * chart, by digest. The folder has one file for each image, named like it (clarion-gateway), with its name in the
 * registry and its digest: `registry.example.com/clarion/clarion-gateway@sha256:...`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isMap, parseDocument } from 'yaml';
import { root } from './setup.mjs';

const OVERLAY = 'k8s/overlays/production/kustomization.yaml';
const VALUES = 'k8s/helm/clarion/values.yaml';
const CHART = 'k8s/helm/clarion/Chart.yaml';

/** Changes a file without losing its comments. */
function edit(folder, path, change) {
  const file = join(folder, path);
  const document = parseDocument(readFileSync(file, 'utf8'));
  change(document);
  writeFileSync(file, document.toString({ lineWidth: 120 }));
}

function readImages(folder) {
  return readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').trim();
    const [, registry, found, digest] = /^(.+)\/([^/@]+)@(sha256:[0-9a-f]{64})$/.exec(text) ?? [];
    if (found !== name) throw new Error(`${name} contains "${text}", which is not that image with its digest`);
    return { name, role: name.replace(/^clarion-/, ''), registry, digest };
  });
}

/** `folder` is the repository. */
export function releaseImages(folder, imagesFolder, version) {
  const images = readImages(imagesFolder);
  edit(folder, OVERLAY, (document) => {
    const wanted = document.get('images').items.map((item) => item.get('name'));
    const missing = wanted.filter((name) => !images.some((image) => image.name === name));
    if (missing.length > 0) throw new Error(`there is no digest of ${missing.join(', ')}`);
    for (const { name, registry, digest } of images) {
      const item = document.get('images').items.find((one) => one.get('name') === name);
      item.set('newName', `${registry}/${name}`);
      item.set('digest', digest);
    }
  });
  edit(folder, VALUES, (document) => {
    document.setIn(['image', 'registry'], images[0].registry);
    for (const { role, digest } of images) {
      if (!isMap(document.getIn(['roles', role]))) throw new Error(`the chart has no role ${role}`);
      document.setIn(['roles', role, 'digest'], digest);
    }
  });
  edit(folder, CHART, (document) => {
    document.set('version', version);
    document.set('appVersion', version);
  });
}

if (process.argv[1] === import.meta.filename) {
  const [imagesFolder, version] = process.argv.slice(2);
  if (!version) throw new Error('usage: node tools/release-images.mjs <folder> <version>');
  releaseImages(root, imagesFolder, version);
}
