import { readFileSync } from 'node:fs';

/**
 * Variables whose value is a secret. Each may be given as a file instead, `<name>_FILE`, as Kubernetes and Docker mount
 * secrets: a value in the environment is shown by tools that list processes and by crash reports.
 */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'CLARION_DATABASE_DIRECT_URL',
  'CLARION_DATABASE_READ_URL',
  'REDIS_URL',
  'CLARION_API_KEY',
  'CLARION_OPERATOR_KEY',
  'CLARION_ENCRYPTION_KEY',
  'CLARION_METRICS_TOKEN',
  'CLARION_IMPORT_KEY',
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** The values of the secrets that are given as files, and one sentence for each file that cannot be used. */
export function readSecretFiles(environment: Variables): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    if (environment[name]) {
      faults.push(`${name} and ${name}_FILE are both set: remove one of them`);
      continue;
    }
    try {
      // Editors and `echo` end a file with a line break, which is no part of the secret.
      const value = readFileSync(path, 'utf8').replace(/(?<![\r\n])[\r\n]+$/, '');
      if (value === '') faults.push(`${name}_FILE names ${path}, which is empty`);
      else values[name] = value;
    } catch (error) {
      faults.push(`${name}_FILE names ${path}, which cannot be read: ${(error as Error).message}`);
    }
  }
  return { values, faults };
}
