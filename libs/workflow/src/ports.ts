import type { EnvironmentId, Json, JsonObject, Lane, StepType, TriggerId } from '@clarion/contracts/core';
import type {
  DigestRepository,
  FanOutRepository,
  BusyQueues,
  QueuedStep,
  Recipient,
  StepClaimRepository,
  StepOutcomeRepository,
  SweepRepository,
  ThrottleRepository,
  WorkflowCache,
} from '@clarion/persistence';
import type { TemplateRenderer } from '@clarion/content';

/** In a process: Postgres, queue, templates. In the simulation: in memory, failing on purpose. */
export type FanOutStore = Pick<FanOutRepository, keyof FanOutRepository>;

export type TimerClaims = Pick<StepClaimRepository, 'claimTimers' | 'suspects' | 'renew' | 'release' | 'end'>;
export type StepOutcomes = Pick<StepOutcomeRepository, 'record'>;
export type Digests = Pick<DigestRepository, 'join' | 'close' | 'collect'>;
export type Throttles = Pick<ThrottleRepository, 'decide'>;

export type SweepStore = Pick<
  SweepRepository,
  'overdueTypes' | 'offerTriggers' | 'offerSteps' | 'releaseWaiting' | 'endSweep'
>;
export type Workflows = Pick<WorkflowCache, 'load'>;

export interface ContextStore {
  ensureMany(
    rows: { environmentId: EnvironmentId; type: string; contextId: string; data?: JsonObject }[],
  ): Promise<unknown>;
}

/** A channel that a trigger brings along for a recipient, with sealed credentials. */
export type BroughtChannel = { triggerId: TriggerId; recipient: Recipient; channel: Json };

export interface RecipientChannelStore {
  /** Stores channels of one environment; returns, for each, why it cannot be stored. */
  save(environmentId: EnvironmentId, brought: BroughtChannel[]): Promise<(string | undefined)[]>;
}

export type Templates = Pick<TemplateRenderer, 'renderMany' | 'overBudget'>;

/** Hints for the queue. A lost hint delays a row until the sweeper offers it; it never loses one. */
export interface Offers {
  triggers(triggers: { id: TriggerId; environmentId: EnvironmentId; lane: Lane }[]): void;
  steps(steps: QueuedStep[]): void;
  /** Offers the step when it is due. */
  alarm(step: QueuedStep, delayMs: number): void;
}

/** What the queues know about jobs that wait. */
export interface Queues {
  /** Those of these types whose queue has jobs, with the times of the oldest job of each lane if the queue is long. */
  busyQueues(types: StepType[]): Promise<BusyQueues>;
}

export interface EngineLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}
