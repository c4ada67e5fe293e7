import { STEP_LEASE_MS, type StepOutcome } from '@clarion/persistence';
import type { StepRow } from './memory-rows';
import type { World } from './world';

export type ProviderCall = {
  stepId: string;
  messageId: string;
  account: string;
  at: number;
  /** Whether the recipient received a message through this call. */
  delivered: boolean;
};

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
  private readonly everClaimed = new Set<string>();
  /** Digest and throttle steps that counted as an event of a window. */
  readonly counted: { step: StepRow; at: number }[] = [];
  private readonly holders = new Map<string, { fence: number; until: number }>();
  private readonly records = new Set<string>();
  private readonly open = new Map<string, Set<string>>();
  /** When a delayed step may complete. */
  private readonly delayedUntil = new Map<string, number>();

  constructor(private readonly world: World) {}

  problem(text: string): void {
    this.problems.push(text);
    this.world.log(() => `PROBLEM: ${text}`);
  }

  claimed(step: StepRow): void {
    const { now } = this.world;
    const holder = this.holders.get(step.id);
    if (holder && holder.until > now) this.problem(`${step.id} was claimed while its lease was held`);
    if (step.dueAt! > now) this.problem(`${step.id} (${step.type}) was claimed ${step.dueAt! - now} ms early`);
    if (hasEnded(step)) this.problem(`${step.id} was claimed after it had ended`);
    for (const before of step.notification.steps) {
      if (before.position < step.position && !hasEnded(before)) {
        this.problem(`${step.id} was claimed while the step before it was ${before.state}`);
      }
    }
    this.everClaimed.add(step.id);
    this.holders.set(step.id, { fence: step.fence + 1, until: now + STEP_LEASE_MS });
    this.claims.set(step.id, (this.claims.get(step.id) ?? 0) + 1);
  }

  extended({ id }: StepRow, fence: number): void {
    const holder = this.holders.get(id);
    if (holder?.fence !== fence) this.problem(`${id} was extended with a fence that does not hold it`);
    else holder.until = this.world.now + STEP_LEASE_MS;
  }

  released({ id }: StepRow): void {
    this.holders.delete(id);
    this.claims.set(id, (this.claims.get(id) ?? 1) - 1);
  }

  recorded(step: StepRow, { fence, state, details, dueAt }: StepOutcome): void {
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
  promoted({ id, fence }: StepRow): void {
    this.records.delete(`${id} ${fence}`);
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
