import type { Channel, DueCause, HoldCause, IntegrationState, Lane, StepType } from '@clarion/contracts/core';

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

/** The backlog of the whole installation, as read from the database. */
export type Lag = {
  steps: { type: StepType; lane: Lane; cause: DueCause; due: number; oldestSeconds: number }[];
  /** Due steps that a process could do now, by environment; the one with the most first. */
  environments: EnvironmentLag[];
  triggers: { open: number; oldestSeconds: number };
  accounts: AccountCount[];
  held: { target: HoldCause; steps: number }[];
  webhooks: WebhookLag;
  mirrors: MirrorLag;
  postgres: PostgresLag;
};
export type EnvironmentLag = { environmentId: string; due: number; oldestSeconds: number };
/** What makes Postgres slower over time. */
export type PostgresLag = {
  /** Null before the first maintenance. */
  maintenanceSeconds: number | null;
  retentionObstacles: number;
  oldestTransactionSeconds: number;
  oldestSnapshotTransactions: number;
  deadRows: { table: string; rows: number }[];
};
/** The number of integrations in a state; a single integration with its ids when environments are separate labels. */
export type AccountCount = {
  channel: Channel;
  providerId: string;
  state: IntegrationState;
  integrations: number;
  environmentId?: string;
  integrationId?: string;
};

export type WebhookCallOutcome = 'delivered' | 'retried' | 'failed';
/** What webhook endpoints have not got yet. */
export type WebhookLag = {
  /** Entries that active endpoints still have to get. */
  waiting: number;
  /** The age of the oldest of them, for endpoints whose last call did not fail. */
  oldestSeconds: number;
  /** Endpoints by state: `failing` ones are active, and their last call failed. */
  endpoints: Record<WebhookEndpointState, number>;
};
export const WEBHOOK_ENDPOINT_STATES = ['active', 'failing', 'disabled'] as const;
type WebhookEndpointState = (typeof WEBHOOK_ENDPOINT_STATES)[number];

/** What happened to a copy of a trigger for another system, or to its comparison. */
export type MirrorOutcome = 'sent' | 'refused' | 'retried' | 'failed' | 'same' | 'different' | 'notCompared';
/** What other systems have not got yet. */
export type MirrorLag = {
  /** Copies that wait to be sent. */
  waiting: number;
  /** Mirrors that take copies or still have some; the last call of the failing ones failed. */
  mirrors: Record<MirrorLagState, number>;
};
export const MIRROR_LAG_STATES = ['working', 'failing'] as const;
type MirrorLagState = (typeof MIRROR_LAG_STATES)[number];
