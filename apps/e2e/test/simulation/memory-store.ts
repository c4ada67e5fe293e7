import {
  type Channel,
  CHANNELS,
  groupBy,
  type EnvironmentId,
  type IntegrationHealth,
  type JsonObject,
  type NotificationId,
  type StepId,
  type StepStatus,
  type StepType,
  type SubscriberRowId,
  type TriggerId,
} from '@clarion/contracts';
import {
  type ClaimedStep,
  type ClaimedTrigger,
  type CollectedDigest,
  type DigestRequest,
  type DigestVerdict,
  type FanOutCursor,
  type FanOutPage,
  type Integration,
  type MemberPage,
  type NewDetail,
  type NewMessage,
  type OfferedStep,
  type OfferedTrigger,
  type QueuedStep,
  type Recipient,
  type RecipientInput,
  type Recorded,
  OFFER_AGAIN_MS,
  OFFER_MS,
  SMALLEST_SHARE,
  STEP_LEASE_MS,
  TRIGGER_LEASE_MS,
  TRIGGER_OFFER_MS,
  type StepOutcome,
  type StepWarning,
  type ThrottleRequest,
  type ThrottleVerdict,
} from '@clarion/persistence';
import type { Witness } from './witness';
import type { World } from './world';

export const ENVIRONMENT = 'environment' as EnvironmentId;

/** Small, so that walks over a handful of members have pages. */
const PAGE = 2;
const ENGINE_TYPES: readonly StepType[] = ['digest', 'delay', 'throttle', 'custom'];

export type TriggerRow = {
  id: TriggerId;
  transactionId: string;
  workflowId: string;
  recipients: JsonObject[];
  payload: JsonObject;
  context: JsonObject | null;
  state: 'accepted' | 'running' | 'done' | 'canceled' | 'failed';
  cursor: FanOutCursor | null;
  fence: number;
  crashCount: number;
  leaseUntil: number | null;
  offeredUntil: number | null;
  createdAt: number;
  error: string | null;
};

export type NotificationRow = {
  id: NotificationId;
  trigger: TriggerRow;
  subscriberId: string;
  digestedInto: string | null;
  /** In their order. */
  steps: StepRow[];
};

export type DetailRow = { status: NewDetail['status']; detail: string; isRetry: boolean; raw?: string; at: number };

export type StepRow = {
  id: StepId;
  notification: NotificationRow;
  position: number;
  stepKey: string;
  type: StepType;
  state: StepStatus;
  nextStepId: StepId | null;
  dueAt: number | null;
  offeredUntil: number | null;
  leaseUntil: number | null;
  sendingSince: number | null;
  fence: number;
  attempt: number;
  crashCount: number;
  integrationId: string | null;
  digestMasterId: StepId | null;
  digestKey: string | null;
  digest: JsonObject | null;
  output: JsonObject | null;
  error: JsonObject | null;
  scheduleExtensionsCount: number | null;
  details: DetailRow[];
  messages: Map<string, NewMessage>;
  createdAt: number;
};

export type Subscription = { topicKey: string; subscriberId: string };

/**
 * The rules of the repositories, on plain rows in memory. Every method happens in one instant, as a statement or a
 * transaction does. What a rule allows is told to the witness, who judges by rules of its own.
 */
export class MemoryStore {
  readonly triggers = new Map<TriggerId, TriggerRow>();
  readonly notifications = new Map<NotificationId, NotificationRow>();
  readonly steps = new Map<StepId, StepRow>();
  readonly openDigests = new Map<string, StepId>();
  readonly windows = new Map<string, { events: number; expiresAt: number }>();
  /** Goes up with every write. */
  version = 0;
  private integrationStamp = 0;

  constructor(
    protected readonly world: World,
    protected readonly witness: Witness,
    readonly subscriberIds: string[],
    private readonly subscriptions: Subscription[],
    readonly integrations: Integration[],
  ) {}

  protected get now(): number {
    return this.world.now;
  }

  // ------------------------------------------------------------------------------------------------------- triggers

  accept(
    trigger: Pick<TriggerRow, 'id' | 'transactionId' | 'workflowId' | 'recipients' | 'payload' | 'context'>,
  ): void {
    this.version += 1;
    this.triggers.set(trigger.id, {
      ...trigger,
      state: 'accepted',
      cursor: null,
      fence: 0,
      crashCount: 0,
      leaseUntil: null,
      offeredUntil: null,
      createdAt: this.now,
      error: null,
    });
  }

