/**
 * `+` and digits, or digits; undefined when the text is not exactly one number. Many providers take a list where a number is
 * expected, and would send to all of it.
 */
export function oneNumber(text: string): string | undefined {
  const number = text.replace(/[\s().-]/g, '');
  return /^\+?\d{3,20}$/.test(number) ? number : undefined;
}
