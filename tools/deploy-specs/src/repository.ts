/** Facts read from the code, to compare documents and manifests with. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config, loadConfig } from '@clarion/platform';
import { getMetadataStorage } from 'class-validator';
import { parse } from 'yaml';

export const ROOT = join(__dirname, '..', '..', '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
export const readYaml = <T>(path: string): T => parse(read(path), { merge: true }) as T;

const folders = (parent: string): string[] => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`);

/** Every package of the workspace; npm needs the package.json of all of them. */
export const WORKSPACES = ['apps', 'libs']
  .flatMap(folders)
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')));

/** The apps that run as separate processes: the gateway, the engine and the workers. */
export const APPS = folders('apps')
  .filter((folder) => existsSync(join(ROOT, folder, 'src', 'main.ts')))
  .map((folder) => folder.slice('apps/'.length))
  .filter((name) => name !== 'standalone');

/** Every variable that Config reads. Each has a rule, even if it has no default. */
export const VARIABLES: ReadonlySet<string> = new Set(
  getMetadataStorage()
    .getTargetValidationMetadatas(Config, '', false, false)
    .map(({ propertyName }) => propertyName),
);

/** Reads the variables as a process does. It throws all faults at once. */
export const configOf = (environment: Record<string, string>): Config =>
  loadConfig(['DATABASE_URL', 'CLARION_ENCRYPTION_KEY'], environment);

/** Example values of the Secret, and of the file docker/.env, which is not committed. */
export const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://clarion:secret@postgres:5432/clarion',
  REDIS_URL: 'redis://:secret@redis:6379',
  REDIS_PASSWORD: 'a-password-of-redis',
  CLARION_ENCRYPTION_KEY: `k1:${Buffer.alloc(32).toString('base64')}`,
  CLARION_API_KEY: 'a key of sixteen characters or more',
  CLARION_OPERATOR_KEY: 'a-key-of-thirty-two-characters-or-more',
};
