/** `<kebab name>_wf_<id>`, `_st_`, `_ly_`, with the id in base 62. Only the id is read, so renames keep links. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62n;

export function kebabCase(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export const workflowSlug = (name: string, id: string): string => `${kebabCase(name) || 'workflow'}_wf_${toBase62(id)}`;

export const stepSlug = (name: string, id: string): string => `${kebabCase(name) || 'step'}_st_${toBase62(id)}`;

export const layoutSlug = (name: string, id: string): string => `${kebabCase(name) || 'layout'}_ly_${toBase62(id)}`;

/** The id in a slug; undefined when the text is not a slug of that kind. */
export function idOfSlug(slug: string, kind: 'wf' | 'st' | 'ly'): string | undefined {
  const [, digits] = new RegExp(`_${kind}_([0-9A-Za-z]{1,22})$`).exec(slug) ?? [];
  return digits === undefined ? undefined : fromBase62(digits);
}

export function toBase62(id: string): string {
  let rest = BigInt(`0x${id.replaceAll('-', '')}`);
  let digits = '';
  do {
    digits = DIGITS[Number(rest % BASE)] + digits;
    rest /= BASE;
  } while (rest > 0n);
  return digits;
}

export function fromBase62(digits: string): string | undefined {
  let value = 0n;
  for (const digit of digits) value = value * BASE + BigInt(DIGITS.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return hex.length > 32 ? undefined : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
