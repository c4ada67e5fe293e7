import { Injectable } from '@nestjs/common';
import { DomainError, type LimitsDto } from '@clarion/contracts';
import { Database, type EnvironmentIds, LimitRepository, type LimitValues } from '@clarion/persistence';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../audit-log/audit-log';

/** The limits of environments, for the API and for the command line. */
@Injectable()
export class LimitsService {
  constructor(
    private readonly database: Database,
    private readonly limits: LimitRepository,
    private readonly audit: AuditLog,
  ) {}

  list(environmentIds: EnvironmentIds): Promise<LimitsDto[]> {
    return this.limits.list(environmentIds);
  }

  /** Changes the limits that are given; null removes one. Gateways and workers apply it within seconds. */
  async change(actor: AuditActor, environment: EnvironmentRef, changes: Partial<LimitValues>): Promise<LimitsDto> {
    const { environmentId } = environment;
    return this.database.transaction(async () => {
      const [row] = await this.limits.list([environmentId]);
      if (!row) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
      const before = valuesOf(row);
      const after = { ...before, ...withoutUndefined(changes) };
      await this.limits.replace(environmentId, after);
      await this.audit.recordIn(actor, environment, { resource: 'environment', id: environmentId, before, after });
      return { ...row, ...after };
    });
  }
}

const valuesOf = ({ eventsPerSecond, messagesPerDay, renderMsPerSecond }: LimitValues): LimitValues => ({
  eventsPerSecond,
  messagesPerDay,
  renderMsPerSecond,
});

const withoutUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
