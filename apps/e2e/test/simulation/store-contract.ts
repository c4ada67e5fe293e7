import {
  type EnvironmentId,
  newId,
  type NotificationId,
  type StepId,
  type StepType,
  type SubscriberRowId,
  type TriggerId,
} from '@clarion/contracts';
import {
  type DigestRepository,
  type FanOutRepository,
  type NewStep,
  OFFER_AGAIN_MS,
  OFFER_MS,
  STEP_LEASE_MS,
  type StepClaimRepository,
  type StepOutcome,
  type StepOutcomeRepository,
  type SweepRepository,
  type ThrottleRepository,
  TRIGGER_LEASE_MS,
  TRIGGER_OFFER_MS,
} from '@clarion/persistence';

/** The values of a step that the contract compares. */
export type StepView = {
  state: string;
  attempt: number;
  fence: number;
  crashCount: number;
  /** Milliseconds until the step is due, rounded; null when it has no due time. */
  dueInMs: number | null;
  /** `status detail`, in the order in which they were written. */
  details: string[];
  /** `id status` of each message. */
  messages: string[];
};

/** The repositories that must behave alike, and the functions with which the contract prepares and reads rows. */
export type ContractStore = {
  environmentId: EnvironmentId;
  workflowId: string;
  claims: Pick<StepClaimRepository, 'claimChannel' | 'claimTimers' | 'suspects' | 'markSending' | 'renew' | 'release'>;
  outcomes: Pick<StepOutcomeRepository, 'record'>;
  digests: Pick<DigestRepository, 'join' | 'close' | 'collect'>;
  throttles: Pick<ThrottleRepository, 'decide'>;
  fanOut: Pick<FanOutRepository, 'claim' | 'suspects' | 'topicMembers' | 'subscribers' | 'commit' | 'warn' | 'release'>;
  sweep: Pick<SweepRepository, 'offerTriggers' | 'offerSteps'>;
  /** Accepts a trigger, as the gateway does. */
  accept(id: TriggerId, transactionId: string, payload: object): Promise<void>;
  /** Cancels a transaction, as the gateway does. */
  cancel(transactionId: string): Promise<void>;
  subscribe(subscriberId: SubscriberRowId, topicKeys: string[]): Promise<void>;
  /** Moves the time of the store forward. */
  passTime(milliseconds: number): Promise<void>;
  /** The time of the store after this many milliseconds. */
  timeIn(milliseconds: number): string;
  step(id: StepId): Promise<StepView>;
  triggerState(id: TriggerId): Promise<string>;
  digestedInto(id: NotificationId): Promise<NotificationId | null>;
  close(): Promise<void>;
};

const PAGE = 2;
/** Longer than a test takes on a busy machine: the clock of Postgres does not stop while a test runs. */
const MARGIN_MS = 8_000;

/**
 * The rules of the hot SQL. The repositories on Postgres and the in-memory store of the simulation run the same suite,
 * so the simulation cannot rely on rules that the repositories do not have.
 */
