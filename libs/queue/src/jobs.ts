/**
 * What travels through the queue: ids and a version, never content. The rows hold the facts; a job only says "look here",
 * so a lost job costs nothing but time, and an old worker can read a new job.
 */
export interface QueuePayloads {
  /** Accepted triggers that wait to be turned into notifications. */
  trigger: TriggerJob;
}

export type QueueName = keyof QueuePayloads;

export const QUEUE_NAMES: readonly QueueName[] = ['trigger'];

export type TriggerJob = { v: 1; triggerIds: string[] };
