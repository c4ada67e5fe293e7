/** The Node of the image, so that specs run on what is deployed too. The Dockerfile names its version. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { npm, root } from './setup.mjs';

/** Returns the program, which is installed from npm; undefined if npm does not have it. */
export async function findImageNode(say) {
  const version = /^ARG NODE_IMAGE=node:([\d.]+)/m.exec(readFileSync(join(root, 'docker/Dockerfile'), 'utf8'))[1];
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, '.cache', `node-${version}`);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(program)) {
    say(`Installing Node ${version} with npm ...`);
    await npm(['install', '--prefix', folder, '--no-save', '--no-package-lock', '--no-audit', `${name}@${version}`]);
  }
  if (existsSync(program)) {
    say(`Node ${version} of the image: found`);
    return program;
  }
  say(
    `Node ${version} of the image: MISSING, and it could not be installed: the specs run with ${process.version} only.`,
  );
  return undefined;
}
