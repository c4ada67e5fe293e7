import { Injectable } from '@nestjs/common';
import { DomainError, LIMIT_NAMES, type LimitsDto } from '@clarion/contracts';
import { Database, type EnvironmentIds, LimitRepository, type LimitRow, type LimitWithUse } from '@clarion/persistence';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../edge/audit-log/audit-log';
import { isOperator, setterOf } from '../edge/auth/operator';
import { limitsIn, refusalOf, sourceOf } from '../edge/limits/limit-sources';

@Injectable()
export class LimitsService {
  constructor(
    private readonly database: Database,
    private readonly limits: LimitRepository,
    private readonly audit: AuditLog,
  ) {}

  async list(environmentIds: EnvironmentIds): Promise<LimitsDto[]> {
    return (await this.limits.list(environmentIds)).map(toLimitsDto);
  }

  /** Changes the limits that are given; null removes one. Gateways and workers apply it within seconds. */
  async change(
    actor: AuditActor,
    environment: EnvironmentRef,
    changes: Partial<LimitRow>,
    reason?: string,
  ): Promise<LimitsDto> {
    const { environmentId } = environment;
    return this.database.transaction(async () => {
      await this.limits.lock(environmentId);
      const [before] = await this.limits.list([environmentId]);
      if (!before) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
      const after = changed(before, changes, actor, reason || null);
      await this.limits.replace(environmentId, after, after.sources);
      await this.audit.recordIn(actor, environment, {
        resource: 'environment',
        id: environmentId,
        before: recorded(before),
        after: recorded(after),
      });
      return toLimitsDto(after);
    });
  }
}

/** What the operator set, only the operator changes. */
function changed(
  before: LimitWithUse,
  changes: Partial<LimitRow>,
  actor: AuditActor,
  reason: string | null,
): LimitWithUse {
  const after = { ...before, sources: { ...before.sources } };
  const source = { setBy: setterOf(actor), byOperator: isOperator(actor), reason, setAt: new Date().toISOString() };
  for (const name of LIMIT_NAMES) {
    const value = changes[name];
    if (value === undefined) continue;
    const refusal = isOperator(actor) ? undefined : refusalOf(before, name);
    // A caller that sends all limits, to change another one, changes nothing here.
    if (refusal && value === before[name]) continue;
    if (refusal) throw refusal;
    after[name] = value;
    after.sources[name] = value === null ? undefined : source;
  }
  if (limitsIn(after).length === 0) return { ...after, counts: 'environment' };
  const refusal = limitsIn(before)
    .map((name) => refusalOf(before, name))
    .find(Boolean);
  if (changes.counts === undefined || changes.counts === before.counts) return after;
  if (refusal && !isOperator(actor)) throw refusal;
  return { ...after, counts: changes.counts };
}

function recorded(row: LimitWithUse): object {
  const { eventsPerSecond, messagesPerDay, renderMsPerSecond, counts } = row;
  const reasons = Object.fromEntries(limitsIn(row).map((name) => [name, sourceOf(row.sources, name).reason]));
  return { eventsPerSecond, messagesPerDay, renderMsPerSecond, counts, reasons };
}

function toLimitsDto({ sources, organizationId: _, ...row }: LimitWithUse): LimitsDto {
  const all = limitsIn(row).map((limit) => ({ limit, ...sourceOf(sources, limit) }));
  const newest = all.toSorted((one, other) => (other.setAt ?? '').localeCompare(one.setAt ?? ''));
  const first = newest.find(({ byOperator }) => byOperator) ?? newest[0];
  return {
    ...row,
    setBy: first?.setBy ?? null,
    reason: first?.reason ?? null,
    sources: all.map(({ byOperator: _, ...source }) => source),
  };
}
