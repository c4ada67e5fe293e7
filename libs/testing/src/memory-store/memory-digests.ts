import type { StepId } from '@clarion/contracts/core';
import type { DigestRequest, DigestResult, QueuedStep, ThrottleRequest, ThrottleResult } from '@clarion/persistence';
import { MemoryOutcomes } from './memory-outcomes';
import { byId, windowKeyOf, type StepRow } from './memory-rows';

/** Digest steps that open a window, join one or are skipped, and throttle steps. */
export abstract class MemoryDigests extends MemoryOutcomes {
  joinDigests(requests: DigestRequest[]): { verdicts: Map<StepId, DigestResult>; queued: QueuedStep[] } {
    this.version += 1;
    const verdicts = new Map<StepId, DigestResult>();
    const queued: QueuedStep[] = [];
    const valid = requests.filter((request) => this.isHeldAndQueued(request));
    const first = this.firstOfLookBack(valid.filter(({ lookBackMs }) => lookBackMs !== undefined));
    for (const request of valid.filter(({ id }) => !first.has(id)).sort(byId)) {
      const row = this.steps.get(request.id)!;
      if (!this.holds(row, request.fence) || row.state !== 'queued') continue;
      verdicts.set(row.id, this.openOrJoin(row, request));
    }
    const { held, queued: next } = this.record(
      valid
        .filter(({ id }) => first.has(id))
        .map(({ id, fence, digest }) => ({
          id,
          fence,
          state: 'skipped',
          digest,
          then: 'advance',
          details: [{ status: 'Success', detail: 'Digest was skipped, first backoff event' }],
        })),
    );
    queued.push(...next);
    for (const id of held) verdicts.set(id, 'first');
    for (const { id } of requests) if (!verdicts.has(id)) verdicts.set(id, 'lost');
    return { verdicts, queued };
  }

  /** Only a step that its claimant still holds counts as an event. */
  protected isHeldAndQueued({ id, fence }: { id: StepId; fence: number }): boolean {
    const row = this.steps.get(id)!;
    return this.holds(row, fence) && row.state === 'queued';
  }

  private firstOfLookBack(requests: DigestRequest[]): Set<StepId> {
    const first = new Set<StepId>();
    for (const request of requests) {
      const events = this.countEvent(
        `${windowKeyOf(request, request.digestKey)} before`,
        request.lookBackMs!,
        true,
      ).events;
      if (events === 1) first.add(request.id);
    }
    return first;
  }

  private openOrJoin(row: StepRow, request: DigestRequest): DigestResult {
    const key = windowKeyOf(request, request.digestKey);
    const masterId = this.openDigestOf(key);
    this.witness.joined(row, request.fence, masterId);
    row.attempt = 0;
    row.crashCount = 0;
    row.digest = request.digest;
    row.digestKey = key;
    this.unclaim(row);
    if (masterId === undefined) {
      this.openDigests.set(key, row.id);
      this.witness.opened(key, row.id);
      row.state = 'delayed';
      row.dueAt = Date.parse(request.dueAt);
      this.addDetail(row, 'Pending', 'Step digested', JSON.stringify({ untilDate: request.dueAt }));
      return 'opened';
    }
    row.state = 'merged';
    row.digestMasterId = masterId;
    row.notification.digestedInto = this.steps.get(masterId)!.notification.id;
    for (const step of row.notification.steps) {
      if (step.position > row.position && step.state === 'pending') step.state = 'merged';
    }
    this.addDetail(row, 'Success', 'Digest was merged with other digest');
    return 'joined';
  }

  throttle(requests: ThrottleRequest[]): { verdicts: ThrottleResult[]; queued: QueuedStep[] } {
    this.version += 1;
    const verdicts = requests
      .filter((request) => this.isHeldAndQueued(request))
      .map((request) => {
        const { events, expiresAt } = this.countEvent(windowKeyOf(request, request.windowKey), request.windowMs, false);
        return { id: request.id, throttled: events > request.threshold, events, until: new Date(expiresAt) };
      });
    const byRequest = new Map(requests.map((request) => [request.id, request]));
    const { held, queued } = this.record(
      verdicts.map(({ id, throttled }) => {
        const { fence } = byRequest.get(id)!;
        const detail = throttled ? 'Throttle limit exceeded for the given window' : 'Step completed';
        return {
          id,
          fence,
          state: throttled ? 'skipped' : 'completed',
          then: throttled ? 'skip' : 'advance',
          details: [{ status: 'Success', detail }],
        };
      }),
    );
    return { verdicts: verdicts.filter(({ id }) => held.has(id)), queued };
  }
}
