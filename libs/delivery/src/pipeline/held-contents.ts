import {
  type EnvironmentId,
  type OrganizationOf,
  type StepId,
  TENANT_LIMITS,
  TenantCounts,
} from '@clarion/contracts/core';
import type { ClaimedStep } from '@clarion/persistence';

const SHARE = TENANT_LIMITS.heldContents();

/** What held steps keep in memory, one content each: their workflows, or their messages. Tenants have shares of it. */
export class HeldContents {
  private readonly counts = new TenantCounts(() => SHARE, this.organizationOf);
  private readonly ofStep = new Map<StepId, object>();
  /** Steps of one workflow share it. */
  private readonly kept = new Map<object, { steps: number; giveBack(): void }>();

  constructor(private readonly organizationOf: OrganizationOf) {}

  /** One content alone has room, however large it is. */
  hasRoom(environmentId: EnvironmentId): boolean {
    return this.counts.fullLevel(environmentId) === undefined;
  }

  keep({ id, environmentId }: ClaimedStep, content: object, bytes: number): void {
    this.drop(id);
    this.ofStep.set(id, content);
    const kept = this.kept.get(content);
    if (kept) kept.steps += 1;
    else this.kept.set(content, { steps: 1, giveBack: this.counts.take(environmentId, bytes) });
  }

  drop(stepId: StepId): void {
    const content = this.ofStep.get(stepId);
    if (!content) return;
    this.ofStep.delete(stepId);
    const kept = this.kept.get(content)!;
    kept.steps -= 1;
    if (kept.steps > 0) return;
    this.kept.delete(content);
    kept.giveBack();
  }
}
