import type { HoldTarget } from '@clarion/contracts';
import type { Hold, HoldRepository } from '@clarion/persistence';
import type { AuditActor, EnvironmentRef } from '../audit-log/audit-log';
import { isOperator, onlyOperator, OPERATOR } from './operator';

/** `operator`, the name of the key, or the setting of the environment. */
export const setByOf = ({ byOperator, heldBy }: Hold): string => (byOperator ? OPERATOR : heldBy);

export const heldByOperator = ({ target, targetName, reason }: Hold): Error =>
  onlyOperator(`The ${target} "${targetName}" is held`, reason);

/** A tenant must not delete what the operator holds: its messages would go on. */
export async function resumeDeleted(
  holds: HoldRepository,
  actor: AuditActor,
  { environmentId }: EnvironmentRef,
  target: HoldTarget,
  targetIds: string[],
): Promise<void> {
  const kept = await holds.resumeTargets(environmentId, target, targetIds, isOperator(actor));
  if (kept) throw heldByOperator(kept);
}
