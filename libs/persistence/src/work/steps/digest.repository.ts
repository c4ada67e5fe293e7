import { EXECUTION_DETAILS, groupBy, type StepId } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import { textOf } from '../../history/detail-text';
import { CLOSE_DIGESTS, COLLECT_DIGESTS, OPEN_OR_JOIN_DIGESTS } from './digest.sql';
import { StepOutcomeRepository } from './step-outcome.repository';
import type {
  CollectedDigest,
  DigestEvent,
  DigestLimits,
  DigestRequest,
  DigestResult,
  HeldStep,
  QueuedStep,
  Recorded,
} from './step-rows';
import { countEvents, lockHeldSteps, nameOfWindow } from './step-windows';

/** Windows that one statement measures: even if all of them are full, it takes a fraction of a second. */
const WINDOWS_AT_ONCE = 50;

/** Another engine has ended the step. */
const NOT_FOUND = { events: null, count: 0, traceparents: null, isRead: true };

const { stepDigested, digestMerged, digestSkipped } = EXECUTION_DETAILS;

/** The windows of digest steps: which step opened one, which steps joined it, and what it collected. */
export class DigestRepository extends Repository {
  private readonly outcomes = new StepOutcomeRepository(this.database);

  /**
   * Each request opens the window of its key or joins the open one. The primary key of `open_digest` allows one window
   * for a key, even if many requests run at once. Its row stays locked until the members are written, and closing a
   * window deletes the row: a step is either a member of the window, or it finds the window closed and opens the next
   * one.
   */
  join(requests: DigestRequest[]): Promise<{ verdicts: Map<StepId, DigestResult>; queued: QueuedStep[] }> {
    return this.database.transaction(async () => {
      const held = await lockHeldSteps(this.database, requests);
      const firstIds = await this.firstInLookBack(held.filter(({ lookBackMs }) => lookBackMs !== undefined));
      const verdicts = new Map<StepId, DigestResult>(requests.map(({ id }) => [id, 'lost']));
      for (const { id, opened } of await this.openOrJoin(held.filter(({ id }) => !firstIds.has(id)))) {
        verdicts.set(id, opened ? 'opened' : 'joined');
      }
      const skipped = await this.skip(held.filter(({ id }) => firstIds.has(id)));
      for (const id of skipped.held) verdicts.set(id, 'first');
      return { verdicts, queued: skipped.queued };
    });
  }

  /** A separate statement before the members are read, so that the read sees every step that joined. */
  async close(steps: HeldStep[]): Promise<void> {
    await this.database.query(CLOSE_DIGESTS, [steps.map(({ id }) => id), steps.map(({ fence }) => fence)]);
  }

  /**
   * The trigger payloads of the step that opened each window and of the steps that joined, in the order of the
   * triggers. Reads at least one of the windows, and as many more as the limit of bytes allows: the caller asks again
   * for the windows that are not in the answer.
   */
  async collect(stepIds: StepId[], { events: most, bytes }: DigestLimits): Promise<Map<StepId, CollectedDigest>> {
    const asked = stepIds.slice(0, WINDOWS_AT_ONCE);
    const rows = await this.database.query<{
      master: StepId;
      events: DigestEvent[] | null;
      count: number;
      traceparents: string[] | null;
      isRead: boolean;
    }>(COLLECT_DIGESTS, [asked, most, bytes]);
    const found = new Map(rows.map((row) => [row.master, row]));
    return new Map(
      asked.flatMap((id) => {
        const { events, count, traceparents, isRead } = found.get(id) ?? NOT_FOUND;
        const traces = (traceparents ?? []).map((traceparent) => ({ traceparent }));
        return isRead ? [[id, { events: events ?? [], count, traces }]] : [];
      }),
    );
  }

  /** Of the requests with a look-back window, the ones without an earlier event of their key in it. */
  private async firstInLookBack(requests: DigestRequest[]): Promise<Set<StepId>> {
    const grouped = groupBy(requests, (request) => nameOfWindow({ ...request, windowKey: request.digestKey }));
    const counted = await countEvents(
      this.database,
      [...grouped.values()].map((group) => ({
        ...group[0]!,
        windowKey: group[0]!.digestKey,
        windowMs: group[0]!.lookBackMs!,
        events: group.length,
      })),
      true,
    );
    const firstIds = new Set<StepId>();
    for (const window of counted) {
      const group = grouped.get(nameOfWindow(window))!;
      if (window.events === group.length) firstIds.add(group[0]!.id);
    }
    return firstIds;
  }

  private async openOrJoin(requests: DigestRequest[]): Promise<{ id: StepId; opened: boolean }[]> {
    if (requests.length === 0) return [];
    return this.database.query(OPEN_OR_JOIN_DIGESTS, [
      JSON.stringify(requests),
      ...textOf(stepDigested),
      ...textOf(digestMerged),
    ]);
  }

  private skip(requests: DigestRequest[]): Promise<Recorded> {
    const { status, detail } = digestSkipped;
    return this.outcomes.record(
      requests.map(({ id, fence, digest }) => ({
        id,
        fence,
        state: 'skipped',
        digest,
        then: 'advance',
        details: [{ status, detail }],
      })),
    );
  }
}
