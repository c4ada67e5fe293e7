import { createHash } from 'node:crypto';

/** The same in every attempt, for providers that recognise repeats; it has the time of the step, for partitions. */
export function messageIdOf(stepId: string, target: string): string {
  const hash = createHash('sha256').update(`${stepId} ${target}`).digest('hex');
  return `${stepId.slice(0, 14)}7${hash.slice(0, 3)}-${variant(hash[3]!)}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}

const variant = (digit: string): string => '89ab'[Number.parseInt(digit, 16) % 4]!;
