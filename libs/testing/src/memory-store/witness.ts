import { LEASE_MS, type StepOutcome } from '@clarion/persistence';
import { isChannelStep, type StepRow } from './memory-rows';
import type { World } from './world';

export type ProviderCall = {
  stepId: string;
  messageId: string;
  account: string;
  at: number;
  /** Whether the recipient received a message through this call. */
  delivered: boolean;
};

type Holder = { isMarked: boolean };

const ENDED: readonly string[] = ['completed', 'failed', 'canceled', 'skipped', 'merged'];

export const hasEnded = ({ state }: StepRow): boolean => ENDED.includes(state);

/**
 * Observes every effect of the store and of the providers, and reports a problem as soon as an effect breaks an
 * invariant. It shares no code with the store, so an error in a rule of the store is not repeated here.
 */
export class Witness {
  readonly problems: string[] = [];
  readonly calls: ProviderCall[] = [];
  /** Claims of a step since its last outcome or release. */
  readonly claims = new Map<string, number>();
  /** Digest steps that took over the window of a digest that ended without collecting. */
  readonly successors = new Set<string>();
  /** Steps that have waited for a retry: channel steps behind them may run meanwhile. */
  private readonly retried = new Set<string>();
  private readonly everClaimed = new Set<string>();
  /** Digest and throttle steps that counted as an event of a window. */
  readonly counted: { step: StepRow; at: number }[] = [];
  /** By step: the claims that hold it. Several can hold it until the first of them writes. */
  private readonly holders = new Map<string, Map<string, Holder>>();
  private readonly leases = new Map<string, number>();
  private readonly highestFence = new Map<string, number>();
  private readonly records = new Set<string>();
  private readonly open = new Map<string, Set<string>>();
  /** When a delayed step may complete. */
  private readonly delayedUntil = new Map<string, number>();

  constructor(private readonly world: World) {}

  problem(text: string): void {
    this.problems.push(text);
    this.world.log(() => `PROBLEM: ${text}`);
  }

  /** `raced`: the claim overlapped in time with another one and did not see it. */
  claimed(step: StepRow, claimId: string, raced: boolean): void {
    const { now } = this.world;
    const holders = this.holders.get(step.id) ?? new Map<string, Holder>();
    if (!raced && [...holders.keys()].some((id) => this.isAlive(id))) {
      this.problem(`${step.id} was claimed while its lease was held`);
    }
    if ([...holders.values()].some(({ isMarked }) => isMarked) && raced) {
      this.problem(`${step.id} was claimed although another claim had marked it`);
    }
    if (step.dueAt > now) this.problem(`${step.id} (${step.type}) was claimed ${step.dueAt - now} ms early`);
    if (hasEnded(step)) this.problem(`${step.id} was claimed after it had ended`);
    for (const before of step.notification.steps) {
      const isBeside = isChannelStep(step) && isChannelStep(before) && this.retried.has(before.id);
      if (before.position < step.position && !hasEnded(before) && !isBeside) {
        this.problem(`${step.id} was claimed while the step before it was ${before.state}`);
      }
    }
    this.everClaimed.add(step.id);
    this.holders.set(step.id, holders.set(claimId, { isMarked: false }));
    this.leases.set(claimId, now + LEASE_MS);
    this.highestFence.set(step.id, Math.max(this.highestFence.get(step.id) ?? 0, step.fence));
    this.claims.set(step.id, (this.claims.get(step.id) ?? 0) + 1);
  }

  private isAlive(claimId: string): boolean {
    return this.leases.get(claimId)! > this.world.now;
  }

  renewed(claimId: string): void {
    this.leases.set(claimId, this.world.now + LEASE_MS);
  }

  /** The mark of a provider call: from now on this claim alone holds the step. */
  marked({ id }: StepRow, claimId: string): void {
    if (!this.holders.get(id)?.has(claimId)) this.problem(`${id} was marked by a claim that does not hold it`);
    this.holders.set(id, new Map([[claimId, { isMarked: true }]]));
  }

  /** The process ends its claim. Claims that did not mark a step may have lost it to another one. */
  ended(claimId: string): void {
    for (const [id, holders] of this.holders) {
      if (holders.get(claimId)?.isMarked) this.problem(`the claim of ${id} ended while the step was in flight`);
      holders.delete(claimId);
    }
  }

  /** The lease of a claim ended, and the crash of its process is counted. */
  lapsed(claimId: string): void {
    if (this.leases.has(claimId) && this.isAlive(claimId)) this.problem(`${claimId} lapsed before its lease ended`);
  }

  crashed({ id }: StepRow): void {
    this.holders.delete(id);
  }

  released({ id }: StepRow): void {
    this.holders.delete(id);
    this.claims.set(id, (this.claims.get(id) ?? 1) - 1);
  }

  recorded(step: StepRow, { fence, state, details, dueAt }: StepOutcome): void {
    if (state === 'queued') this.retried.add(step.id);
    const { now } = this.world;
    this.endClaim(step, fence);
    if (details.length === 0) this.problem(`${step.id} became ${state} without an execution detail`);
    if (step.type === 'throttle') this.counted.push({ step, at: now });
    if (step.type === 'digest' && state === 'skipped') this.counted.push({ step, at: now });
    if (state === 'delayed') this.delayedUntil.set(step.id, Date.parse(dueAt!));
    const due = this.delayedUntil.get(step.id);
    if (state === 'completed' && due !== undefined && now < due)
      this.problem(`${step.id} completed ${due - now} ms early`);
    const quarantined = details.some(({ detail }) => detail.includes('quarantined'));
    if (quarantined && this.claims.get(step.id)! <= 3) this.problem(`${step.id} was quarantined too soon`);
    this.claims.delete(step.id);
  }

  /** A digest step that opened a window or joined one. */
  joined(step: StepRow, fence: number, masterId: string | undefined): void {
    this.endClaim(step, fence);
    this.claims.delete(step.id);
    this.counted.push({ step, at: this.world.now });
    if (masterId !== undefined && !this.isOpen(masterId))
      this.problem(`${step.id} joined ${masterId}, which is closed`);
  }

  private endClaim(step: StepRow, fence: number): void {
    const name = `${step.id} ${fence}`;
    if (this.records.has(name)) this.problem(`${step.id} was recorded twice with fence ${fence}`);
    this.records.add(name);
    if (hasEnded(step)) this.problem(`${step.id} was recorded after it was ${step.state}`);
    if (fence !== step.fence) this.problem(`${step.id} was recorded by a former holder`);
    this.holders.delete(step.id);
  }

  opened(key: string, stepId: string): void {
    const open = this.open.get(key) ?? new Set();
    open.add(stepId);
    this.open.set(key, open);
    if (open.size > 1) this.problem(`${open.size} digests are open for ${key}`);
  }

  closed(stepId: string): void {
    for (const open of this.open.values()) open.delete(stepId);
  }

  canceled({ id }: StepRow): void {
    this.holders.delete(id);
  }

  /** A merged step became the master of the digest that it had joined. It will be recorded a second time. */
  promoted({ id }: StepRow, fence: number): void {
    if (fence <= this.highestFence.get(id)!) this.problem(`${id} was opened again with a fence of its first run`);
    this.successors.add(id);
  }

  sent(call: ProviderCall): void {
    this.calls.push(call);
  }

  hasRun(stepId: string): boolean {
    return this.everClaimed.has(stepId);
  }

  isOpen(stepId: string): boolean {
    return [...this.open.values()].some((open) => open.has(stepId));
  }
}
