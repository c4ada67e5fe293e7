import {
  CONTEXT_NAME,
  type FieldErrors,
  isJsonObject,
  jsonBytes,
  type JsonObject,
  LIMITS,
  tooManyBytes,
} from '@clarion/contracts';

/** Validates the `context` of a request. Returns the errors, or undefined if it is valid. */
export function contextFault(context: JsonObject | undefined): FieldErrors | undefined {
  if (context === undefined) return undefined;
  const entries = Object.entries(context);
  if (entries.length === 0 || entries.length > LIMITS.contexts) {
    return { context: { messages: [`context must have 1 to ${LIMITS.contexts} entries`] } };
  }
  for (const [type, value] of entries) {
    const id = isJsonObject(value) ? value['id'] : value;
    if (!CONTEXT_NAME.test(type) || typeof id !== 'string' || !CONTEXT_NAME.test(id)) {
      return {
        [`context.${type}`]: { messages: [`context.${type}: type and id must be 1 to 100 letters, digits, - or _`] },
      };
    }
    const data = isJsonObject(value) ? value['data'] : undefined;
    if (data !== undefined && !isJsonObject(data)) {
      return { [`context.${type}.data`]: { messages: [`context.${type}.data must be an object`] } };
    }
    if (data !== undefined && jsonBytes(data) > LIMITS.dataBytes) {
      const field = `context.${type}.data`;
      return { [field]: { messages: [tooManyBytes(field, LIMITS.dataBytes)] } };
    }
  }
  return undefined;
}
