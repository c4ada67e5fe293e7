import { Batcher } from '@clarion/claims';
import { type ClaimedStep, untilAvailable } from '@clarion/persistence';
import { type Metrics } from '@clarion/platform';
import { flushDelayMs, GROUP_COMMIT_SIZE } from '../pipeline/group-commit';
import type { HeldSteps } from '../pipeline/held-steps';
import type { StepClaims } from '../ports';
import type { SendPermission } from '../sending/sender';

type SendPermissionParts = {
  claims: Pick<StepClaims, 'markSending'>;
  metrics: Pick<Metrics, 'batch'>;
  pause(milliseconds: number): Promise<unknown>;
};

/** A held step is marked in the database before its first provider call, many in one statement. */
export class SendPermissions {
  private readonly marks = new Batcher<ClaimedStep, boolean>({
    maxItems: GROUP_COMMIT_SIZE,
    maxWaitMs: () => flushDelayMs(this.held.size),
    concurrency: 2,
    run: async (steps) => {
      const fences = await this.parts.claims.markSending(steps);
      this.parts.metrics.batch('mark', steps.length);
      return steps.map((step) => {
        const fence = fences.get(step.id);
        if (fence !== undefined) step.fence = fence;
        return fence !== undefined;
      });
    },
  });

  constructor(
    private readonly held: HeldSteps,
    private readonly parts: SendPermissionParts,
  ) {}

  /** All messages of the step share the permission, and so its mark. */
  forStep(step: ClaimedStep): SendPermission {
    let marked: Promise<boolean> | undefined;
    return {
      mark: async () => this.held.mayBegin(step) && (marked ??= this.mark(step)),
      begin: () => {
        const mayBegin = this.held.mayBegin(step);
        if (mayBegin) this.held.begin(step);
        return mayBegin;
      },
      canWait: () => marked === undefined,
    };
  }

  /** While the database is away, the step keeps its place: no provider was called for it. */
  private mark(step: ClaimedStep): Promise<boolean> {
    const mark = async (): Promise<boolean> => this.held.mayBegin(step) && this.marks.add(step);
    return untilAvailable(mark, this.parts);
  }
}
