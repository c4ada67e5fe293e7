import {
  newId,
  type NotificationId,
  type StepId,
  stepIdOf,
  type StepType,
  type SubscriberRowId,
  toNotificationId,
  type TriggerId,
} from '@clarion/contracts';
import type { ClaimedStep, StepOutcome } from '@clarion/persistence';
import type { ContractStore } from './store-contract';

/** Longer than a test takes on a busy machine: the clock of Postgres does not stop while a test runs. */
export const MARGIN_MS = 6_000;

export type Fixture = {
  triggerId: TriggerId;
  transactionId: string;
  notificationId: NotificationId;
  stepIds: StepId[];
};

type HeldTrigger = { id: TriggerId; fence: number; claimId: string };

/** Rows for the rules of the store contract. */
export class Fixtures {
  /** The store of the running test. */
  store!: ContractStore;

  async accept(payload = {}): Promise<TriggerId> {
    const id = newId<TriggerId>();
    await this.store.accept(id, `txn_${id}`, payload);
    return id;
  }

  /** One notification with steps of these types, the first of them queued. */
  async begin(types: StepType[], subscriberId = newId<SubscriberRowId>(), payload = {}): Promise<Fixture> {
    const triggerId = await this.accept(payload);
    const [trigger] = await this.store.fanOut.claim([triggerId]);
    const { held: _, ...committed } = await this.commit(trigger!, types, subscriberId);
    this.store.fanOut.end(trigger!.claimId);
    return { triggerId, transactionId: `txn_${triggerId}`, ...committed };
  }

  async commit(
    { id, fence, claimId }: HeldTrigger,
    types: StepType[],
    subscriberId = newId<SubscriberRowId>(),
    state: 'running' | 'done' = 'done',
  ): Promise<{ notificationId: NotificationId; stepIds: StepId[]; held: boolean }> {
    const notificationId = toNotificationId(newId());
    const held = await this.store.fanOut.commit({
      triggers: [
        {
          id,
          fence,
          claimId,
          workflowId: this.store.workflowId,
          steps: types.map((type, position) => ({ stepKey: `${type}-${position}`, type })),
          state,
          cursor: null,
          channels: types,
          tags: [],
          severity: 'none',
          critical: false,
        },
      ],
      notifications: [{ id: notificationId, triggerId: id, subscriberId, to: {} }],
    });
    return {
      notificationId,
      stepIds: types.map((_, position) => stepIdOf(notificationId, position)),
      held: held.has(id),
    };
  }

  outcome({ id, fence }: { id: StepId; fence: number }, more: Partial<StepOutcome> = {}): StepOutcome {
    return {
      id,
      fence,
      state: 'completed',
      then: 'wait',
      details: [{ status: 'Success', detail: 'Message sent' }],
      ...more,
    };
  }

  async claimOne(id: StepId, mostCrashes = 0): Promise<ClaimedStep | undefined> {
    return (await this.store.claims.claimChannel('sms', [id], mostCrashes))[0];
  }

  /** Sweeps, and returns the suspects among these steps. */
  async suspects(ids: StepId[]): Promise<StepId[]> {
    await this.store.sweep.overdueTypes();
    return (await this.store.claims.suspects(ids)).map(({ id }) => id);
  }

  /** The same for triggers. */
  async suspectTriggers(ids: TriggerId[]): Promise<TriggerId[]> {
    await this.store.sweep.overdueTypes();
    return (await this.store.fanOut.suspects(ids)).map(({ id }) => id);
  }

  /** A claimed SMS step, and the steps behind it. */
  async claimed(...later: StepType[]): Promise<{ step: ClaimedStep; stepIds: StepId[] }> {
    const { stepIds } = await this.begin(['sms', ...later]);
    return { step: (await this.claimOne(stepIds[0]!))!, stepIds };
  }

  /** Marks a claimed step; the result has the new fence. */
  async marked(step: ClaimedStep): Promise<ClaimedStep> {
    const fences = await this.store.claims.markSending([step]);
    return { ...step, fence: fences.get(step.id)! };
  }

  digestRequest(
    fixture: Pick<Fixture, 'stepIds' | 'notificationId'>,
    fence: number,
    subscriberId: SubscriberRowId,
    more = {},
  ) {
    const { environmentId, workflowId } = this.store;
    return {
      id: fixture.stepIds[0]!,
      fence,
      environmentId,
      workflowId,
      stepKey: 'digest-0',
      subscriberId,
      notificationId: fixture.notificationId,
      digestKey: 'key',
      dueAt: this.store.timeIn(60_000),
      digest: {},
      ...more,
    };
  }

  /** Claims a new digest step and lets it open or join a window. */
  async join(subscriberId: SubscriberRowId, payload = {}, more = {}) {
    const fixture = await this.begin(['digest', 'sms'], subscriberId, payload);
    const [step] = await this.store.claims.claimTimers([fixture.stepIds[0]!]);
    const request = this.digestRequest(fixture, step!.fence, subscriberId, more);
    const { verdicts, queued } = await this.store.digests.join([request]);
    return { ...fixture, fence: step!.fence, verdict: verdicts.get(fixture.stepIds[0]!), queued };
  }
}
