import type { Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject, isShallow } from '@clarion/contracts/json';
import { blocksHtml, documentHtml, documentVariables, emailPage, isEmailBlocks, isEmailDocument } from './email-blocks';

/** Reads the bodies of emails and layouts, and writes their HTML. */

/** Documents are walked by recursion, so JSON that is nested more deeply is treated as HTML text. */
const DOCUMENT_DEPTH = 100;

/** Parses a body that is JSON text into blocks or a document; any other body is HTML. */
export function readBody(body: Json | undefined): Json {
  if (typeof body !== 'string' || !/^\s*[[{]/.test(body)) return body ?? '';
  try {
    const value = JSON.parse(body) as Json;
    return (isEmailBlocks(value) || isEmailDocument(value)) && isShallow(value, DOCUMENT_DEPTH) ? value : body;
  } catch {
    return body;
  }
}

export function blockVariables(body: string): string[][] {
  const document = readBody(body);
  return isEmailDocument(document) ? documentVariables(document) : [];
}

/** JSON is parsed before its texts are rendered: a value with a quote would break the JSON. */
export const readControls = (controls: JsonObject): JsonObject => ({ ...controls, body: readBody(controls['body']) });

/** The layout is its own control, so that a fault names it. */
export function readLayout(layout: JsonObject | string): JsonObject {
  if (typeof layout === 'string' || isEmailDocument(layout)) return { layout: readBody(layout) };
  return { layout: readBody(isJsonObject(layout['email']) ? layout['email']['body'] : layout['body']) };
}

/** The HTML that is inserted into the layout as `content`. */
export function contentHtml(body: Json | undefined, content = ''): string {
  const value = body ?? '';
  if (isEmailBlocks(value)) return blocksHtml(value);
  if (isEmailDocument(value)) return documentHtml(value, content);
  return typeof value === 'string' ? value : '';
}

/** An HTML body is a complete page; blocks and documents are wrapped in one. */
export function pageHtml(body: Json | undefined, content = ''): string {
  const html = contentHtml(body, content);
  return typeof body === 'string' || html === '' ? html : emailPage(html);
}
