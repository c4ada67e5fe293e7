import type { EmailBlockDto } from '@clarion/contracts';
import type { Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import { compile } from 'html-to-text';
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

export type ComposedEmail = {
  subject: string;
  html: string;
  /** The same for readers without HTML. */
  text: string;
  preheader?: string;
  /** When the body was a list of blocks. */
  blocks?: EmailBlockDto[];
};

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
 * A body is HTML, or blocks and documents whose texts are escaped when they become HTML, except those in which the author
 * writes HTML.
 */
const BODY_MODES: TextModes = (path) => (path === 'body' || isDocumentHtml(path) ? 'html' : 'text');
const LAYOUT_MODES: TextModes = (path) => (path === 'layout' || isDocumentHtml(path) ? 'layout' : 'text');

export type EmailOptions = { layoutHtml?: string; disableOutputSanitization?: boolean };

export type EmailRendering = { ok: true; email: ComposedEmail } | { ok: false; fault: TemplateFault };

/** A text can hold JSON that is nested without end, and documents are walked by recursion. */
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
 * Renders and composes a whole batch of emails: the controls, then the layouts with the HTML of the step as `content` (whose
 * value is never a template itself), then what is sent.
 */
export async function renderEmails(renderer: TemplateRenderer, items: EmailItem[]): Promise<EmailRendering[]> {
  const sources = new Map<JsonObject | string, JsonObject>();
  const steps = await renderEach(
    renderer,
    items.map(({ environmentId, controls, variables, escapeHtml = true }) => ({
      environmentId,
      written: withTemplates(kept(sources, controls, readControls), 'body', variables),
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
      written: withTemplates(kept(sources, layout, readLayout), 'layout', variables),
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

/** What could not be written out is not rendered. */
async function renderEach(renderer: TemplateRenderer, items: Written[]): Promise<Rendering[]> {
  const renderings = (
    await renderer.renderMany(
      items.flatMap(({ written, ...item }) => (written.ok ? [{ ...item, controls: written.controls }] : [])),
    )
  ).values();
  return items.map(({ written }) => (written.ok ? renderings.next().value! : written));
}

/** The variables that block-editor contents of an email name; its templates are asked separately. */
export function blockVariables(controls: JsonObject): string[][] {
  const body = readBody(controls['body']);
  return isEmailDocument(body) ? documentVariables(body) : [];
}

const checked = (email: ComposedEmail): EmailRendering =>
  email.subject === '' && email.html.trim() === ''
    ? { ok: false, fault: { path: 'body', message: 'is empty, and so is the subject' } }
    : { ok: true, email };

/**
 * An email from rendered controls. With a layout it takes two steps, as `renderEmails` does them: `layoutHtml` is the
 * rendered layout that has the HTML of the body in it already. Throws for HTML that is nested too deeply.
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

/** The body as what it is: JSON text becomes blocks or a document, everything else is HTML. */
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

/** JSON is read before its texts are rendered: a value with a quote in it would break it. */
const readControls = (controls: JsonObject): JsonObject => ({ ...controls, body: readBody(controls['body']) });

/** As a control of its own, so that a fault names the layout. */
function readLayout(layout: JsonObject | string): JsonObject {
  if (typeof layout === 'string' || isEmailDocument(layout)) return { layout: readBody(layout) };
  return { layout: readBody(isJsonObject(layout['email']) ? layout['email']['body'] : layout['body']) };
}

/** Read once for all items that share it. */
function kept<T extends JsonObject | string>(
  known: Map<JsonObject | string, JsonObject>,
  source: T,
  read: (source: T) => JsonObject,
): JsonObject {
  let result = known.get(source);
  if (!result) known.set(source, (result = read(source)));
  return result;
}

/** Documents get their templates item by item, because the lists in them do not have the same length for all. */
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

/** What a layout frames. */
function contentHtml(body: Json | undefined, content = ''): string {
  const value = body ?? '';
  if (isEmailBlocks(value)) return blocksHtml(value);
  if (isEmailDocument(value)) return documentHtml(value, content);
  return typeof value === 'string' ? value : '';
}

/** HTML is a page as it is; other contents get one. */
function pageHtml(body: Json | undefined, content = ''): string {
  const html = contentHtml(body, content);
  return typeof body === 'string' || html === '' ? html : emailPage(html);
}

/** First in the body, where mail programs look for the line that they show beside the subject. */
function withPreheader(html: string, preheader: string): string {
  const hidden = `<span style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}</span>`;
  const start = /<body\b[^>]*>/i.exec(html);
  const at = start ? start.index + start[0].length : 0;
  return html.slice(0, at) + hidden + html.slice(at);
}

/** Headers are lines: nothing in a value may begin another one. */
const oneLine = (value: Json | undefined): string =>
  typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim() : '';
