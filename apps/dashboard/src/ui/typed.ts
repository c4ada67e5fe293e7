/** The JSON object that was typed, an empty one for no text, or what is wrong with it. */
export function objectOf(
  text: string,
): { value: Record<string, unknown>; fault?: undefined } | { value?: undefined; fault: string } {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { value: value as Record<string, unknown> } : { fault: 'This is not an object.' };
  } catch (error) {
    return { fault: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A time in the zone of the reader, as a field for local times has it; empty if there is no such time. */
export function localTime(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
