import {
  contextEntries,
  contextKey,
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
  if (entries.length > LIMITS.contexts) {
    return { context: { messages: [`context must have at most ${LIMITS.contexts} entries`] } };
  }
  for (const [type, value] of entries) {
    const id = isJsonObject(value) ? value['id'] : value;
    const fault = nameFault('type', type, LIMITS.contextType) ?? nameFault('id', id, LIMITS.contextId);
    if (fault) return { [`context.${type}`]: { messages: [`context.${type}: ${fault}`] } };
    const data = isJsonObject(value) ? value['data'] : undefined;
    if (data !== undefined && !isJsonObject(data)) {
      return { [`context.${type}.data`]: { messages: [`context.${type}.data must be an object`] } };
    }
    if (data !== undefined && jsonBytes(data) > LIMITS.dataBytes) {
      const field = `context.${type}.data`;
      return { [field]: { messages: [tooManyBytes(field, LIMITS.dataBytes)] } };
    }
  }
  const bytes = Buffer.byteLength(contextEntries(context).map(contextKey).join());
  if (bytes <= LIMITS.contextBytes) return undefined;
  return { context: { messages: [`context must not have more than ${LIMITS.contextBytes} bytes of types and ids`] } };
}

function nameFault(what: string, name: unknown, longest: number): string | undefined {
  const isName = typeof name === 'string' && name !== '' && name.length <= longest;
  return isName ? undefined : `the ${what} must be a text of 1 to ${longest} characters`;
}
