/**
 * Normalises a phone number to digits with an optional leading `+`. Returns undefined unless the text is exactly one
 * number: many providers accept a list here and would send to every number in it.
 */
export function oneNumber(text: string): string | undefined {
  const number = text.replace(/[\s().-]/g, '');
  return /^\+?\d{3,20}$/.test(number) ? number : undefined;
}
