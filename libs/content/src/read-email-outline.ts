import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '@clarion/contracts/core';
import { composeEmail } from './compose-email';
import { documentTemplates, hasRepeatedPart, isEmailDocument } from './email-blocks';
import { contentHtml, pageHtml, readControls, readLayout } from './email-body';
import type { EmailOutline, EmailOutlineAnswer, EmailTemplate, PlacedValues } from './email-outline';
import type { OutlineValue } from './outline';
import { findPlaces, hasComparedLinks } from './placeholder-html';
import { Placeholders } from './placeholders';
import { readOutline } from './read-outline';
import { isTemplate, mapTexts } from './templates';

/** Thrown inside this file: each message of the template has to be composed. */
class NoOutline extends Error {}

/**
 * Composes an email with placeholders in place of its values, and returns the texts between them. Null when a template
 * is more than a list of values; an answer without an outline when a value is at a place where its characters could
 * matter. `empty` lists the values that are empty in this outline, because emptiness changes an email: spaces are
 * joined, attributes are dropped. Runs in the render process.
 */
export function readEmailOutline(template: EmailTemplate, empty: number[]): EmailOutlineAnswer | null {
  const values: OutlineValue[] = [];
  try {
    const outline = outlineWith(template, new Placeholders(randomBytes(16).toString('hex'), values, empty));
    return { values, outline };
  } catch (error) {
    if (error instanceof NoOutline) return null;
    throw error;
  }
}

/** A value at the place of a whole URL gets a placeholder that is a URL. Such places are known after the first try. */
function outlineWith(template: EmailTemplate, placeholders: Placeholders): EmailOutline | null {
  const first = composeWith(template, placeholders);
  if (!Array.isArray(first)) return first;
  placeholders.restart(first);
  const second = composeWith(template, placeholders);
  return Array.isArray(second) ? null : second;
}

/** The outline, null when there is none, or the placeholders that have to be URLs. */
function composeWith(template: EmailTemplate, placeholders: Placeholders): EmailOutline | null | number[] {
  const { controls, layoutHtml, size } = renderWith(template, placeholders);
  const body = controls['body'] ?? '';
  // A message with such a body is read as JSON once more, after its values are inserted.
  if (typeof body === 'string' && /^\s*[[{]/.test(body)) return null;
  const written = layoutHtml ?? pageHtml(body);
  const inWritten = findPlaces(written, placeholders);
  if (!inWritten) return null;
  const lost = placeholders.shown.filter((number) => !inWritten.counts.has(number));
  const urls = [...inWritten.atUrlStart, ...lost];
  if (urls.length > 0) return urls;
  const { html } = composeEmail({ ...controls, preheader: '' }, { layoutHtml });
  const inHtml = findPlaces(html, placeholders);
  if (!inHtml || !isSame(inWritten.counts, inHtml.counts) || hasComparedLinks(inHtml.pieces, placeholders)) return null;
  const outline = outlineOf(composeEmail(controls, { layoutHtml }) as unknown as JsonObject, placeholders, size);
  // The hidden preheader is written after the HTML was sanitized.
  const isDecoded = controls['disableOutputSanitization'] !== true && !outline?.preheader?.values.length;
  return outline && { ...outline, apostrophes: template.escapeHtml && isDecoded };
}

function renderWith(
  { controls, layout }: EmailTemplate,
  placeholders: Placeholders,
): { controls: JsonObject; layoutHtml?: string; size: number } {
  let size = 0;
  const render = (source: JsonObject, name: 'body' | 'layout', content?: string): JsonObject =>
    mapTexts({ ...source, [name]: withoutRepetition(source[name] ?? '') }, (text, path) => {
      const isShown = path === name || path.startsWith(`${name}.`);
      const rendered = isTemplate(text) ? renderText(text, placeholders, isShown, content) : text;
      size += rendered.length;
      return rendered;
    });
  const step = render(readControls(controls), 'body');
  if (layout === null) return { controls: step, size };
  const content = contentHtml(step['body']);
  const frame = render(readLayout(layout), 'layout', content);
  return { controls: step, layoutHtml: pageHtml(frame['layout'], content), size };
}

function withoutRepetition(body: Json): Json {
  if (!isEmailDocument(body)) return body;
  if (body.content.some(hasRepeatedPart)) throw new NoOutline();
  return documentTemplates(body, {});
}

function renderText(text: string, placeholders: Placeholders, isShown: boolean, content: string | undefined): string {
  const outline = readOutline(text);
  if (!outline) throw new NoOutline();
  const { literals, values } = outline;
  return values.reduce((written, value, index) => {
    const isContent = content !== undefined && value.path[0] === 'content';
    // Liquid decides what a filter or a property makes of the content.
    if (isContent && (value.path.length > 1 || value.fallback !== undefined)) throw new NoOutline();
    return written + (isContent ? content : placeholders.of(value, isShown)) + literals[index + 1]!;
  }, literals[0]!);
}

function isSame(one: Map<number, number>, other: Map<number, number>): boolean {
  return one.size === other.size && [...one].every(([number, count]) => other.get(number) === count);
}

type OutlineTexts = Omit<EmailOutline, 'apostrophes'>;

function outlineOf({ blocks, ...texts }: JsonObject, placeholders: Placeholders, size: number): OutlineTexts | null {
  const all: PlacedValues[] = [];
  const split = (text: string): string => {
    all.push(placeholders.split(text));
    return text;
  };
  mapTexts(texts, split);
  const inBlocks = all.length;
  if (blocks !== undefined) mapTexts({ blocks }, split);
  const literals = all.flatMap((placed) => placed.literals);
  if (literals.some((literal) => placeholders.isPartOf(literal))) return null;
  const [subject, html, text, preheader] = all.slice(0, inBlocks);
  const urls = placeholders.urlValues();
  if (!urls) return null;
  // Each stage holds at most the sum of all insertions.
  const inserts = placeholders.inserts.map(
    (count, index) => count + all.flatMap((placed) => placed.values).filter((value) => value === index).length,
  );
  return {
    subject: subject!,
    html: html!,
    text: text!,
    ...(preheader && { preheader }),
    ...(blocks !== undefined && { blocks: { source: blocks, texts: all.slice(inBlocks) } }),
    urls,
    size: size + literals.reduce((sum, literal) => sum + literal.length, 0),
    inserts,
  };
}
