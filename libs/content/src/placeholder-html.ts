import type { Placeholders } from './placeholders';
import { type HtmlAttribute, type HtmlPiece, readStrict } from './strict-html';

/** Attributes that the sanitizer keeps as they are; URLs only with a scheme or path that the author wrote. */
const TEXT_ATTRIBUTES = new Set(['alt', 'title']);
const URL_ATTRIBUTES = new Set(['href', 'src']);
const URL_START = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\]))/i;

/** After these characters, letters and digits could belong to an entity. */
const OPEN_ENTITY = /&[#\w]*$/;

/** The pieces of the HTML, how often each placeholder is in it, and the placeholders with which a URL begins. */
export type Places = { pieces: HtmlPiece[]; counts: Map<number, number>; atUrlStart: number[] };

/**
 * Finds the placeholders in HTML. Undefined unless all of them are in the text or in a quoted attribute whose value may
 * contain any inert text: then replacing them changes no border of a tag, an attribute or an entity.
 */
export function findPlaces(html: string, placeholders: Placeholders): Places | undefined {
  const pieces = readStrict(html);
  if (!pieces) return undefined;
  const places: Places = { pieces, counts: new Map(), atUrlStart: [] };
  for (const piece of pieces) {
    if (piece.kind === 'text' && !countIn(piece.text, placeholders, places)) return undefined;
    if (piece.kind !== 'open') continue;
    for (const attribute of piece.attributes) {
      if (placeholders.isPartOf(attribute.value) && !countInAttribute(attribute, placeholders, places))
        return undefined;
    }
  }
  const counted = [...places.counts.values()].reduce((sum, count) => sum + count, 0);
  // The rest are in comments, in styles or in names.
  return counted === placeholders.in(html).length ? places : undefined;
}

function countIn(text: string, placeholders: Placeholders, { counts }: Places): boolean {
  for (const match of text.matchAll(placeholders.pattern)) {
    if (OPEN_ENTITY.test(text.slice(0, match.index))) return false;
    const number = Number(match[1]);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return true;
}

function countInAttribute(
  { name, value, isQuoted }: HtmlAttribute,
  placeholders: Placeholders,
  places: Places,
): boolean {
  if (!isQuoted || value.includes('<') || !countIn(value, placeholders, places)) return false;
  if (TEXT_ATTRIBUTES.has(name)) return true;
  if (!URL_ATTRIBUTES.has(name)) return false;
  const at = value.search(placeholders.pattern);
  if (at === 0) places.atUrlStart.push(placeholders.in(value)[0]!);
  return at === 0 || URL_START.test(value.slice(0, at));
}

/** Plain text leaves out a URL that equals its link text. True when that could depend on values. */
export function hasComparedLinks(pieces: HtmlPiece[], placeholders: Placeholders): boolean {
  return pieces.some((piece, index) => {
    if (piece.kind !== 'open' || piece.tag !== 'a') return false;
    const href = piece.attributes.find(({ name }) => name === 'href')?.value ?? '';
    const end = pieces.findIndex((other, at) => at > index && other.kind === 'close' && other.tag === 'a');
    const inside = pieces.slice(index + 1, end < 0 ? undefined : end);
    const text = inside.map((one) => (one.kind === 'text' ? one.text : '')).join('');
    if (href === '' || !(placeholders.isPartOf(href) || placeholders.isPartOf(text))) return false;
    const isNested = inside.some((one) => one.kind === 'open' && one.tag === 'a');
    const mayDiffer = placeholders.remove(text).replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39);/g, '');
    return isNested || !placeholders.remove(href).includes('/') || /[/&]/.test(mayDiffer);
  });
}
