import type { EnvironmentId, NotificationId, StepId, SubscriberRowId, TriggerId } from '@clarion/contracts';
import type { SweepRepository } from '@clarion/persistence';
import type { StorePorts } from '@clarion/testing/memory-store';
import { claimsSteps } from './contract-claims';
import { fansOut } from './contract-fan-out';
import { Fixtures } from './contract-fixtures';
import { recordsOutcomes } from './contract-outcomes';
import { sweeps } from './contract-sweeping';
import { decidesWindows } from './contract-windows';

/** The values of a step that the contract compares. */
export type StepView = {
  state: string;
  /** Of an open step; null when the step has ended or was not reached. */
  attempt: number | null;
  crashCount: number | null;
  /** `status detail`, in the order in which they were written. */
  details: string[];
  /** `id status` of each message. */
  messages: string[];
};

/** The repositories that must behave alike, and the functions with which the contract prepares and reads rows. */
export type ContractStore = StorePorts & {
  environmentId: EnvironmentId;
  workflowId: string;
  sweep: Pick<SweepRepository, 'overdueTypes' | 'offerTriggers' | 'offerSteps' | 'releaseWaiting'>;
  /** Accepts a trigger, as the gateway does. */
  accept(id: TriggerId, transactionId: string, payload: object): Promise<void>;
  /** Cancels a transaction, as the gateway does. */
  cancel(transactionId: string): Promise<void>;
  subscribe(subscriberId: SubscriberRowId, topicKeys: string[]): Promise<void>;
  /** Runs a claim that does not see the claims before it, as one that runs at the same time does not. */
  atTheSameTime<T>(claim: () => Promise<T>): Promise<T>;
  /** Moves the time of the store forward. */
  passTime(milliseconds: number): Promise<void>;
  /** Lets no sweeper reach the store for as long as its holders could not renew their claims. */
  beAway(): Promise<void>;
  /** The time of the store after this many milliseconds. */
  timeIn(milliseconds: number): string;
  step(id: StepId): Promise<StepView>;
  triggerState(id: TriggerId): Promise<string>;
  digestedInto(id: NotificationId): Promise<NotificationId | null>;
  close(): Promise<void>;
};

/**
 * The rules of the hot SQL. The repositories on Postgres and the in-memory store of the simulation run the same suite,
 * so the simulation cannot rely on rules that the repositories do not have.
 */
export function keepsTheStoreContract(open: () => Promise<ContractStore>): void {
  const fixtures = new Fixtures();

  beforeEach(async () => {
    fixtures.store = await open();
  });
  afterEach(() => fixtures.store.close());

  describe('claims of steps', () => claimsSteps(fixtures));
  describe('outcomes of steps', () => recordsOutcomes(fixtures));
  describe('windows', () => decidesWindows(fixtures));
  describe('fan-out', () => fansOut(fixtures));
  describe('sweeping', () => sweeps(fixtures));
}
