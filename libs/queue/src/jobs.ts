import { type Channel, CHANNELS, type StepId, type TriggerId } from '@clarion/contracts/core';

/**
 * What travels through the queue: ids and a version, never content. The rows hold the facts; a job only says "look here",
 * so a lost job costs nothing but time, and an old worker can read a new job.
 */
export type QueuePayloads = {
  /** Accepted triggers that wait to be turned into notifications. */
  trigger: TriggerJob;
  /** Steps of the engine (digest, delay, throttle, custom) that are due, or will be when the delay of the job is over. */
  timer: StepsJob;
} & Record<DeliveryQueue, StepsJob>;

export type QueueName = keyof QueuePayloads;

/** Due steps of one channel. */
export type DeliveryQueue = `deliver.${Channel}`;

export const deliveryQueue = (channel: Channel): DeliveryQueue => `deliver.${channel}`;

export const QUEUE_NAMES: readonly QueueName[] = ['trigger', 'timer', ...CHANNELS.map(deliveryQueue)];

export type TriggerJob = { v: 1; triggerIds: TriggerId[] };
export type StepsJob = { v: 1; stepIds: StepId[] };

/** False for a job of a newer release: this one must leave it to a process that understands it. */
export const isReadable = (payload: unknown): payload is QueuePayloads[QueueName] =>
  typeof payload === 'object' && payload !== null && 'v' in payload && payload.v === 1;

/** How many rows a job names. */
export const itemsOf = (payload: QueuePayloads[QueueName]): number =>
  'stepIds' in payload ? payload.stepIds.length : payload.triggerIds.length;
