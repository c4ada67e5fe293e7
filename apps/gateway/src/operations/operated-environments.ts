import { Injectable } from '@nestjs/common';
import { DomainError } from '@clarion/contracts';
import {
  type Environment,
  type EnvironmentIds,
  EnvironmentRepository,
  EveryEnvironmentRepository,
} from '@clarion/persistence';
import { type Caller, Operator } from '../edge/auth/operator';

/** The environments that a caller operates: those of the organization of its `admin` key, or all for the operator. */
@Injectable()
export class OperatedEnvironments {
  constructor(
    private readonly environments: EnvironmentRepository,
    private readonly every: EveryEnvironmentRepository,
  ) {}

  /** All of them, or the one that the caller names. One of another organization gets the same 404 as a missing one. */
  async of(caller: Caller, wanted = namedBy(caller)): Promise<Environment[]> {
    const all = await (caller instanceof Operator ? this.every.list() : this.environments.list(caller.organizationId));
    if (wanted === undefined) return all;
    const found = all.filter(({ id }) => id === wanted.toLowerCase());
    if (found.length === 0) throw new DomainError('not_found', `Environment ${wanted} was not found`);
    return found;
  }

  /** The ids of these environments; undefined for all of the installation, which the statements need not list. */
  async idsOf(caller: Caller, wanted = namedBy(caller)): Promise<EnvironmentIds> {
    if (caller instanceof Operator && wanted === undefined) return undefined;
    return (await this.of(caller, wanted)).map(({ id }) => id);
  }
}

/** The environment of a key does not narrow what the key asks about its organization. */
const namedBy = (caller: Caller): string | undefined => (caller instanceof Operator ? caller.environmentId : undefined);
