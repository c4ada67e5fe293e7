import { type DomainError, LIMIT_NAMES, type LimitName } from '@clarion/contracts';
import type { LimitSource, LimitSources, LimitValues, LimitWithUse } from '@clarion/persistence';
import { onlyOperator, OPERATOR } from '../auth/operator';

type Source = Omit<LimitSource, 'setAt'> & { setAt: string | null };

/** Of a limit that was set before sources were recorded. */
const UNKNOWN: Source = { setBy: OPERATOR, byOperator: true, reason: null, setAt: null };

export const sourceOf = (sources: LimitSources, name: LimitName): Source => sources[name] ?? UNKNOWN;

/** The limits that are set. */
export const limitsIn = (row: LimitValues): LimitName[] => LIMIT_NAMES.filter((name) => row[name] !== null);

/** Refuses a change of the limit by a tenant, if the operator set it. */
export function refusalOf(row: LimitWithUse, name: LimitName): DomainError | undefined {
  const { byOperator, reason } = sourceOf(row.sources, name);
  if (row[name] === null || !byOperator) return undefined;
  return onlyOperator(`The limit ${name} of the environment "${row.environment}" was set`, reason);
}
