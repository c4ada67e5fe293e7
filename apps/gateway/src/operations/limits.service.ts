import { Injectable } from '@nestjs/common';
import { DomainError, type EnvironmentId, type LimitsDto } from '@clarion/contracts';
import { type EnvironmentIds, LimitRepository, type LimitValues } from '@clarion/persistence';

/** The limits of environments, for the API and for the command line. */
@Injectable()
export class LimitsService {
  constructor(private readonly limits: LimitRepository) {}

  list(environmentIds: EnvironmentIds): Promise<LimitsDto[]> {
    return this.limits.list(environmentIds);
  }

  /** Changes the limits that are given; null removes one. Gateways apply it within seconds. */
  async change(environmentId: EnvironmentId, changes: Partial<LimitValues>): Promise<LimitsDto> {
    const [before] = await this.limits.list([environmentId]);
    if (!before) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    const { eventsPerSecond, messagesPerDay, renderMsPerSecond } = { ...before, ...withoutUndefined(changes) };
    await this.limits.replace(environmentId, { eventsPerSecond, messagesPerDay, renderMsPerSecond });
    return { ...before, eventsPerSecond, messagesPerDay, renderMsPerSecond };
  }
}

const withoutUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
