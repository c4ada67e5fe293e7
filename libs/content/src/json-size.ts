import type { Json } from '@clarion/contracts/core';

/** True when a value certainly takes more than this many characters as JSON. Stops there, and writes no JSON. */
export function isLonger(value: Json, characters: number): boolean {
  return leftAfter(characters, value) < 0;
}

function leftAfter(left: number, value: Json | undefined): number {
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - 1;
  left -= 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = leftAfter(left - 1, value[index]);
    return left;
  }
  for (const key in value) {
    if (left < 0) break;
    left = leftAfter(left - key.length - 4, value[key]);
  }
  return left;
}
