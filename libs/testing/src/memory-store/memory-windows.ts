import type { StepId } from '@clarion/contracts/core';
import type { CollectedDigest, DigestEvent, DigestLimits } from '@clarion/persistence';
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
      this.addDetail(successor, 'Pending', 'Step digested: it took over the digest whose first event has ended');
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

  digestEvents(ids: StepId[], limits: DigestLimits): Map<StepId, CollectedDigest> {
    const read = new Map<StepId, CollectedDigest>();
    let bytes = 0;
    for (const id of ids) {
      if (bytes >= limits.bytes) break;
      const master = this.steps.get(id)!;
      const members = [master, ...this.followersOf(master)].sort((one, other) =>
        triggerOrder(one) < triggerOrder(other) ? -1 : 1,
      );
      let own = 0;
      const events: DigestEvent[] = [];
      for (const { id: eventId, createdAt, notification } of members.slice(0, limits.events)) {
        const { payload } = notification.trigger;
        const size = JSON.stringify(payload).length;
        if (own + size > limits.bytes && events.length > 0) break;
        own += size;
        events.push({ id: eventId, time: new Date(createdAt).toISOString(), payload });
      }
      bytes += own;
      read.set(id, { events, count: members.length, traces: [] });
    }
    return read;
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
