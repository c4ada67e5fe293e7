import { createHash } from 'node:crypto';

/**
 * The id of a message to one of several targets of a step. It is the same in every attempt, because providers recognise
 * a repeated message by it. It contains the time of the step, because messages are partitioned by time.
 */
export function messageIdOf(stepId: string, target: string): string {
  const hash = createHash('sha256').update(`${stepId} ${target}`).digest('hex');
  return `${stepId.slice(0, 14)}7${hash.slice(0, 3)}-${variant(hash[3]!)}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}

const variant = (digit: string): string => '89ab'[Number.parseInt(digit, 16) % 4]!;