  claimTriggers(ids: TriggerId[], alone = false): ClaimedTrigger[] {
    this.version += 1;
    return this.inOrder(this.triggers, ids)
      .filter((row) => isOpenTrigger(row) && this.isFree(row) && (alone || this.mayRunWithOthers(row)))
      .map((row) => {
        row.fence += 1;
        row.crashCount += 1;
        row.leaseUntil = this.now + TRIGGER_LEASE_MS;
        return {
          id: row.id,
          environmentId: ENVIRONMENT,
          transactionId: row.transactionId,
          workflowId: row.workflowId,
          workflowVersion: 1,
          workflowUpdatedAt: new Date(0),
          recipients: row.recipients,
          payload: row.payload,
          overrides: null,
          actor: null,
          tenant: null,
          context: row.context,
          cursor: row.cursor,
          fence: row.fence,
          crashCount: row.crashCount,
          createdAt: new Date(row.createdAt),
          trace: null,
        };
      });
  }

  suspectTriggers(ids: TriggerId[]): TriggerId[] {
    return this.inOrder(this.triggers, ids)
      .filter((row) => isOpenTrigger(row) && this.isFree(row) && row.crashCount > 0)
      .map(({ id }) => id);
  }

  resolve(inputs: RecipientInput[]): Recipient[] {
    return inputs.map(({ environmentId, subscriberId }) => ({
      environmentId,
      subscriberId,
      id: subscriberId as SubscriberRowId,
      avatar: null,
    }));
  }

  topicMembers(topicKeys: string[], cursor: FanOutCursor | null, leftOut: string[]): MemberPage {
    const topics = new Map<string, string[]>();
    for (const { topicKey, subscriberId } of this.subscriptions) {
      if (topicKeys.includes(topicKey)) topics.set(subscriberId, [...(topics.get(subscriberId) ?? []), topicKey]);
    }
    return this.page([...topics.keys()].sort(), cursor, leftOut, (id) =>
      topics.get(id)!.map((topicKey) => ({ _topicId: topicKey, topicKey })),
    );
  }

  subscribers(cursor: FanOutCursor | null, leftOut: string[]): MemberPage {
    return this.page(this.subscriberIds, cursor, leftOut, () => []);
  }

  private page(
    ids: string[],
    cursor: FanOutCursor | null,
    leftOut: string[],
    topicsOf: (id: string) => { _topicId: string; topicKey: string }[],
  ): MemberPage {
    const page = ids.filter((id) => !cursor || id > cursor.after).slice(0, PAGE);
    return {
      members: page
        .filter((id) => !leftOut.includes(id))
        .map((id) => ({ id: id as SubscriberRowId, subscriberId: id, topics: topicsOf(id), preferences: [] })),
      cursor: page.length === PAGE ? { after: page.at(-1)! } : null,
    };
  }

  commit(page: FanOutPage): Set<string> {
    this.version += 1;
    const held = new Set<string>();
    for (const { id, fence, state, cursor, error } of page.triggers) {
      const row = this.triggers.get(id)!;
      if (!this.holds(row, fence) || !isOpenTrigger(row)) continue;
      held.add(id);
      this.saveProgress(row, cursor ?? null);
      row.state = state;
      row.error = error ?? null;
      row.crashCount = 0;
      row.leaseUntil = state === 'running' ? this.now + TRIGGER_LEASE_MS : null;
    }
    for (const { id, triggerId, subscriberId } of page.notifications) {
      if (!held.has(triggerId)) continue;
      const trigger = this.triggers.get(triggerId)!;
      this.notifications.set(id, { id, trigger, subscriberId, digestedInto: null, steps: [] });
    }
    for (const step of page.steps) {
      if (!held.has(step.triggerId)) continue;
      const queued = step.state === 'queued';
      const row: StepRow = {
        id: step.id,
        notification: this.notifications.get(step.notificationId)!,
        position: step.position,
        stepKey: step.stepKey,
        type: step.type,
        state: step.state,
        nextStepId: step.nextStepId ?? null,
        dueAt: queued ? this.now : null,
        offeredUntil: queued ? this.now + OFFER_MS : null,
        leaseUntil: null,
        sendingSince: null,
        fence: 0,
        attempt: 0,
        crashCount: 0,
        integrationId: null,
        digestMasterId: null,
        digestKey: null,
        digest: null,
        output: null,
        error: null,
        scheduleExtensionsCount: null,
        details: [],
        messages: new Map(),
        createdAt: this.now,
      };
      this.steps.set(row.id, row);
      row.notification.steps.push(row);
      if (step.detailId) this.write(row, 'Pending', 'Step queued');
    }
    return held;
  }