export function keepsTheStoreContract(open: () => Promise<ContractStore>): void {
  let store: ContractStore;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  type Fixture = { triggerId: TriggerId; transactionId: string; notificationId: NotificationId; stepIds: StepId[] };

  /** One notification with steps of these types, the first of them queued. */
  async function begin(types: StepType[], subscriberId = newId<SubscriberRowId>(), payload = {}): Promise<Fixture> {
    const triggerId = newId<TriggerId>();
    const transactionId = `txn_${triggerId}`;
    await store.accept(triggerId, transactionId, payload);
    const [trigger] = await store.fanOut.claim([triggerId]);
    return { triggerId, transactionId, ...(await commit(triggerId, trigger!.fence, types, subscriberId)) };
  }

  async function commit(
    triggerId: TriggerId,
    fence: number,
    types: StepType[],
    subscriberId = newId<SubscriberRowId>(),
    state: 'running' | 'done' = 'done',
  ): Promise<{ notificationId: NotificationId; stepIds: StepId[]; held: boolean }> {
    const notificationId = newId<NotificationId>();
    const stepIds = types.map(() => newId<StepId>());
    const steps = types.map((type, position): NewStep => ({
      id: stepIds[position]!,
      triggerId,
      notificationId,
      subscriberId,
      position,
      stepKey: `${type}-${position}`,
      type,
      providerId: 'platform',
      state: position === 0 ? 'queued' : 'pending',
      ...(position + 1 < types.length && { nextStepId: stepIds[position + 1]! }),
      ...(position === 0 && { detailId: newId() }),
    }));
    const held = await store.fanOut.commit({
      triggers: [
        { id: triggerId, fence, state, cursor: null, channels: types, tags: [], severity: 'none', critical: false },
      ],
      notifications: [{ id: notificationId, triggerId, subscriberId, to: {} }],
      steps,
    });
    return { notificationId, stepIds, held: held.has(triggerId) };
  }

  const outcome = (id: StepId, fence: number, more: Partial<StepOutcome> = {}): StepOutcome => ({
    id,
    fence,
    state: 'completed',
    then: 'wait',
    details: [{ id: newId(), status: 'Success', detail: 'Message sent' }],
    ...more,
  });

  const claimOne = async (id: StepId, alone = false) => (await store.claims.claimChannel('sms', [id], alone))[0];

  const digestRequest = (fixture: Fixture, fence: number, subscriberId: SubscriberRowId, more = {}) => ({
    id: fixture.stepIds[0]!,
    fence,
    environmentId: store.environmentId,
    workflowId: store.workflowId,
    stepKey: 'digest-0',
    subscriberId,
    notificationId: fixture.notificationId,
    digestKey: 'key',
    dueAt: store.timeIn(60_000),
    digest: {},
    nextStepId: fixture.stepIds[1] ?? null,
    ...more,
  });

  /** Claims a new digest step and lets it open or join a window. */
  async function join(subscriberId: SubscriberRowId, payload = {}, more = {}) {
    const fixture = await begin(['digest', 'sms'], subscriberId, payload);
    const [step] = await store.claims.claimTimers([fixture.stepIds[0]!]);
    const { verdicts, queued } = await store.digests.join([digestRequest(fixture, step!.fence, subscriberId, more)]);
    return { ...fixture, fence: step!.fence, verdict: verdicts.get(fixture.stepIds[0]!), queued };
  }

  describe('claims of steps', () => {
    it('claims a due step once and counts the attempt', async () => {
      const { stepIds } = await begin(['sms']);
      expect(await claimOne(stepIds[0]!)).toMatchObject({
        id: stepIds[0],
        attempt: 1,
        fence: 1,
        crashCount: 1,
        inDoubt: false,
      });
      expect(await claimOne(stepIds[0]!)).toBeUndefined();
    });

    it('claims only steps of the given channel', async () => {
      const { stepIds } = await begin(['in_app']);
      expect(await claimOne(stepIds[0]!)).toBeUndefined();
      expect(await store.claims.claimTimers(stepIds)).toEqual([]);
      expect(await store.claims.claimChannel('in_app', stepIds)).toHaveLength(1);
    });

    it('claims every step type that the engine runs', async () => {
      for (const type of ['digest', 'delay', 'throttle', 'custom'] as const) {
        const { stepIds } = await begin([type]);
        expect(await store.claims.claimTimers(stepIds)).toMatchObject([{ id: stepIds[0], type }]);
      }
    });

    it('does not claim a step that waits for the step before it', async () => {
      const { stepIds } = await begin(['sms', 'sms']);
      expect(await claimOne(stepIds[1]!)).toBeUndefined();
    });

    it('returns claimed steps in the order of their ids', async () => {
      const ids = [(await begin(['sms'])).stepIds[0]!, (await begin(['sms'])).stepIds[0]!];
      const claimed = await store.claims.claimChannel('sms', ids.toReversed());
      expect(claimed.map(({ id }) => id)).toEqual(ids.toSorted());
    });

    it('claims a step with an ended lease only alone, and with a higher fence', async () => {
      const { stepIds } = await begin(['sms']);
      await claimOne(stepIds[0]!);
      await store.passTime(STEP_LEASE_MS - MARGIN_MS);
      expect(await claimOne(stepIds[0]!, true)).toBeUndefined();
      expect(await store.claims.suspects(stepIds)).toEqual([]);
      await store.passTime(MARGIN_MS);
      expect(await claimOne(stepIds[0]!)).toBeUndefined();
      expect(await store.claims.suspects(stepIds)).toEqual(stepIds);
      expect(await claimOne(stepIds[0]!, true)).toMatchObject({ attempt: 2, fence: 2, crashCount: 2 });
    });

    it('renews the lease of a holder and refuses an older fence', async () => {
      const { stepIds } = await begin(['sms']);
      const held = { id: stepIds[0]!, fence: 1 };
      await claimOne(held.id);
      await store.passTime(STEP_LEASE_MS - MARGIN_MS);
      expect(await store.claims.renew([held])).toEqual(new Set([held.id]));
      await store.passTime(STEP_LEASE_MS - MARGIN_MS);
      expect(await claimOne(held.id, true)).toBeUndefined();
      expect(await store.claims.renew([{ ...held, fence: 0 }])).toEqual(new Set());
    });

    it('leaves a marked step in doubt when its worker crashes', async () => {
      const { stepIds } = await begin(['sms']);
      const held = { id: stepIds[0]!, fence: 1 };
      await claimOne(held.id);
      expect(await store.claims.markSending([held])).toEqual(new Set([held.id]));
      expect(await store.claims.markSending([{ ...held, fence: 2 }])).toEqual(new Set());
      await store.passTime(STEP_LEASE_MS);
      expect(await claimOne(held.id, true)).toMatchObject({ inDoubt: true });
    });

    it('renews the lease with the mark of a provider call', async () => {
      const { stepIds } = await begin(['sms']);
      await claimOne(stepIds[0]!);
      await store.passTime(STEP_LEASE_MS - MARGIN_MS);
      await store.claims.markSending([{ id: stepIds[0]!, fence: 1 }]);
      await store.passTime(STEP_LEASE_MS - MARGIN_MS);
      expect(await claimOne(stepIds[0]!, true)).toBeUndefined();
    });

    it.each([true, false])('releases a step without counting an attempt or a crash (in doubt: %s)', async (inDoubt) => {
      const { stepIds } = await begin(['sms']);
      const held = { id: stepIds[0]!, fence: 1 };
      await claimOne(held.id);
      await store.claims.markSending([held]);
      await store.claims.release([{ ...held, inDoubt }], 5_000);
      expect(await store.step(held.id)).toMatchObject({ state: 'queued', attempt: 0, crashCount: 0 });
      expect(await claimOne(held.id)).toBeUndefined();
      await store.passTime(5_000);
      expect(await claimOne(held.id)).toMatchObject({ attempt: 1, inDoubt });
    });

    it('does not release, renew or mark a step that was released before', async () => {
      const { stepIds } = await begin(['sms']);
      const held = { id: stepIds[0]!, fence: 1, inDoubt: false };
      await claimOne(held.id);
      await store.claims.release([held]);
      await store.claims.release([held]);
      expect(await store.claims.renew([held])).toEqual(new Set());
      expect(await store.claims.markSending([held])).toEqual(new Set());
      expect(await store.step(held.id)).toMatchObject({ attempt: 0, crashCount: 0 });
    });
  });

  describe('outcomes of steps', () => {
    it('records an outcome once, with its details and messages', async () => {
      const { stepIds } = await begin(['sms']);
      await claimOne(stepIds[0]!);
      const messageId = newId();
      const sent = outcome(stepIds[0]!, 1, {
        messages: [{ id: messageId, channel: 'sms', content: 'Hello', status: 'sent' }],
      });
      expect((await store.outcomes.record([sent])).held).toEqual(new Set(stepIds));
      expect((await store.outcomes.record([sent])).held).toEqual(new Set());
      expect(await store.step(stepIds[0]!)).toMatchObject({
        state: 'completed',
        crashCount: 0,
        details: ['Pending Step queued', 'Success Message sent'],
        messages: [`${messageId} sent`],
      });
    });

    it('replaces a message that is sent again under the same id', async () => {
      const { stepIds } = await begin(['sms']);
      const messageId = newId();
      const message = { id: messageId, channel: 'sms' as const, content: 'Hello' };
      await claimOne(stepIds[0]!);
      await store.outcomes.record([
        outcome(stepIds[0]!, 1, { state: 'queued', dueInMs: 0, messages: [{ ...message, status: 'error' }] }),
      ]);
      await claimOne(stepIds[0]!);
      await store.outcomes.record([outcome(stepIds[0]!, 2, { messages: [{ ...message, status: 'sent' }] })]);
      expect((await store.step(stepIds[0]!)).messages).toEqual([`${messageId} sent`]);
    });

    it('refuses the outcome of a worker whose step was claimed again', async () => {
      const { stepIds } = await begin(['sms', 'sms']);
      await claimOne(stepIds[0]!);
      await store.passTime(STEP_LEASE_MS);
      await claimOne(stepIds[0]!, true);
      const late = outcome(stepIds[0]!, 1, { then: 'advance', nextStepId: stepIds[1]! });
      expect(await store.outcomes.record([late])).toEqual({ held: new Set(), queued: [] });
      expect((await store.step(stepIds[0]!)).state).toBe('queued');
      expect((await store.step(stepIds[1]!)).state).toBe('pending');
    });

    it('lets a step run again at its new due time', async () => {
      const { stepIds } = await begin(['sms']);
      await claimOne(stepIds[0]!);
      await store.outcomes.record([outcome(stepIds[0]!, 1, { state: 'queued', dueInMs: 10_000, attempt: 1 })]);
      expect(await claimOne(stepIds[0]!)).toBeUndefined();
      await store.passTime(10_000);
      expect(await claimOne(stepIds[0]!)).toMatchObject({ attempt: 2, crashCount: 1 });
    });

    it('queues the next step and announces it, unless it records a waiting time', async () => {
      for (const [type, details] of [
        ['sms', ['Pending Step queued']],
        ['throttle', ['Pending Step queued']],
        ['delay', []],
        ['digest', []],
      ] as const) {
        const { stepIds } = await begin(['sms', type]);
        await claimOne(stepIds[0]!);
        const { queued } = await store.outcomes.record([
          outcome(stepIds[0]!, 1, { then: 'advance', nextStepId: stepIds[1]! }),
        ]);
        expect(queued).toEqual([{ id: stepIds[1], type, environmentId: store.environmentId }]);
        expect(await store.step(stepIds[1]!)).toMatchObject({ state: 'queued', details });
      }
    });

    it.each([
      ['halt', 'canceled', 'Failed Step was canceled because a previous step failed'],
      ['skip', 'skipped', 'Success Throttle limit exceeded for the given window'],
    ] as const)('ends the later steps of a notification with %s', async (then, state, detail) => {
      const { stepIds } = await begin(['sms', 'sms', 'delay']);
      await claimOne(stepIds[0]!);
      await store.outcomes.record([outcome(stepIds[0]!, 1, { state: 'failed', then })]);
      for (const id of stepIds.slice(1)) expect(await store.step(id)).toMatchObject({ state, details: [detail] });
    });

    it('shows the outputs of earlier steps to a later step', async () => {
      const { stepIds } = await begin(['sms', 'sms']);
      await claimOne(stepIds[0]!);
      await store.outcomes.record([
        outcome(stepIds[0]!, 1, { output: { seen: true }, then: 'advance', nextStepId: stepIds[1]! }),
      ]);
      expect(await claimOne(stepIds[1]!)).toMatchObject({ outputs: { 'sms-0': { seen: true } } });
    });
  });

  describe('digests', () => {
    const subscriberId = newId<SubscriberRowId>();

    it('opens one window for a key and lets later steps join it', async () => {
      const first = await join(subscriberId);
      const second = await join(subscriberId);
      const other = await join(subscriberId, {}, { digestKey: 'another key' });
      expect([first.verdict, second.verdict, other.verdict]).toEqual(['opened', 'joined', 'opened']);
      expect(await store.step(first.stepIds[0]!)).toMatchObject({ state: 'delayed', attempt: 0 });
      expect((await store.step(first.stepIds[0]!)).details).toContain('Pending Step digested');
      expect(await store.step(second.stepIds[0]!)).toMatchObject({ state: 'merged', dueInMs: null });
      expect((await store.step(second.stepIds[0]!)).details).toContain('Success Digest was merged with other digest');
      expect((await store.step(second.stepIds[1]!)).state).toBe('merged');
      expect(await store.digestedInto(second.notificationId)).toBe(first.notificationId);
    });

    it('returns "lost" for a digest step that was claimed again', async () => {
      const fixture = await begin(['digest'], subscriberId);
      await store.claims.claimTimers(fixture.stepIds);
      await store.passTime(STEP_LEASE_MS);
      await store.claims.claimTimers(fixture.stepIds, true);
      const { verdicts } = await store.digests.join([digestRequest(fixture, 1, subscriberId)]);
      expect(verdicts).toEqual(new Map([[fixture.stepIds[0], 'lost']]));
    });

    it('claims an open window when it is due, not before', async () => {
      const { stepIds } = await join(subscriberId);
      expect(await store.claims.claimTimers([stepIds[0]!])).toEqual([]);
      await store.passTime(60_000);
      expect(await store.claims.claimTimers([stepIds[0]!])).toMatchObject([{ state: 'delayed', attempt: 1 }]);
    });

    it('collects the payloads of a closed window in the order of the triggers', async () => {
      const first = await join(subscriberId, { number: 1 });
      await join(subscriberId, { number: 2 });
      await join(subscriberId, { number: 3 });
      await store.passTime(60_000);
      const [step] = await store.claims.claimTimers([first.stepIds[0]!]);
      await store.digests.close([step!]);
      expect((await join(subscriberId, { number: 4 })).verdict).toBe('opened');
      const collected = (await store.digests.collect([step!.id], 2)).get(step!.id)!;
      expect(collected.count).toBe(3);
      expect(collected.events.map(({ payload }) => payload)).toEqual([{ number: 1 }, { number: 2 }]);
    });

    it('does not close the window of a step that was claimed again', async () => {
      const { stepIds } = await join(subscriberId);
      await store.passTime(60_000);
      await store.claims.claimTimers([stepIds[0]!]);
      await store.digests.close([{ id: stepIds[0]!, fence: 1 }]);
      expect((await join(subscriberId)).verdict).toBe('joined');
    });

    it('skips the first event of a look-back window and digests the next ones', async () => {
      const first = await join(subscriberId, {}, { lookBackMs: 30_000 });
      const second = await join(subscriberId, {}, { lookBackMs: 30_000 });
      expect([first.verdict, second.verdict]).toEqual(['first', 'opened']);
      expect(first.queued).toMatchObject([{ id: first.stepIds[1] }]);
      expect(await store.step(first.stepIds[0]!)).toMatchObject({ state: 'skipped' });
      expect((await store.step(first.stepIds[0]!)).details).toContain(
        'Success Digest was skipped, first backoff event',
      );
      await store.passTime(20_000);
      expect((await join(subscriberId, {}, { lookBackMs: 30_000 })).verdict).toBe('joined');
      await store.passTime(30_000);
      expect((await join(subscriberId, {}, { lookBackMs: 30_000 })).verdict).toBe('first');
    });

    it.each(['a failed outcome', 'a cancellation'])(
      'passes a window on to the oldest joined step after %s',
      async (end) => {
        const master = await join(subscriberId);
        const successor = await join(subscriberId);
        const follower = await join(subscriberId);
        if (end === 'a cancellation') await store.cancel(master.transactionId);
        else {
          await store.passTime(60_000);
          const [step] = await store.claims.claimTimers([master.stepIds[0]!]);
          await store.outcomes.record([
            outcome(step!.id, step!.fence, { state: 'failed', then: 'halt', passesDigestOn: true }),
          ]);
        }
        expect((await store.step(successor.stepIds[0]!)).state).toBe('delayed');
        expect((await store.step(successor.stepIds[1]!)).state).toBe('pending');
        expect(await store.digestedInto(successor.notificationId)).toBeNull();
        expect(await store.digestedInto(follower.notificationId)).toBe(successor.notificationId);
        expect((await join(subscriberId)).verdict).toBe('joined');
        const collected = await store.digests.collect([successor.stepIds[0]!], 10);
        expect(collected.get(successor.stepIds[0]!)!.count).toBe(3);
      },
    );

    it('deletes the window of an ended step that no step has joined', async () => {
      const { transactionId, stepIds } = await join(subscriberId);
      await store.cancel(transactionId);
      expect(await store.step(stepIds[0]!)).toMatchObject({ state: 'canceled' });
      expect((await store.step(stepIds[0]!)).details).toContain('Warning Step was canceled by request');
      expect((await join(subscriberId)).verdict).toBe('opened');
    });
  });

  describe('throttles', () => {
    const subscriberId = newId<SubscriberRowId>();

    async function throttle(more = {}) {
      const fixture = await begin(['throttle', 'sms'], subscriberId);
      const [step] = await store.claims.claimTimers([fixture.stepIds[0]!]);
      const request = {
        id: fixture.stepIds[0]!,
        fence: step!.fence,
        environmentId: store.environmentId,
        workflowId: store.workflowId,
        stepKey: 'throttle-0',
        subscriberId,
        windowKey: 'key',
        windowMs: 60_000,
        threshold: 2,
        nextStepId: fixture.stepIds[1]!,
        ...more,
      };
      const { verdicts, queued } = await store.throttles.decide([request]);
      return { ...fixture, verdicts, queued };
    }

    it('lets the events of a window through up to the threshold and skips the others', async () => {
      const [first, second, third] = [await throttle(), await throttle(), await throttle()];
      expect([first, second, third].map(({ verdicts }) => verdicts[0])).toMatchObject([
        { throttled: false, events: 1 },
        { throttled: false, events: 2 },
        { throttled: true, events: 3 },
      ]);
      expect(first.queued).toMatchObject([{ id: first.stepIds[1] }]);
      expect((await store.step(first.stepIds[0]!)).details).toContain('Success Step completed');
      expect(third.queued).toEqual([]);
      expect(await store.step(third.stepIds[0]!)).toMatchObject({ state: 'skipped' });
      expect(await store.step(third.stepIds[1]!)).toMatchObject({
        state: 'skipped',
        details: ['Success Throttle limit exceeded for the given window'],
      });
    });

    it('starts a new window when the time of the first event is over', async () => {
      await throttle();
      await store.passTime(40_000);
      await throttle();
      await store.passTime(20_000);
      expect((await throttle()).verdicts).toMatchObject([{ throttled: false, events: 1 }]);
    });

    it('does not count a step that was claimed again', async () => {
      expect((await throttle({ fence: 0 })).verdicts).toEqual([]);
      expect((await throttle()).verdicts).toMatchObject([{ events: 1 }]);
    });
  });

  describe('fan-out', () => {
    const accept = async (): Promise<TriggerId> => {
      const id = newId<TriggerId>();
      await store.accept(id, `txn_${id}`, {});
      return id;
    };

    it('claims an accepted trigger once', async () => {
      const id = await accept();
      expect(await store.fanOut.claim([id])).toMatchObject([{ id, fence: 1, crashCount: 1, cursor: null }]);
      expect(await store.fanOut.claim([id])).toEqual([]);
    });

    it('claims a trigger with an ended lease only alone', async () => {
      const id = await accept();
      await store.fanOut.claim([id]);
      await store.passTime(TRIGGER_LEASE_MS - MARGIN_MS);
      expect(await store.fanOut.suspects([id])).toEqual([]);
      await store.passTime(MARGIN_MS);
      expect(await store.fanOut.claim([id])).toEqual([]);
      expect(await store.fanOut.suspects([id])).toEqual([id]);
      expect(await store.fanOut.claim([id], true)).toMatchObject([{ fence: 2, crashCount: 2 }]);
    });

    it('releases a trigger without counting a crash', async () => {
      const id = await accept();
      const claimed = await store.fanOut.claim([id]);
      await store.fanOut.release(claimed);
      expect(await store.fanOut.claim([id])).toMatchObject([{ fence: 2, crashCount: 1 }]);
    });

    it('keeps a trigger with more pages claimed and ends it with the last page', async () => {
      const id = await accept();
      await store.fanOut.claim([id]);
      await store.passTime(TRIGGER_LEASE_MS - MARGIN_MS);
      await commit(id, 1, ['sms'], undefined, 'running');
      await store.passTime(TRIGGER_LEASE_MS - MARGIN_MS);
      expect(await store.fanOut.claim([id], true)).toEqual([]);
      await commit(id, 1, ['sms']);
      expect(await store.triggerState(id)).toBe('done');
      expect(await store.fanOut.claim([id], true)).toEqual([]);
    });

    it('refuses a page of an engine whose trigger was claimed again', async () => {
      const id = await accept();
      await store.fanOut.claim([id]);
      await store.passTime(TRIGGER_LEASE_MS);
      await store.fanOut.claim([id], true);
      expect(await commit(id, 1, ['sms'])).toMatchObject({ held: false });
      expect(await store.triggerState(id)).toBe('accepted');
      expect(await commit(id, 2, ['sms'])).toMatchObject({ held: true });
    });

    it('refuses a page of a canceled trigger', async () => {
      const id = await accept();
      await store.fanOut.claim([id]);
      await store.cancel(`txn_${id}`);
      expect(await commit(id, 1, ['sms'])).toMatchObject({ held: false });
    });

    it('walks over the members of topics in pages, each member once', async () => {
      const ids = Array.from({ length: 5 }, () => newId<SubscriberRowId>()).toSorted();
      for (const [at, id] of ids.entries()) await store.subscribe(id, at % 2 === 0 ? ['news', 'sport'] : ['news']);
      await store.subscribe(newId(), ['weather']);
      const seen: string[] = [];
      let cursor = null;
      for (;;) {
        const page = await store.fanOut.topicMembers(store.environmentId, ['news', 'sport'], cursor, [ids[1]!], PAGE);
        seen.push(...page.members.map(({ id, topics }) => `${id} ${topics.length}`));
        cursor = page.cursor;
        if (!cursor) break;
      }
      expect(seen).toEqual([`${ids[0]} 2`, `${ids[2]} 2`, `${ids[3]} 1`, `${ids[4]} 2`]);
    });

    it('walks over all subscribers in pages', async () => {
      const ids = Array.from({ length: 3 }, () => newId<SubscriberRowId>()).toSorted();
      for (const id of ids) await store.subscribe(id, []);
      const first = await store.fanOut.subscribers(store.environmentId, null, [], PAGE);
      const second = await store.fanOut.subscribers(store.environmentId, first.cursor, [], PAGE);
      expect([first, second].map(({ members }) => members.map(({ id }) => id))).toEqual([
        ids.slice(0, 2),
        ids.slice(2),
      ]);
      expect(second.cursor).toBeNull();
    });

    it('adds a warning to the details of a step', async () => {
      const { stepIds } = await begin(['sms']);
      await store.fanOut.warn([{ stepId: stepIds[0]!, raw: '{}' }], 'Something was ignored');
      expect((await store.step(stepIds[0]!)).details).toContain('Warning Something was ignored');
    });
  });

  describe('sweeping', () => {
    const offered = async (limit = 10, cap = 10_000) =>
      (await store.sweep.offerSteps(limit, cap)).map(({ id }) => id).toSorted();

    it('offers a trigger that no engine has claimed, and again after a while', async () => {
      const id = newId<TriggerId>();
      await store.accept(id, `txn_${id}`, {});
      expect(await store.sweep.offerTriggers(10, 10_000)).toEqual([]);
      await store.passTime(TRIGGER_OFFER_MS);
      const offer = { id, environmentId: store.environmentId, lapsed: false };
      expect(await store.sweep.offerTriggers(10, 10_000)).toEqual([offer]);
      expect(await store.sweep.offerTriggers(10, 10_000)).toEqual([]);
      await store.passTime(OFFER_AGAIN_MS);
      expect(await store.sweep.offerTriggers(10, 10_000)).toEqual([offer]);
      await store.fanOut.claim([id]);
      await store.passTime(OFFER_AGAIN_MS);
      expect(await store.sweep.offerTriggers(10, 10_000)).toEqual([]);
      await store.passTime(TRIGGER_LEASE_MS - OFFER_AGAIN_MS);
      expect(await store.sweep.offerTriggers(10, 10_000)).toEqual([{ ...offer, lapsed: true }]);
    });

    it('offers a due step after the offer of its commit, and again after a while', async () => {
      const { stepIds } = await begin(['sms', 'sms']);
      const [id] = stepIds;
      expect(await offered()).toEqual([]);
      await store.passTime(OFFER_MS);
      expect(await store.sweep.offerSteps(10, 10_000)).toEqual([
        { id, type: 'sms', environmentId: store.environmentId, lapsed: false },
      ]);
      expect(await offered()).toEqual([]);
      await store.passTime(OFFER_AGAIN_MS);
      expect(await offered()).toEqual([id]);
    });

    it('offers a step with an ended lease as lapsed, and not while the lease holds', async () => {
      const { stepIds } = await begin(['sms']);
      await claimOne(stepIds[0]!);
      await store.passTime(STEP_LEASE_MS - MARGIN_MS);
      expect(await offered()).toEqual([]);
      await store.passTime(MARGIN_MS);
      expect(await store.sweep.offerSteps(10, 10_000)).toMatchObject([{ id: stepIds[0], lapsed: true }]);
    });

    it('does not offer a step before it is due', async () => {
      const { stepIds } = await begin(['sms']);
      await claimOne(stepIds[0]!);
      await store.outcomes.record([outcome(stepIds[0]!, 1, { state: 'queued', dueInMs: 60_000 })]);
      await store.passTime(OFFER_AGAIN_MS);
      expect(await offered()).toEqual([]);
      await store.passTime(60_000 - OFFER_AGAIN_MS);
      expect(await offered()).toEqual(stepIds);
    });

    it('offers the first step of each channel before the second step of any', async () => {
      const sms = [await begin(['sms']), await begin(['sms']), await begin(['sms'])];
      const inApp = await begin(['in_app']);
      await store.passTime(OFFER_MS);
      expect(await offered(2)).toEqual([sms[0]!.stepIds[0], inApp.stepIds[0]].toSorted());
      expect(await offered(2)).toHaveLength(2);
      expect(await offered(2)).toEqual([]);
    });

    it('offers no more steps of a channel than its share while the earlier ones are in flight', async () => {
      const triggerId = newId<TriggerId>();
      await store.accept(triggerId, `txn_${triggerId}`, {});
      await store.fanOut.claim([triggerId]);
      const notificationId = newId<NotificationId>();
      const subscriberId = newId<SubscriberRowId>();
      const steps = Array.from({ length: 502 }, (_, position): NewStep => ({
        id: newId<StepId>(),
        triggerId,
        notificationId,
        subscriberId,
        position,
        stepKey: `sms-${position}`,
        type: 'sms',
        providerId: 'platform',
        state: 'queued',
      }));
      await store.fanOut.commit({
        triggers: [
          { id: triggerId, fence: 1, state: 'done', channels: ['sms'], tags: [], severity: 'none', critical: false },
        ],
        notifications: [{ id: notificationId, triggerId, subscriberId, to: {} }],
        steps,
      });
      await store.passTime(OFFER_MS);
      expect(await offered(1_000, 500)).toHaveLength(500);
      expect(await offered(1_000, 500)).toEqual([]);
      expect(await offered(1_000, 501)).toHaveLength(1);
    });
  });
}
