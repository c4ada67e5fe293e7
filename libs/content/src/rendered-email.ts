import type { JsonObject } from '@clarion/contracts/core';
import { composeEmail } from './compose-email';
import type { ComposedEmail } from './composed-messages';
import { ControlFault } from './control-fault';
import { documentTemplates, isDocumentHtml, isEmailDocument } from './email-blocks';
import { contentHtml, pageHtml, readControls, readLayout } from './email-body';
import { isTemplate, mapTexts, reasonOf, renderText, type TextModes, tooLong } from './templates';
import { TextCache } from './text-cache';

/** Renders and composes one email. Runs in the render process. */

export type EmailSources = {
  /** The JSON of the control values, and of the layout: its body, or its control values. */
  controls: string;
  layout?: string;
  variables: JsonObject;
  escapeHtml: boolean;
};

/** Called before the text of each control is rendered. */
type OnControl = (path: string, isLayout: boolean) => void;

/** A composed email may be longer than its rendered texts: it has its content as HTML and as text. */
const COMPOSED_SHARE = 3;

/** Bytes of the sources that are kept after they were read. Measured: JSON takes up to 20 bytes per character. */
const SOURCE_BYTES = 8 * 1024 * 1024;
const sourceBytes = (json: string): number => 20 * json.length;
const stepSources = new TextCache<JsonObject>(SOURCE_BYTES / 2, sourceBytes);
const layoutSources = new TextCache<JsonObject>(SOURCE_BYTES / 2, sourceBytes);

/** Texts of blocks and documents are escaped when they become HTML, except those in which the author writes HTML. */
const BODY_MODES: TextModes = (path) => (path === 'body' || isDocumentHtml(path) ? 'html' : 'text');
const LAYOUT_MODES: TextModes = (path) => (path === 'layout' || isDocumentHtml(path) ? 'layout' : 'text');

/** First controls, then layout with the HTML of the step as `content`, which is never parsed, then the message. */
export function renderEmail(
  { controls, layout, variables, escapeHtml }: EmailSources,
  outputCharacters: number,
  onControl: OnControl,
): ComposedEmail {
  const render = (source: JsonObject, name: 'body' | 'layout', values: JsonObject): JsonObject => {
    const isLayout = name === 'layout';
    const modes = isLayout ? LAYOUT_MODES : BODY_MODES;
    let left = outputCharacters;
    return mapTexts(withTemplates(source, name, values), (text, path) => {
      let output = text;
      if (isTemplate(text)) {
        onControl(path, isLayout);
        const mode = escapeHtml ? modes(path, text) : 'text';
        output = faultsAt(path, isLayout, () => renderText(text, values, mode));
      }
      left -= output.length;
      if (left < 0) throw new ControlFault(path, tooLong(outputCharacters), isLayout);
      return output;
    });
  };
  const step = render(stepSources.get(controls, readStep), 'body', variables);
  const email = composeEmail(step, { layoutHtml: layoutHtml(step) });
  if (charactersOf(email) > COMPOSED_SHARE * outputCharacters) throw new Error(tooLong(outputCharacters));
  return email;

  function layoutHtml({ body }: JsonObject): string | undefined {
    if (layout === undefined) return undefined;
    const content = contentHtml(body);
    const frame = render(layoutSources.get(layout, readFrame), 'layout', { ...variables, content });
    return pageHtml(frame['layout'], content);
  }
}

const readStep = (json: string): JsonObject => readControls(JSON.parse(json) as JsonObject);
const readFrame = (json: string): JsonObject => readLayout(JSON.parse(json) as JsonObject | string);

/** Document templates are written out per message, because the lengths of the lists differ. */
function withTemplates(controls: JsonObject, name: 'body' | 'layout', variables: JsonObject): JsonObject {
  const source = controls[name] ?? '';
  if (!isEmailDocument(source)) return controls;
  return faultsAt(name, name === 'layout', () => ({ ...controls, [name]: documentTemplates(source, variables) }));
}

function faultsAt<T>(path: string, isLayout: boolean, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ControlFault(path, reasonOf(error), isLayout);
  }
}

const charactersOf = ({ subject, html, text }: ComposedEmail): number => subject.length + html.length + text.length;
