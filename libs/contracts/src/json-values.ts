import { isShallow, type Json } from './json';
import { LIMITS } from './limits';

/**
 * Reads JSON that another system or a tenant wrote. Undefined for what is not JSON, and for more values or levels than
 * a body of this service may have: many values take long to read, and code that walks deep ones exceeds the stack.
 */
export function readJson(text: string, levels: number = LIMITS.jsonDepth): Json | undefined {
  // A value takes two characters, so most texts need no count.
  if (text.length > 2 * LIMITS.jsonValues && holdsMoreValuesThan(LIMITS.jsonValues, text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isShallow(value, levels) ? value : undefined;
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** Counts commas and opening brackets outside strings. A native search skips long strings such as files in base64. */
export function holdsMoreValuesThan(limit: number, text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if ((code === COMMA || code === BRACKET || code === BRACE) && (values += 1) > limit) return true;
  }
  return false;
}

/** Returns the position of the quote that ends the string, or the end of the text if there is none. */
export function endOfText(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
