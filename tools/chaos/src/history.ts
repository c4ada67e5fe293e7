/** What an experiment saw from outside, and what the database has on record. The checker reads nothing else. */

/** One event that the load generator sent. */
export type SentEvent = {
  transactionId: string;
  workflow: string;
  subscribers: string[];
  /** `Date.now()` of the first attempt; the event cannot have been accepted before. */
  sentAt: number;
  /** Of the response that acknowledged it; undefined if none did. */
  acknowledgedAt?: number;
  /** The bulk call that contained it; the events of a call have an order. */
  call: number;
};

/** One response of a gateway; status 0 is a connection that ended without a response. */
export type Response = {
  status: number;
  retryAfter?: string;
  text?: string;
  /** Why one event of a call was not acknowledged although the call was. */
  refused?: string;
};

/** One call that the provider received. */
export type ProviderCall = {
  at: number;
  transactionId: string;
  subscriberId: string;
  stepKey: string;
  /** The idempotency key that the provider reads, if it reads one. */
  key?: string;
  /** The events of a digest, in their order. */
  digested?: string[];
  /** Whether the provider answered that it took the message. */
  accepted: boolean;
};

export type StepRecord = {
  transactionId: string;
  subscriberId: string;
  notificationId: string;
  stepKey: string;
  position: number;
  type: string;
  state: string;
  /** The message of its error, or its last execution detail. */
  reason?: string | null;
  queuedAt?: number;
  /** When the notification of the step was created. */
  notifiedAt: number;
  endedAt: number;
  /** By the execution details: how often a worker stopped with the message, and how often a call failed. */
  flaggedResends: number;
  flaggedFailures: number;
  /** Messages of this step. */
  messages: number;
};

export type Records = {
  /** The transactionIds that have a trigger, each as often as it has one. */
  triggers: string[];
  steps: StepRecord[];
  /** What is still open. */
  open: { transactionId: string; type: string; stepKey?: string }[];
};

/** What a workflow of an experiment promises. */
export type WorkflowFacts = {
  /** Steps in their order. */
  steps: { key: string; type: 'email' | 'sms' | 'in_app' | 'delay' | 'digest' }[];
  /** Nothing after the timer may happen earlier than this after the event was sent. */
  timerMs?: number;
};

export type History = {
  events: SentEvent[];
  responses: Response[];
  calls: ProviderCall[];
  records: Records;
  workflows: Record<string, WorkflowFacts>;
};
