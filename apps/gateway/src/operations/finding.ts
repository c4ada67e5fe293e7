import type { FindingDto, FindingSeverity } from '@clarion/contracts';

/** A finding of the doctor. What is fine needs no advice. */
export const finding = (
  check: string,
  severity: FindingSeverity,
  found: string,
  advice: string | null = null,
): FindingDto => ({ check, severity, found, advice: severity === 'ok' ? null : advice });
