import type { StepId } from '@clarion/contracts';
import type { CollectedDigest } from '@clarion/persistence';
import { MemoryBase } from './memory-base';
import { byId, newWork, type StepRow } from './memory-rows';

/** Windows: the open digests with the steps that joined them, and the counters of events. */
export abstract class MemoryWindows extends MemoryBase {
  protected openDigestOf(key: string): StepId | undefined {
    return this.openDigests.get(key);
  }

  closeDigests(steps: { id: StepId; fence: number }[]): void {
    this.version += 1;
    for (const { id, fence } of steps) {
      const row = this.steps.get(id)!;
      if (row.fence === fence && row.state === 'delayed') this.closeWindow(id);
    }
  }

  protected closeWindow(stepId: StepId): void {
    for (const [key, id] of this.openDigests) {
      if (id !== stepId) continue;
      this.openDigests.delete(key);
      this.witness.closed(stepId);
    }
  }

  /** Makes the oldest step that joined a digest its master, after the master failed or was canceled. */
  protected passDigestOn(master: StepRow): void {
    const followers = this.followersOf(master);
    const successor = followers[0];
    if (successor) {
      const fence = this.reopenedFence(successor);
      this.witness.promoted(successor, fence);
      successor.state = 'delayed';
      Object.assign(successor, newWork(this.now), { dueAt: master.dueAt, offeredAt: null, fence });
      successor.digestMasterId = null;
      successor.notification.digestedInto = null;
      for (const step of successor.notification.steps) if (step.position > successor.position) step.state = 'pending';
      for (const follower of followers.slice(1)) {
        follower.digestMasterId = successor.id;
        follower.notification.digestedInto = successor.notification.id;
      }
    }
    for (const [key, stepId] of this.openDigests) {
      if (stepId !== master.id) continue;
      this.witness.closed(master.id);
      if (successor) {
        this.openDigests.set(key, successor.id);
        this.witness.opened(key, successor.id);
      } else this.openDigests.delete(key);
    }
  }

  protected followersOf(master: StepRow): StepRow[] {
    return [...this.steps.values()]
      .filter(({ digestMasterId, state }) => digestMasterId === master.id && state === 'merged')
      .sort(byId);
  }

  digestEvents(ids: StepId[], limit: number): Map<StepId, CollectedDigest> {
    return new Map(
      ids.map((id) => {
        const master = this.steps.get(id)!;
        const members = [master, ...this.followersOf(master)].sort((one, other) =>
          triggerOrder(one) < triggerOrder(other) ? -1 : 1,
        );
        const events = members.slice(0, limit).map((member) => ({
          id: member.id,
          time: new Date(member.createdAt).toISOString(),
          payload: member.notification.trigger.payload,
        }));
        return [id, { events, count: members.length, traces: [] }];
      }),
    );
  }

  protected countEvent(key: string, windowMs: number, sliding: boolean): { events: number; expiresAt: number } {
    const window = this.windows.get(key);
    const ended = !window || window.expiresAt <= this.now;
    const counted = {
      events: ended ? 1 : window.events + 1,
      expiresAt: ended || sliding ? this.now + windowMs : window.expiresAt,
    };
    this.windows.set(key, counted);
    return counted;
  }
}

const triggerOrder = ({ notification, id }: StepRow): string => `${notification.trigger.id} ${id}`;
