/** The values that the body of an email may have. They are read without the editor, which is large. */
type Json = Record<string, unknown>;
export type EmailDocument = { type: 'doc'; content: unknown[] };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDocument = (value: unknown): value is EmailDocument =>
  isObject(value) && value['type'] === 'doc' && Array.isArray(value['content']);

/** The document in the value of a body: an object, or its JSON text. Undefined for HTML. */
export function documentIn(body: unknown): EmailDocument | undefined {
  if (isDocument(body)) return body;
  if (typeof body !== 'string' || !/^\s*\{/.test(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The body of blocks as the older list of them, which has texts and buttons only. */
type OlderBlock = { type: string; content: string; url?: string; styles?: { textAlign?: string } };

/** A document with the content of a body that is none: HTML stays HTML in one block. */
export function asDocument(body: unknown): EmailDocument {
  if (Array.isArray(body)) return { type: 'doc', content: (body as OlderBlock[]).map(fromOlderBlock) };
  const text = typeof body === 'string' ? body.trim() : '';
  if (text === '') return { type: 'doc', content: [{ type: 'paragraph' }] };
  if (/<[a-z!/]|\{%/i.test(text)) {
    return { type: 'doc', content: [{ type: 'htmlCodeBlock', content: [{ type: 'text', text }] }] };
  }
  return { type: 'doc', content: text.split(/\n{2,}/).map((part) => paragraph(part)) };
}

const paragraph = (text: string, textAlign?: string) => ({
  type: 'paragraph',
  ...(textAlign && { attrs: { textAlign } }),
  ...(text !== '' && { content: [{ type: 'text', text }] }),
});

const fromOlderBlock = ({ type, content, url, styles }: OlderBlock) =>
  type === 'button'
    ? { type: 'button', attrs: { text: content, url: url ?? '', alignment: styles?.textAlign ?? 'center' } }
    : paragraph(content, styles?.textAlign);

export const isEmptyDocument = ({ content: [first, ...others] }: EmailDocument): boolean =>
  others.length === 0 && (first === undefined || JSON.stringify(first) === '{"type":"paragraph"}');
