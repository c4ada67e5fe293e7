import type { JsonObject } from '@clarion/contracts/core';

/** A JSON schema whose check takes 2^depth steps: each level tries the next level twice. */
export function nestedChoices(depth: number, never = 'never'): JsonObject {
  const $defs: JsonObject = { [`d${depth}`]: { required: [never] } };
  for (let level = 0; level < depth; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
}
