export type Stage = 'accept' | 'queue' | 'render' | 'rate_limit' | 'provider' | 'commit' | 'end_to_end';
export type MessageOutcome = 'sent' | 'failed' | 'retried' | 'in_doubt' | 'suppressed';
/** What the sweeper found: a trigger or step without a job, or a row whose lease has expired. */
export type RescueKind = 'trigger' | 'step' | 'lease';
export type CallKind = 'trigger' | 'other';
/** Statements that are shared by many rows. */
export type BatchKind = 'accept' | 'fan_out' | 'claim' | 'render' | 'mark' | 'record';

/** Why an event was not sent to a connected inbox at once. */
export type SocketDrop = 'slow' | 'overload';

/** Limits of an environment on its events. */
export type LimitName = 'events_per_second' | 'messages_per_day';
/** A limit is null when there is none. */
export type LimitUse = {
  eventsPerSecond: number | null;
  askedPerSecond: number;
  otherEventsPerSecond: number;
  messagesPerDay: number | null;
  messagesToday: number;
};

export type PoolUse = { used: number; idle: number; waiting: number };

export type WebhookCallOutcome = 'delivered' | 'retried' | 'failed';

/** What happened to a copy of a trigger for another system, or to its comparison. */
export type MirrorOutcome = 'sent' | 'refused' | 'retried' | 'failed' | 'same' | 'different' | 'notCompared';
