import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, type EnvironmentId, invalidField } from '@clarion/contracts';
import { EveryEnvironmentRepository, type KeyOwner } from '@clarion/persistence';
import { Config, hashApiKey } from '@clarion/platform';
import type { AuditActor, EnvironmentRef } from '../audit-log/audit-log';

export type ActedEnvironment = EnvironmentRef & { environmentName: string };

/** The operator as the caller of a request, with the environment that the request names, if it names one. */
export class Operator {
  constructor(private readonly named: ActedEnvironment | undefined) {}

  get environmentId(): EnvironmentId | undefined {
    return this.named?.environmentId;
  }

  get environment(): ActedEnvironment {
    if (this.named) return this.named;
    throw invalidField('Clarion-Environment', 'Clarion-Environment must name an environment: the operator has none');
  }
}

/** Under which the operator counts where a share of a process is counted by environment. */
export const NO_ENVIRONMENT = '00000000-0000-0000-0000-000000000000' as EnvironmentId;

/** Who sends a request to a route that also takes the operator's key. */
export type Caller = KeyOwner | Operator;

export const actorOf = (caller: Caller): AuditActor => (caller instanceof Operator ? OPERATOR : caller);

/** The environment of the key, or the one that the operator names. */
export const environmentOf = (caller: Caller): ActedEnvironment =>
  caller instanceof Operator ? caller.environment : caller;

/** The key of the installation. It belongs to no environment and opens only routes that declare the operator. */
@Injectable()
export class OperatorKey {
  private readonly hash: Buffer | undefined;

  constructor(
    { CLARION_OPERATOR_KEY: key }: Config,
    private readonly environments: EveryEnvironmentRepository,
  ) {
    this.hash = key === undefined ? undefined : hashApiKey(key);
  }

  /** Compares hashes, which have one length, in constant time. */
  matches(key: string): boolean {
    return this.hash !== undefined && timingSafeEqual(this.hash, hashApiKey(key));
  }

  async callerIn(environmentId: EnvironmentId | undefined): Promise<Operator> {
    if (environmentId === undefined) return new Operator(undefined);
    const found = await this.environments.find(environmentId);
    if (!found) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    const { organizationId, name: environmentName } = found;
    return new Operator({ environmentId, organizationId, environmentName });
  }
}

/** Who works on the command line is the operator, too. */
export const isOperator = (actor: AuditActor): boolean => actor === 'operator' || actor === 'cli';

/** What people read of who set a hold or a limit. */
export const OPERATOR = 'operator';

/** The name of the key; its prefix if it has none, or one that would be taken for the operator. */
export function setterOf(actor: AuditActor): string {
  if (isOperator(actor)) return OPERATOR;
  if (typeof actor !== 'object') return actor;
  const name = actor.keyName.trim();
  return name === '' || name.toLowerCase() === OPERATOR ? actor.keyPrefix : name;
}

/** `what` is the beginning of a sentence: "The channel sms is held". */
export const onlyOperator = (what: string, reason: string | null): DomainError =>
  new DomainError('forbidden', `${what} by the operator: ${reason ?? NO_REASON}. Only the operator can change that`);

export const NO_REASON = 'no reason given';
