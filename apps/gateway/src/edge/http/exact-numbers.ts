/** Digits, point and exponent of a number in JSON. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A longer one is not worth the time. */
const LONGEST = 400;
/** A larger one is refused, whether a double holds it or not. */
export const LARGEST_NUMBER = 1e30;

/** Whether a double is the number, or is written as it: `1e21`, `9007199254740994`, but not `9007199254740993`. */
export function isExact(literal: string): boolean {
  const value = Number(literal);
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return Number.isFinite(value);
  if (Math.abs(value) > LARGEST_NUMBER) return false;
  const wanted = literal.length > LONGEST ? undefined : wholeNumber(literal);
  return wanted !== undefined && (wanted === BigInt(value) || wanted === wholeNumber(String(value)));
}

function wholeNumber(literal: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.min(Math.abs(shift), LONGEST));
  if (shift < 0 && digits % scale !== 0n) return undefined;
  const size = shift < 0 ? digits / scale : digits * scale;
  return sign ? -size : size;
}
