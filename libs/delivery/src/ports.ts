import type { Dialect, EnvironmentId, IntegrationHealth } from '@clarion/contracts/core';
import type { TemplateRenderer } from '@clarion/content';
import type {
  HoldRepository,
  Integration,
  QueuedStep,
  SendingSettings,
  StepClaimRepository,
  StepOutcomeRepository,
  SuppressionRepository,
} from '@clarion/persistence';
import type { RealtimeEvent } from '@clarion/queue';

/** In a process: Postgres, queue, templates, providers. In the simulation: in memory, failing on purpose. */
export type StepClaims = Pick<
  StepClaimRepository,
  'claimChannel' | 'suspects' | 'markSending' | 'renew' | 'release' | 'abandon' | 'end'
>;
export type StepOutcomes = Pick<StepOutcomeRepository, 'record'>;
/** Lets claimed steps wait for holds. */
export type Holds = Pick<HoldRepository, 'keep' | 'keepWithoutIntegration'>;
export type Suppressions = Pick<SuppressionRepository, 'find'>;

/** An integration with the dialect of its environment and the hold that it waits for. */
export type StoredIntegration = Integration & { dialect?: Dialect | null; holdId?: string | null };

export interface Integrations {
  listActive(environmentId: EnvironmentId): Promise<StoredIntegration[]>;
  sendingSettings(environmentId: EnvironmentId): Promise<SendingSettings>;
  heldIntegrations(environmentIds: string[]): Promise<{ integrationId: string; holdId: string }[]>;
  setHealth(environmentId: EnvironmentId, id: string, health: IntegrationHealth | null): Promise<void>;
}

/** How much time the templates of environments may take. */
export type RenderTime = Pick<TemplateRenderer, 'overBudget'>;

/** Hints for the queue. A lost hint delays a step until the sweeper offers it; it never loses a step. */
export interface Offers {
  steps(steps: QueuedStep[]): void;
  alarm(step: QueuedStep, delayMs: number): void;
}

export interface Realtime {
  publish(events: RealtimeEvent[]): Promise<void>;
}

export interface DeadTokens {
  remove(token: DeadToken): Promise<void>;
}
export type DeadToken = { environmentId: EnvironmentId; channelId: string; token: string };

export interface DeliveryLog {
  warn(fields: object, text: string): void;
  info(fields: object, text: string): void;
}
