import { randomBytes } from 'node:crypto';
import { sha256 } from './secret-box';

/** `clr_<environment>_<43 characters>`: 256 random bits with a prefix that secret scanners and people recognize. */
export function generateApiKey(environmentName: string): string {
  const word =
    environmentName
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 4) || 'env';
  return `clr_${word}_${randomBytes(32).toString('base64url')}`;
}

export const hashApiKey = (key: string): Buffer => sha256(key);

/** The part of a key that may be shown after its creation. */
export const apiKeyPrefix = (key: string): string => key.slice(0, Math.min(12, Math.floor(key.length / 3)));
