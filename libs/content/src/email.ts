import type { JsonObject } from '@clarion/contracts/core';
import { contentHtml, pageHtml, readBody, readControls, readLayout } from './email-body';
import type { ComposedEmail } from './composed-messages';
import { DocumentTooLong, documentTemplates, documentVariables, isDocumentHtml, isEmailDocument } from './email-blocks';
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

export type EmailRendering = { ok: true; email: ComposedEmail } | { ok: false; fault: TemplateFault };

/**
 * Fills the emails whose templates only insert inert values, and composes the others. Both ways give the same email.
 */
export async function renderEmails(renderer: TemplateRenderer, items: EmailItem[]): Promise<EmailRendering[]> {
  const filled = await renderer.fillEmails(
    items.map(({ layout = null, escapeHtml = true, ...item }) => ({ ...item, layout, escapeHtml })),
  );
  const open = items.filter((_, index) => filled[index] === undefined);
  const composed = (open.length > 0 ? await composeEmails(renderer, open) : []).values();
  return filled.map((email) => (email ? checked(email) : composed.next().value!));
}

/**
 * Renders and composes a batch of emails: first the controls, then the layouts with the HTML of the step as `content`
 * (the value of `content` is never parsed as a template), then the message.
 */
async function composeEmails(renderer: TemplateRenderer, items: EmailItem[]): Promise<EmailRendering[]> {
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