  protected saveProgress(row: TriggerRow, cursor: FanOutCursor | null): void {
    row.cursor = cursor;
  }

  warn(warnings: StepWarning[], detail: string): void {
    for (const { stepId, raw } of warnings) this.write(this.steps.get(stepId)!, 'Warning', detail, raw);
  }

  releaseTriggers(triggers: { id: TriggerId; fence: number }[]): void {
    this.version += 1;
    for (const { id, fence } of triggers) {
      const row = this.triggers.get(id)!;
      if (!this.holds(row, fence)) continue;
      row.leaseUntil = null;
      row.offeredUntil = null;
      row.crashCount = Math.max(row.crashCount - 1, 0);
    }
  }

  /**
   * As the gateway does it: what waits is canceled, and a digest that others have joined goes on with the oldest of
   * them.
   */
  cancel(transactionId: string): void {
    this.version += 1;
    for (const row of this.triggers.values()) {
      if (row.transactionId === transactionId && isOpenTrigger(row)) row.state = 'canceled';
    }
    const canceled: StepRow[] = [];
    for (const { trigger, steps } of this.notifications.values()) {
      if (trigger.transactionId !== transactionId) continue;
      if (!steps.some(({ state }) => state === 'delayed' || state === 'merged')) continue;
      for (const step of steps) {
        if (step.state !== 'delayed' && step.state !== 'merged' && step.state !== 'pending') continue;
        step.state = 'canceled';
        this.write(step, 'Warning', 'Step was canceled by request');
        this.witness.canceled(step);
        canceled.push(step);
      }
    }
    for (const step of canceled) if (step.type === 'digest') this.passDigestOn(step);
  }

  protected passDigestOn(master: StepRow): void {
    const followers = this.followersOf(master);
    const heir = followers[0];
    if (heir) {
      heir.state = 'delayed';
      heir.dueAt = master.dueAt;
      heir.digestMasterId = null;
      heir.notification.digestedInto = null;
      for (const step of heir.notification.steps) if (step.position > heir.position) step.state = 'pending';
      for (const follower of followers.slice(1)) {
        follower.digestMasterId = heir.id;
        follower.notification.digestedInto = heir.notification.id;
      }
      this.witness.inherited(heir);
    }
    for (const [key, stepId] of this.openDigests) {
      if (stepId !== master.id) continue;
      this.witness.closed(master.id);
      if (heir) {
        this.openDigests.set(key, heir.id);
        this.witness.opened(key, heir.id);
      } else this.openDigests.delete(key);
    }
  }

