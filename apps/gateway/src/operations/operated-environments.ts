import { Injectable } from '@nestjs/common';
import { DomainError, type EnvironmentId } from '@clarion/contracts';
import { type Environment, EnvironmentRepository, type KeyOwner } from '@clarion/persistence';

/** The environments that a key of the scope `admin` operates: those of its organization, and no others. */
@Injectable()
export class OperatedEnvironments {
  constructor(private readonly environments: EnvironmentRepository) {}

  /** All of them, or the one that the caller names. One of another organization gets the same 404 as a missing one. */
  async of({ organizationId }: KeyOwner, wanted?: string): Promise<Environment[]> {
    const all = await this.environments.list(organizationId);
    if (wanted === undefined) return all;
    const found = all.filter(({ id }) => id === wanted);
    if (found.length === 0) throw new DomainError('not_found', `Environment ${wanted} was not found`);
    return found;
  }

  async idsOf(owner: KeyOwner, wanted?: string): Promise<EnvironmentId[]> {
    return (await this.of(owner, wanted)).map(({ id }) => id);
  }
}
