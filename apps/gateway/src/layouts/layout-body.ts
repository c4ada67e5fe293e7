import { renderEmails, type TemplateRenderer, variablesOf } from '@clarion/content';
import {
  invalidField,
  type JsonObject,
  type LayoutControlValues,
  type LayoutPreviewDto,
  type PreviewLayoutDto,
} from '@clarion/contracts';
import { fill, merge } from '../workflows/preview';

type LayoutEmail = NonNullable<LayoutControlValues['email']>;

/** What a new layout is made of. */
export const INITIAL_CONTROLS = {
  email: { body: '<!DOCTYPE html>\n<html>\n<body>\n{{content}}\n</body>\n</html>', editorType: 'html' },
} as const satisfies LayoutControlValues;

/** Stands for the step where there is none. */
const PLACEHOLDER = '<p>The content of the step</p>';

/** Refuses a body that cannot be rendered, and one that would swallow the step. */
export async function checkBody(renderer: TemplateRenderer, email: LayoutEmail): Promise<void> {
  const html = await frame(renderer, email, PLACEHOLDER, {});
  if (html.includes(PLACEHOLDER) || usedVariables(email).some(([name]) => name === 'content')) return;
  throw invalidBody('must have {{content}} in it, which is where the step goes');
}

/** The layout around some content, by way of the same code that makes the emails. */
export async function previewLayout(
  renderer: TemplateRenderer,
  stored: LayoutControlValues,
  { controlValues, previewPayload }: PreviewLayoutDto,
): Promise<LayoutPreviewDto> {
  const email = controlValues?.email ?? stored.email ?? INITIAL_CONTROLS.email;
  const { content = PLACEHOLDER, subscriber, context } = previewPayload ?? {};
  const given: JsonObject = { ...(subscriber && { subscriber }), ...(context && { context }) };
  const example = merge(exampleVariables(email), given);
  const body = await frame(renderer, email, content, previewPayload ? given : example);
  return { result: { type: 'email', preview: { body } }, previewPayloadExample: { ...example, content } };
}

async function frame(
  renderer: TemplateRenderer,
  email: LayoutEmail,
  content: string,
  variables: JsonObject,
): Promise<string> {
  const controls = { subject: 'Preview', body: content };
  const [rendering] = await renderEmails(renderer, [{ controls, variables, layout: { email: { ...email } } }]);
  if (!rendering!.ok) throw invalidBody(rendering!.fault.message);
  return rendering!.email.html;
}

function exampleVariables(email: LayoutEmail): JsonObject {
  const example: JsonObject = { subscriber: {}, context: {} };
  for (const path of usedVariables(email)) if (path[0]! in example) fill(example, path);
  return example;
}

const usedVariables = ({ body }: LayoutEmail): string[][] => variablesOf({ body });

const invalidBody = (reason: string) => invalidField('controlValues.email.body', `controlValues.email.body ${reason}`);
