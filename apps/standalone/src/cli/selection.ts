import { LIMITS } from '@clarion/contracts/core';
import type { Environment, Organization } from '@clarion/persistence';
import { CommandError, UsageError } from './command';
import type { Tools } from './tools';

const NAME_OR_ID = '<name or id>';

export const ORGANIZATION = { organization: { value: NAME_OR_ID } } as const;
export const ENVIRONMENT = { environment: { value: NAME_OR_ID } } as const;

export type Wanted = { organization?: string | undefined; environment?: string | undefined };

const NO_ORGANIZATION = 'There is no organization yet: run `npm run clarion -- migrate`, or start Clarion once.';

export async function allOrganizations({ environments }: Tools): Promise<Organization[]> {
  const all = await environments.listOrganizations();
  if (all.length === 0) throw new CommandError(NO_ORGANIZATION);
  return all;
}

export const chosenOrganization = async (tools: Tools, { organization }: Wanted): Promise<Organization> =>
  select('organization', await allOrganizations(tools), organization);

/** The wanted environment of any organization, or the first one of the wanted or the first organization. */
export async function chosenEnvironment(tools: Tools, wanted: Wanted): Promise<Environment> {
  if (wanted.environment !== undefined) {
    return select('environment', await wantedEnvironments(tools, wanted), wanted.environment);
  }
  const { id } = await chosenOrganization(tools, wanted);
  return select('environment', await tools.environments.list(id), undefined);
}

/** The wanted environment. Without a name it must be the only one: the command would act on the wrong one otherwise. */
export async function onlyEnvironment(tools: Tools, wanted: Wanted): Promise<Environment> {
  const found = await wantedEnvironments(tools, wanted);
  if (wanted.environment === undefined && found.length > 1) {
    const choices = found.map(({ id, name }) => `${name} (${id})`).join(', ');
    throw new UsageError(`--environment is missing; there are: ${choices}`);
  }
  return select('environment', found, wanted.environment);
}

export async function everyEnvironment(tools: Tools): Promise<Environment[]> {
  const organizations = await allOrganizations(tools);
  return (await Promise.all(organizations.map(({ id }) => tools.environments.list(id)))).flat();
}

/** All environments, or those of the wanted organization or with the wanted name or id. */
export async function wantedEnvironments(tools: Tools, wanted: Wanted): Promise<Environment[]> {
  const { organization, environment } = wanted;
  const all =
    organization === undefined
      ? await everyEnvironment(tools)
      : await tools.environments.list((await chosenOrganization(tools, wanted)).id);
  if (environment === undefined) return all;
  const found = all.filter(({ id, name }) => id === environment || name === environment);
  if (found.length > 0) return found;
  const names = [...new Set(all.map(({ name }) => name))];
  throw new CommandError(`There is no environment "${environment}"; there are: ${names.join(', ')}`);
}

/** The ids of these environments; undefined for all, which the statements need not list. */
export const wantedIds = async (tools: Tools, wanted: Wanted): Promise<Environment['id'][] | undefined> =>
  wanted.organization === undefined && wanted.environment === undefined
    ? undefined
    : (await wantedEnvironments(tools, wanted)).map(({ id }) => id);

/** The item with this name or id, or the first item when none is wanted. */
function select<T extends { id: string; name: string }>(kind: string, all: T[], wanted: string | undefined): T {
  const found = wanted === undefined ? all : all.filter(({ id, name }) => id === wanted || name === wanted);
  if (found.length === 0) {
    throw new CommandError(`There is no ${kind} "${wanted}"; there are: ${all.map(({ name }) => name).join(', ')}`);
  }
  if (wanted !== undefined && found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new CommandError(`There are several ${kind}s with the name "${wanted}"; give the id instead: ${ids}`);
  }
  return found[0]!;
}

export function oneOf<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
  throw new UsageError(`--${name} must be one of: ${allowed.join(', ')}`);
}

/** A whole number from 1 on. */
export function whole(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}, not "${text}"`);
}

/** Refuses a value that breaks a rule; `faultOf` gives the rule as the end of a sentence. */
export function check<T>(name: string, value: T | undefined, faultOf: (value: T) => string | undefined): void {
  const fault = value === undefined ? undefined : faultOf(value);
  if (fault !== undefined) throw new UsageError(`--${name} ${fault}`);
}

export const checkReason = (reason: string | undefined): void =>
  check('reason', reason, ({ length }) =>
    length > LIMITS.holdReason ? `must have at most ${LIMITS.holdReason} characters` : undefined,
  );
