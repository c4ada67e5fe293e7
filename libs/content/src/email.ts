import type { EmailBlockDto } from '@clarion/contracts';
import type { Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import { compile } from 'html-to-text';
import type { ComposedEmail } from './composed-messages';
import {
  blocksHtml,
  documentHtml,
  DocumentTooLong,
  documentTemplates,
  documentVariables,
  emailPage,
  isDocumentHtml,
  isEmailBlocks,
  isEmailDocument,
} from './email-blocks';
import { escapeHtml } from './escape';
import { checkNesting, emailUrl, sanitizeEmail } from './html';
import type { RenderItem, TemplateRenderer } from './template-renderer';
import type { Rendering, TemplateFault, TextModes } from './templates';

export type EmailItem = {
  environmentId: string;
  controls: JsonObject;
  variables: JsonObject;
  /** The body of the layout, or its control values. */
  layout?: JsonObject | string | null;
  /** Default true: values in HTML are escaped. */
  escapeHtml?: boolean;
};

/**
 * A body is HTML, blocks or a document. Texts of blocks and documents are escaped when they become HTML, except the
 * texts in which the author writes HTML.
 */
const BODY_MODES: TextModes = (path) => (path === 'body' || isDocumentHtml(path) ? 'html' : 'text');
const LAYOUT_MODES: TextModes = (path) => (path === 'layout' || isDocumentHtml(path) ? 'layout' : 'text');

export type EmailOptions = { layoutHtml?: string; disableOutputSanitization?: boolean };

export type EmailRendering = { ok: true; email: ComposedEmail } | { ok: false; fault: TemplateFault };

/** Documents are walked by recursion, so JSON that is nested more deeply is treated as HTML text. */
const DOCUMENT_DEPTH = 100;

const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'title', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/**
 * Renders and composes a batch of emails: first the controls, then the layouts with the HTML of the step as `content`
 * (the value of `content` is never parsed as a template), then the message.
 */
export async function renderEmails(renderer: TemplateRenderer, items: EmailItem[]): Promise<EmailRendering[]> {
  const sources = new Map<JsonObject | string, JsonObject>();
  const steps = await renderEach(
    renderer,
    items.map(({ environmentId, controls, variables, escapeHtml = true }) => ({
      environmentId,
      written: withTemplates(parsedOnce(sources, controls, readControls), 'body', variables),
      variables,
      ...(escapeHtml && { modes: BODY_MODES }),
    })),
  );

  const framed = items.flatMap(({ environmentId, layout, variables, escapeHtml = true }, index) => {
    const step = steps[index]!;
    if (!step.ok || layout === null || layout === undefined) return [];
    const content = contentHtml(step.controls['body']);
    return [{ index, environmentId, content, layout, escapeHtml, variables: { ...variables, content } }];
  });
  const frames = await renderEach(
    renderer,
    framed.map(({ environmentId, layout, variables, escapeHtml }) => ({
      environmentId,
      written: withTemplates(parsedOnce(sources, layout, readLayout), 'layout', variables),
      variables,
      ...(escapeHtml && { modes: LAYOUT_MODES }),
    })),
  );

  const results: (EmailRendering | undefined)[] = steps.map((step) => (step.ok ? undefined : step));
  const layoutHtml = new Map<number, string>();
  for (const [at, { index, content }] of framed.entries()) {
    const frame = frames[at]!;
    if (frame.ok) layoutHtml.set(index, pageHtml(frame.controls['layout'], content));
    else results[index] = frame;
  }
  const open = steps.flatMap((step, index) => (step.ok && !results[index] ? [{ index, controls: step.controls }] : []));
  const emails = await renderer.compose(
    open.map(({ index, controls }) => ({
      environmentId: items[index]!.environmentId,
      as: 'email',
      controls,
      layoutHtml: layoutHtml.get(index),
    })),
  );
  for (const [at, { index }] of open.entries()) {
    const outcome = emails[at]!;
    results[index] = outcome.ok ? checked(outcome.result as ComposedEmail) : outcome;
  }
  return results as EmailRendering[];
}

type Written = Omit<RenderItem, 'controls'> & { written: Rendering };

/** Renders the items whose templates could be written out; the others keep their fault. */
async function renderEach(renderer: TemplateRenderer, items: Written[]): Promise<Rendering[]> {
  const renderings = (
    await renderer.renderMany(
      items.flatMap(({ written, ...item }) => (written.ok ? [{ ...item, controls: written.controls }] : [])),
    )
  ).values();
  return items.map(({ written }) => (written.ok ? renderings.next().value! : written));
}

/**
 * The variables that the block-editor document of an email names. The variables in its Liquid templates are found by
 * `TemplateRenderer.variablesOf`.
 */
export function blockVariables(controls: JsonObject): string[][] {
  const body = readBody(controls['body']);
  return isEmailDocument(body) ? documentVariables(body) : [];
}

const checked = (email: ComposedEmail): EmailRendering =>
  email.subject === '' && email.html.trim() === ''
    ? { ok: false, fault: { path: 'body', message: 'is empty, and so is the subject' } }
    : { ok: true, email };

/**
 * Composes an email from rendered controls. `layoutHtml` is the rendered layout and already contains the HTML of the
 * body. Throws for HTML that is nested too deeply.
 */
export function composeEmail(
  controls: JsonObject,
  { layoutHtml, disableOutputSanitization = controls['disableOutputSanitization'] === true }: EmailOptions = {},
): ComposedEmail {
  const body = readBody(controls['body']);
  const written = layoutHtml ?? pageHtml(body);
  checkNesting(written);
  const html = disableOutputSanitization ? written : sanitizeEmail(written);
  const preheader = oneLine(controls['preheader']);
  return {
    subject: oneLine(controls['subject']),
    html: preheader === '' ? html : withPreheader(html, preheader),
    text: toText(html),
    ...(preheader !== '' && { preheader }),
    ...(isEmailBlocks(body) && { blocks: body.map(withSafeUrl) }),
  };
}

function withSafeUrl({ url, ...block }: EmailBlockDto): EmailBlockDto {
  const safe = emailUrl(url);
  return safe === undefined ? block : { ...block, url: safe };
}

/** Parses a body that is JSON text into blocks or a document; any other body is HTML. */
function readBody(body: Json | undefined): Json {
  if (typeof body !== 'string' || !/^\s*[[{]/.test(body)) return body ?? '';
  try {
    const value = JSON.parse(body) as Json;
    return (isEmailBlocks(value) || isEmailDocument(value)) && isShallow(value, DOCUMENT_DEPTH) ? value : body;
  } catch {
    return body;
  }
}

const isShallow = (value: Json, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1)));

/** JSON is parsed before its texts are rendered: a value with a quote would break the JSON. */
const readControls = (controls: JsonObject): JsonObject => ({ ...controls, body: readBody(controls['body']) });

/** The layout is its own control, so that a fault names it. */
function readLayout(layout: JsonObject | string): JsonObject {
  if (typeof layout === 'string' || isEmailDocument(layout)) return { layout: readBody(layout) };
  return { layout: readBody(isJsonObject(layout['email']) ? layout['email']['body'] : layout['body']) };
}

/** Parses a source once for all items that share it. */
function parsedOnce<T extends JsonObject | string>(
  known: Map<JsonObject | string, JsonObject>,
  source: T,
  read: (source: T) => JsonObject,
): JsonObject {
  let result = known.get(source);
  if (!result) known.set(source, (result = read(source)));
  return result;
}

/** Document templates are written out per item, because the lengths of the lists differ between items. */
function withTemplates(controls: JsonObject, name: 'body' | 'layout', variables: JsonObject): Rendering {
  const source = controls[name] ?? '';
  if (!isEmailDocument(source)) return { ok: true, controls };
  try {
    return { ok: true, controls: { ...controls, [name]: documentTemplates(source, variables) } };
  } catch (error) {
    if (!(error instanceof DocumentTooLong)) throw error;
    return { ok: false, fault: { path: name, message: error.message } };
  }
}

/** The HTML that is inserted into the layout as `content`. */
function contentHtml(body: Json | undefined, content = ''): string {
  const value = body ?? '';
  if (isEmailBlocks(value)) return blocksHtml(value);
  if (isEmailDocument(value)) return documentHtml(value, content);
  return typeof value === 'string' ? value : '';
}

/** An HTML body is a complete page; blocks and documents are wrapped in one. */
function pageHtml(body: Json | undefined, content = ''): string {
  const html = contentHtml(body, content);
  return typeof body === 'string' || html === '' ? html : emailPage(html);
}

/** Mail programs show the first text of the body beside the subject. */
function withPreheader(html: string, preheader: string): string {
  const hidden = `<span style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}</span>`;
  const start = /<body\b[^>]*>/i.exec(html);
  const at = start ? start.index + start[0].length : 0;
  return html.slice(0, at) + hidden + html.slice(at);
}

/** Headers are single lines: a value must not start another header. */
const oneLine = (value: Json | undefined): string =>
  typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim() : '';
