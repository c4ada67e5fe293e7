import { type Channel, CHANNELS, type StepId, type TriggerId } from '@clarion/contracts/core';

/** Ids and a version, never content. A lost job costs only time, and an old worker can read a new job. */
export type QueuePayloads = {
  /** Accepted triggers that have not been turned into notifications yet. */
  trigger: TriggerJob;
  /** Steps that the engine runs and that are due, or will be due after the delay of the job. */
  timer: StepsJob;
} & Record<DeliveryQueue, StepsJob>;

export type QueueName = keyof QueuePayloads;

export type DeliveryQueue = `deliver.${Channel}`;

export const deliveryQueue = (channel: Channel): DeliveryQueue => `deliver.${channel}`;

export const QUEUE_NAMES: readonly QueueName[] = ['trigger', 'timer', ...CHANNELS.map(deliveryQueue)];

export type TriggerJob = { v: 1; triggerIds: TriggerId[] };
/** `lapsed`: the last holders of the steps crashed. */
export type StepsJob = { v: 1; stepIds: StepId[]; lapsed?: boolean };

/** False for a job of a newer release: the consumer has to leave it to a process that can read it. */
export const isReadable = (payload: unknown): payload is QueuePayloads[QueueName] =>
  typeof payload === 'object' && payload !== null && 'v' in payload && payload.v === 1;

export const itemsOf = (payload: QueuePayloads[QueueName]): number =>
  'stepIds' in payload ? payload.stepIds.length : payload.triggerIds.length;
