/**
 * Reads HTML that every parser reads in the same way: complete tags with quoted attributes, text without `<`, comments
 * and a doctype. `readStrict` returns undefined for all other HTML. So the pieces are known exactly, and text without
 * special characters can replace other such text inside a piece without changing its borders.
 */
export type HtmlPiece =
  | { kind: 'text'; text: string; inside?: 'title' }
  | { kind: 'open'; tag: string; attributes: HtmlAttribute[] }
  | { kind: 'close'; tag: string }
  /** Comments, the doctype, the content of `style`. */
  | { kind: 'other'; text: string };

export type HtmlAttribute = { name: string; value: string; isQuoted: boolean };

const TEXT = /[^<]+/y;
const COMMENT = /<!--(?!-?>)[^]*?-->/y;
const DOCTYPE = /<!doctype[^<>]*>/iy;
const CLOSE = /<\/([a-z][a-z0-9]*)\s*>/iy;
const OPEN = /<([a-z][a-z0-9]*)(?=[\s/>])/iy;
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/y;
const OPEN_END = /\s*\/?>/y;

/** Parsers read the content of these in a special mode, or differ in it. */
const REFUSED = new Set(
  'script textarea xmp iframe noembed noframes noscript plaintext template svg math option select'.split(' '),
);

export function readStrict(html: string): HtmlPiece[] | undefined {
  const pieces: HtmlPiece[] = [];
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(html);
    if (match) at += match[0].length;
    return match;
  };
  const readOpen = (name: string): boolean => {
    const tag = name.toLowerCase();
    if (REFUSED.has(tag)) return false;
    const attributes: HtmlAttribute[] = [];
    for (let match = next(ATTRIBUTE); match; match = next(ATTRIBUTE)) {
      const [, attribute, double, single, unquoted] = match;
      const value = double ?? single;
      attributes.push({
        name: attribute!.toLowerCase(),
        value: value ?? unquoted ?? '',
        isQuoted: value !== undefined,
      });
    }
    const end = next(OPEN_END);
    if (!end) return false;
    pieces.push({ kind: 'open', tag, attributes });
    return tag === 'title' || tag === 'style' ? !end[0].includes('/') && readRaw(tag) : true;
  };
  const readRaw = (tag: 'title' | 'style'): boolean => {
    const text = next(TEXT)?.[0] ?? '';
    pieces.push(tag === 'title' ? { kind: 'text', text, inside: tag } : { kind: 'other', text });
    const close = next(CLOSE);
    pieces.push({ kind: 'close', tag });
    return close?.[1]!.toLowerCase() === tag;
  };
  while (at < html.length) {
    const text = next(TEXT);
    const other = text ? null : (next(COMMENT) ?? next(DOCTYPE));
    const close = text || other ? null : next(CLOSE);
    const open = text || other || close ? null : next(OPEN);
    if (text) pieces.push({ kind: 'text', text: text[0] });
    else if (other && !other[0].includes('--!>')) pieces.push({ kind: 'other', text: other[0] });
    else if (close) pieces.push({ kind: 'close', tag: close[1]!.toLowerCase() });
    else if (!open || !readOpen(open[1]!)) return undefined;
  }
  return pieces;
}
