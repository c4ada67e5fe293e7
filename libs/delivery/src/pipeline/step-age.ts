import type { ClaimedStep } from '@clarion/persistence';

type Aged = Pick<ClaimedStep, 'ageMs' | 'claimedAt'>;

/**
 * How long ago the trigger of the step was accepted, in milliseconds: by the clock of the database until the claim, and
 * by the monotonic clock of the process from then on. The date of the worker's machine does not matter.
 */
export const ageMs = (step: Aged): number => step.ageMs + (performance.now() - step.claimedAt);

/** How much longer a message of the step may be sent, in milliseconds. */
export const leftMs = (step: Aged & Pick<ClaimedStep, 'ttl'>): number =>
  step.ttl === null ? Infinity : step.ttl * 1_000 - ageMs(step);

export const isExpired = (step: Aged & Pick<ClaimedStep, 'ttl'>): boolean => leftMs(step) <= 0;