  protected followersOf(master: StepRow): StepRow[] {
    return [...this.steps.values()]
      .filter(({ digestMasterId, state }) => digestMasterId === master.id && state === 'merged')
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  // ---------------------------------------------------------------------------------------------------------- steps

  claimChannel(channel: Channel, ids: StepId[], alone = false): ClaimedStep[] {
    return this.claim(ids, alone, ({ state, type }) => state === 'queued' && type === channel);
  }

  claimTimers(ids: StepId[], alone = false): ClaimedStep[] {
    return this.claim(
      ids,
      alone,
      ({ state, type }) => (state === 'queued' || state === 'delayed') && ENGINE_TYPES.includes(type),
    );
  }

  private claim(ids: StepId[], alone: boolean, condition: (row: StepRow) => boolean): ClaimedStep[] {
    this.version += 1;
    return this.inOrder(this.steps, ids)
      .filter((row) => condition(row) && this.isDue(row) && this.isFree(row) && (alone || this.mayRunWithOthers(row)))
      .map((row) => {
        this.witness.claimed(row);
        const inDoubt = this.isInDoubt(row);
        row.fence += 1;
        row.attempt += 1;
        this.countClaim(row);
        row.leaseUntil = this.now + STEP_LEASE_MS;
        return this.toClaimed(row, inDoubt);
      });
  }

  suspectSteps(ids: StepId[]): StepId[] {
    return this.inOrder(this.steps, ids)
      .filter((row) => isOpen(row) && this.isDue(row) && this.isFree(row) && row.crashCount > 0)
      .map(({ id }) => id);
  }

  /** Whose last holder died is claimed alone. */
  protected mayRunWithOthers({ crashCount }: { crashCount: number }): boolean {
    return crashCount === 0;
  }

  protected countClaim(row: StepRow): void {
    row.crashCount += 1;
  }

  protected isInDoubt(row: StepRow): boolean {
    return row.sendingSince !== null;
  }

  protected isDue(row: StepRow): boolean {
    return row.dueAt! <= this.now;
  }

  protected isFree(row: { leaseUntil: number | null }): boolean {
    return row.leaseUntil === null || row.leaseUntil <= this.now;
  }

  protected holds(row: { fence: number }, fence: number): boolean {
    return row.fence === fence;
  }

  private toClaimed(row: StepRow, inDoubt: boolean): ClaimedStep {
    const { notification } = row;
    const before = notification.steps.filter(({ position, output }) => position < row.position && output !== null);
    return {
      id: row.id as StepId,
      environmentId: ENVIRONMENT,
      notificationId: notification.id as NotificationId,
      transactionId: notification.trigger.transactionId,
      position: row.position,
      stepKey: row.stepKey,
      type: row.type,
      state: row.state as ClaimedStep['state'],
      nextStepId: row.nextStepId,
      overrides: null,
      digest: row.digest,
      error: row.error,
      integrationId: row.integrationId,
      scheduleExtensionsCount: row.scheduleExtensionsCount,
      attempt: row.attempt,
      fence: row.fence,
      crashCount: row.crashCount,
      inDoubt,
      now: new Date(this.now),
      waitedMs: this.now - row.dueAt!,
      notification: {
        triggerId: notification.trigger.id as TriggerId,
        workflowId: notification.trigger.workflowId,
        workflowVersion: 1,
        payload: notification.trigger.payload,
        overrides: null,
        actor: null,
        tenant: null,
        severity: 'none',
        critical: false,
        contextKeys: null,
        tags: [],
        trace: null,
      },
      subscriber: {
        ...NOBODY,
        id: notification.subscriberId as SubscriberRowId,
        subscriberId: notification.subscriberId,
      },
      preferences: [],
      endpoints: [],
      outputs: before.length > 0 ? Object.fromEntries(before.map(({ stepKey, output }) => [stepKey, output!])) : null,
      workflowUpdatedAt: new Date(0),
      settingsStamp: String(this.integrationStamp),
      hasSuppressions: false,
    };
  }

  markSending(steps: { id: StepId; fence: number }[]): Set<StepId> {
    this.version += 1;
    return this.extend(steps, (row) => {
      if (row.state !== 'queued') return false;
      row.sendingSince = this.now;
      return true;
    });
  }

  renew(steps: { id: StepId; fence: number }[]): Set<StepId> {
    this.version += 1;
    return this.extend(steps, isOpen);
  }

  private extend(steps: { id: StepId; fence: number }[], allows: (row: StepRow) => boolean): Set<StepId> {
    const ours = new Set<StepId>();
    for (const { id, fence } of steps) {
      const row = this.steps.get(id)!;
      if (!this.holds(row, fence) || !this.isClaimed(row) || !allows(row)) continue;
      row.leaseUntil = this.now + STEP_LEASE_MS;
      this.witness.extended(row, fence);
      ours.add(id);
    }
    return ours;
  }

  /** Neither recorded nor given back since. */
  protected isClaimed({ leaseUntil }: StepRow): boolean {
    return leaseUntil !== null;
  }

  releaseSteps(steps: { id: StepId; fence: number; inDoubt: boolean }[], delayMs = 0): void {
    this.version += 1;
    for (const { id, fence, inDoubt } of steps) {
      const row = this.steps.get(id)!;
      if (!this.holds(row, fence) || !this.isClaimed(row) || !isOpen(row)) continue;
      if (!inDoubt) row.sendingSince = null;
      row.leaseUntil = null;
      row.offeredUntil = null;
      row.attempt = Math.max(row.attempt - 1, 0);
      row.crashCount = Math.max(row.crashCount - 1, 0);
      row.dueAt = Math.max(row.dueAt!, this.now + delayMs);
      this.witness.released(row);
    }
  }

  record(outcomes: StepOutcome[]): Recorded {
    this.version += 1;
    const held = new Set<StepId>();
    const queued: QueuedStep[] = [];
    for (const outcome of outcomes) {
      const row = this.steps.get(outcome.id)!;
      if (!this.mayRecord(row, outcome.fence) || !this.isClaimed(row) || !isOpen(row)) continue;
      held.add(row.id);
      this.witness.recorded(row, outcome);
      row.state = outcome.state;
      row.attempt = outcome.attempt ?? row.attempt;
      row.crashCount = 0;
      row.leaseUntil = null;
      row.sendingSince = null;
      row.offeredUntil = null;
      if (outcome.dueAt !== undefined) row.dueAt = Date.parse(outcome.dueAt);
      else if (outcome.dueInMs !== undefined) row.dueAt = this.now + outcome.dueInMs;
      row.integrationId = outcome.integrationId ?? row.integrationId;
      row.output = outcome.output ?? row.output;
      row.digest = outcome.digest ?? row.digest;
      row.error = outcome.error ?? null;
      row.scheduleExtensionsCount = outcome.scheduleExtensionsCount ?? row.scheduleExtensionsCount;
      for (const message of outcome.messages ?? []) row.messages.set(message.id, message);
      for (const { status, detail, isRetry, raw } of outcome.details) this.write(row, status, detail, raw, isRetry);
      this.goOn(row, outcome, queued);
      if (outcome.passesDigestOn) this.passDigestOn(row);
    }
    return { held, queued };
  }

  protected mayRecord(row: StepRow, fence: number): boolean {
    return this.holds(row, fence);
  }

  /** What becomes of the steps behind one that was recorded. */
  protected goOn(row: StepRow, { then, nextStepId }: StepOutcome, queued: QueuedStep[]): void {
    if (then === 'advance' && nextStepId) {
      const next = this.steps.get(nextStepId)!;
      if (next.state !== 'pending') return;
      next.state = 'queued';
      next.dueAt = this.now;
      next.offeredUntil = this.now + OFFER_MS;
      if (next.type !== 'digest' && next.type !== 'delay') this.write(next, 'Pending', 'Step queued');
      queued.push({ id: next.id as StepId, type: next.type, environmentId: ENVIRONMENT });
    }
    if (then !== 'halt' && then !== 'skip') return;
    for (const step of row.notification.steps) {
      if (step.position <= row.position || step.state !== 'pending') continue;
      step.state = then === 'skip' ? 'skipped' : 'canceled';
      if (then === 'halt') this.write(step, 'Failed', 'Step was canceled because a previous step failed');
      else this.write(step, 'Success', 'Throttle limit exceeded for the given window');
    }
  }

  // ------------------------------------------------------------------------------------------- digests and throttles

  joinDigests(requests: DigestRequest[]): { verdicts: Map<StepId, DigestVerdict>; queued: QueuedStep[] } {
    this.version += 1;
    const verdicts = new Map<StepId, DigestVerdict>();
    const queued: QueuedStep[] = [];
    const ours = requests.filter((request) => this.isAsking(request));
    const first = this.firstOfLookBack(ours.filter(({ lookBackMs }) => lookBackMs !== undefined));
    for (const request of ours.filter(({ id }) => !first.has(id)).sort(byId)) {
      const row = this.steps.get(request.id)!;
      if (!this.holds(row, request.fence) || row.state !== 'queued') continue;
      verdicts.set(row.id, this.openOrJoin(row, request));
    }
    const { held, queued: next } = this.record(
      ours
        .filter(({ id }) => first.has(id))
        .map(({ id, fence, digest, nextStepId }) => ({
          id,
          fence,
          state: 'skipped',
          digest,
          then: 'advance',
          nextStepId,
          details: [{ id: '', status: 'Success', detail: 'Digest was skipped, first backoff event' }],
        })),
    );
    queued.push(...next);
    for (const id of held) verdicts.set(id, 'first');
    for (const { id } of requests) if (!verdicts.has(id)) verdicts.set(id, 'lost');
    return { verdicts, queued };
  }

  /** Whether the step is still theirs who ask. Only such steps are counted. */
  protected isAsking({ id, fence }: { id: StepId; fence: number }): boolean {
    const row = this.steps.get(id)!;
    return this.holds(row, fence) && row.state === 'queued';
  }

  private firstOfLookBack(requests: DigestRequest[]): Set<StepId> {
    const first = new Set<StepId>();
    for (const request of requests) {
      const events = this.countEvent(`${keyOf(request, request.digestKey)} before`, request.lookBackMs!, true).events;
      if (events === 1) first.add(request.id);
    }
    return first;
  }

  private openOrJoin(row: StepRow, request: DigestRequest): DigestVerdict {
    const key = keyOf(request, request.digestKey);
    const masterId = this.openDigestOf(key);
    row.attempt = 0;
    row.crashCount = 0;
    row.leaseUntil = null;
    row.offeredUntil = null;
    row.digest = request.digest;
    row.digestKey = key;
    this.witness.joined(row, request.fence, masterId);
    if (masterId === undefined) {
      this.openDigests.set(key, row.id);
      this.witness.opened(key, row.id);
      row.state = 'delayed';
      row.dueAt = Date.parse(request.dueAt);
      this.write(row, 'Pending', 'Step digested', JSON.stringify({ untilDate: request.dueAt }));
      return 'opened';
    }
    row.state = 'merged';
    row.dueAt = null;
    row.digestMasterId = masterId;
    row.notification.digestedInto = this.steps.get(masterId)!.notification.id;
    for (const step of row.notification.steps) {
      if (step.position > row.position && step.state === 'pending') step.state = 'merged';
    }
    this.write(row, 'Success', 'Digest was merged with other digest');
    return 'joined';
  }

  protected openDigestOf(key: string): StepId | undefined {
    return this.openDigests.get(key);
  }

  closeDigests(steps: { id: StepId; fence: number }[]): void {
    this.version += 1;
    for (const { id, fence } of steps) {
      const row = this.steps.get(id)!;
      if (row.fence === fence && row.state === 'delayed') this.endWindow(id);
    }
  }

  protected endWindow(stepId: StepId): void {
    for (const [key, id] of this.openDigests) {
      if (id !== stepId) continue;
      this.openDigests.delete(key);
      this.witness.closed(stepId);
    }
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

  throttle(requests: ThrottleRequest[]): { verdicts: ThrottleVerdict[]; queued: QueuedStep[] } {
    this.version += 1;
    const verdicts = requests
      .filter((request) => this.isAsking(request))
      .map((request) => {
        const { events, expiresAt } = this.countEvent(keyOf(request, request.windowKey), request.windowMs, false);
        return { id: request.id, throttled: events > request.threshold, events, until: new Date(expiresAt) };
      });
    const byRequest = new Map(requests.map((request) => [request.id, request]));
    const { held, queued } = this.record(
      verdicts.map(({ id, throttled }) => {
        const { fence, nextStepId } = byRequest.get(id)!;
        const detail = throttled ? 'Throttle limit exceeded for the given window' : 'Step completed';
        return {
          id,
          fence,
          state: throttled ? 'skipped' : 'completed',
          then: throttled ? 'skip' : 'advance',
          nextStepId,
          details: [{ id: '', status: 'Success', detail }],
        };
      }),
    );
    return { verdicts: verdicts.filter(({ id }) => held.has(id)), queued };
  }

  private countEvent(key: string, windowMs: number, sliding: boolean): { events: number; expiresAt: number } {
    const window = this.windows.get(key);
    const ended = !window || window.expiresAt <= this.now;
    const counted = {
      events: ended ? 1 : window.events + 1,
      expiresAt: ended || sliding ? this.now + windowMs : window.expiresAt,
    };
    this.windows.set(key, counted);
    return counted;
  }

  // ---------------------------------------------------------------------------------------------------- the sweeper

  offerTriggers(limit: number, cap: number): OfferedTrigger[] {
    const open = [...this.triggers.values()].filter(isOpenTrigger);
    const offered = this.offer([open], limit, cap, (row) => this.triggerOfferAt(row) <= this.now);
    return offered.map(({ id, leaseUntil }) => ({ id, environmentId: ENVIRONMENT, lapsed: leaseUntil !== null }));
  }

  offerSteps(limit: number, cap: number): OfferedStep[] {
    const open = [...this.steps.values()]
      .filter(isOpen)
      .sort((one, other) => one.dueAt! - other.dueAt! || byId(one, other));
    const lanes = [...groupBy(open, ({ type }) => type).values()];
    const offered = this.offer(lanes, limit, cap, (row) => this.stepOfferAt(row) <= this.now);
    return offered.map(({ id, type, leaseUntil }) => ({
      id,
      type,
      environmentId: ENVIRONMENT,
      lapsed: leaseUntil !== null,
    }));
  }

  /** The first row of each lane, then the second of each; no lane has more rows in flight than its share of the cap. */
  private offer<Row extends { id: string; offeredUntil: number | null; leaseUntil: number | null }>(
    lanes: Row[][],
    limit: number,
    cap: number,
    isDue: (row: Row) => boolean,
  ): Row[] {
    const share = Math.max(Math.floor(cap / Math.max(lanes.length, 1)), SMALLEST_SHARE);
    const due = lanes.flatMap((rows) => {
      const inFlight = rows.filter(
        ({ offeredUntil, leaseUntil }) => this.isAhead(offeredUntil) || this.isAhead(leaseUntil),
      );
      const free = Math.min(limit, share - inFlight.length);
      return rows
        .filter(isDue)
        .slice(0, Math.max(free, 0))
        .map((row, number) => ({ row, number }));
    });
    const offered = due
      .sort((one, other) => one.number - other.number || byId(one.row, other.row))
      .slice(0, limit)
      .map(({ row }) => row);
    for (const row of offered) row.offeredUntil = this.now + OFFER_AGAIN_MS;
    if (offered.length > 0) this.version += 1;
    return offered;
  }

  private isAhead(time: number | null): boolean {
    return time !== null && time > this.now;
  }

  protected triggerOfferAt(row: TriggerRow): number {
    return Math.max(row.leaseUntil ?? 0, row.offeredUntil ?? row.createdAt + TRIGGER_OFFER_MS);
  }

  protected stepOfferAt(row: StepRow): number {
    return Math.max(row.leaseUntil ?? 0, row.offeredUntil ?? 0, row.dueAt!);
  }

  /** When the sweeper will next find something; Infinity when everything has ended. */
  nextOfferAt(): number {
    let next = Infinity;
    for (const row of this.triggers.values()) if (isOpenTrigger(row)) next = Math.min(next, this.triggerOfferAt(row));
    for (const row of this.steps.values()) if (isOpen(row)) next = Math.min(next, this.stepOfferAt(row));
    return next;
  }

  // --------------------------------------------------------------------------------------------------- integrations

  listActive(): Integration[] {
    return this.integrations.map((row) => ({ ...row }));
  }

  setHealth(id: string, health: IntegrationHealth | null): void {
    this.integrationStamp += 1;
    this.integrations.find((row) => row.id === id)!.health = health;
  }

  // ---------------------------------------------------------------------------------------------------------- parts

  protected write(row: StepRow, status: NewDetail['status'], detail: string, raw?: string, isRetry = false): void {
    row.details.push({ status, detail, isRetry, at: this.now, ...(raw !== undefined && { raw }) });
    this.world.tell(() => `  ${row.id} ${row.type} ${row.state}: ${status} ${detail}${isRetry ? ' (retry)' : ''}`);
  }

  private inOrder<I extends string, T>(rows: Map<I, T>, ids: I[]): T[] {
    return [...new Set(ids)].sort().flatMap((id) => rows.get(id) ?? []);
  }
}

export const isOpen = ({ state }: StepRow): boolean => state === 'queued' || state === 'delayed';
export const isOpenTrigger = ({ state }: TriggerRow): boolean => state === 'accepted' || state === 'running';
export const isChannelStep = ({ type }: StepRow): boolean => CHANNELS.includes(type as Channel);

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

const triggerOrder = ({ notification, id }: StepRow): string => `${notification.trigger.id} ${id}`;

export const keyOf = (
  { workflowId, stepKey, subscriberId }: { workflowId: string; stepKey: string; subscriberId: string },
  key: string,
): string => `${workflowId} ${stepKey} ${subscriberId} ${key}`;

const NOBODY = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  avatar: null,
  locale: null,
  timezone: null,
  data: null as JsonObject | null,
  isOnline: null,
  lastOnlineAt: null,
};
