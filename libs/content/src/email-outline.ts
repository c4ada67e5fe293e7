import type { Json, JsonObject } from '@clarion/contracts/core';
import type { EmailBlockDto } from '@clarion/contracts';
import type { ComposedEmail } from './composed-messages';
import type { OutlineValue } from './outline';
import { mapTexts } from './templates';

/**
 * An email that was composed once, with places for its values. `read-email-outline.ts` makes it in a render process;
 * here the event loop fills it for each message. Both agree on one condition: every value is inert, that is, nothing
 * between the template and the message treats it differently from any other inert value.
 */
export type EmailTemplate = { controls: JsonObject; layout: JsonObject | string | null; escapeHtml: boolean };

/** `values` are read for each message. `outline` is null when the email must be composed for each message. */
export type EmailOutlineAnswer = { values: OutlineValue[]; outline: EmailOutline | null };

export type EmailOutline = {
  subject: PlacedValues;
  html: PlacedValues;
  text: PlacedValues;
  preheader?: PlacedValues;
  blocks?: { source: Json; texts: PlacedValues[] };
  /** True when an apostrophe is the same in all texts: it is escaped in templates, and the sanitizer decodes it. */
  apostrophes: boolean;
  /** The indexes of the values that are whole URLs, from their scheme on. */
  urls: number[];
  /** The characters of the longest stage without the values, and how often each value is inserted in all stages. */
  size: number;
  inserts: number[];
};

/** Texts around values; the values are indexes. */
export type PlacedValues = { literals: string[]; values: number[] };

const VALUE_CHARACTERS = 512;
/** The length of `&#39;`. */
const ESCAPED_CHARACTERS = 5;

/**
 * Letters, digits, single spaces inside, and signs that mean nothing in HTML, in quoted attributes, to the conversion
 * to plain text, in a URL after its scheme, and in a header. Not inert are, for example, `&`, `<`, quotes, `/` and `[`.
 */
const INERT_ASCII = /^[A-Za-z0-9.,:;!?@_+*=%$()-]+(?: [A-Za-z0-9.,:;!?@_+*=%$()-]+)*$/;
const SIGN = '[\\p{L}\\p{M}\\p{N}.,:;!?@_+*=%$()\\-\\u2013\\u2014\\u2019\\u2026\\u20ac\\u00a3]';
const INERT = new RegExp(`^${SIGN}+(?: ${SIGN}+)*$`, 'u');
/** A URL without characters that HTML escapes. */
const INERT_URL = /^https?:\/\/[A-Za-z0-9][A-Za-z0-9._~/?=%@:+,;!*()#-]*$/;

/** The email with these values; undefined when one of them is not inert or the email would be too long. */
export function fillEmail(outline: EmailOutline, texts: string[], most: number): ComposedEmail | undefined {
  let { size } = outline;
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index]!;
    if (text === '') continue;
    const hasApostrophe = outline.apostrophes && text.includes("'");
    const word = hasApostrophe ? text.replaceAll("'", 'x') : text;
    if (text.length > VALUE_CHARACTERS || !isInert(word, outline.urls.includes(index))) return undefined;
    size += text.length * (hasApostrophe ? ESCAPED_CHARACTERS : 1) * outline.inserts[index]!;
  }
  if (size > most) return undefined;
  const { subject, html, text, preheader, blocks } = outline;
  return {
    subject: fill(subject, texts),
    html: fill(html, texts),
    text: fill(text, texts),
    ...(preheader && { preheader: fill(preheader, texts) }),
    ...(blocks && { blocks: fillBlocks(blocks.source, blocks.texts, texts) }),
  };
}

const isInert = (text: string, isUrl: boolean): boolean =>
  isUrl ? INERT_URL.test(text) : INERT_ASCII.test(text) || INERT.test(text);

function fill({ literals, values }: PlacedValues, texts: string[]): string {
  let text = literals[0]!;
  for (let index = 0; index < values.length; index += 1) text += texts[values[index]!]! + literals[index + 1]!;
  return text;
}

function fillBlocks(source: Json, placed: PlacedValues[], texts: string[]): EmailBlockDto[] {
  let next = 0;
  return mapTexts({ source }, () => fill(placed[next++]!, texts))['source'] as unknown as EmailBlockDto[];
}

export const outlineSize = ({ values, outline }: EmailOutlineAnswer): number =>
  JSON.stringify(values).length + (outline ? JSON.stringify(outline).length : 0);
