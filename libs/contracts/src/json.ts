/** What JSON can hold. Payloads and custom data are of this type, never `any`. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The same text for the same value whatever the order of its keys: bodies under one transactionId or idempotency key are
 * compared by it. Absent (`undefined`) members are left out, as in JSON.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  // Built by hand: every event of a bulk call passes through here.
  let text = '';
  if (Array.isArray(value)) {
    // A run of scalars is one native call: one call for each costs many times what parsing them did.
    let scalars: unknown[] = [];
    const flush = (): void => {
      if (scalars.length > 0) text += `${text === '' ? '' : ','}${JSON.stringify(scalars).slice(1, -1)}`;
      scalars = [];
    };
    for (const item of value) {
      if (typeof item !== 'object' || item === null) scalars.push(item);
      else {
        flush();
        text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
      }
    }
    flush();
    return `[${text}]`;
  }
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
