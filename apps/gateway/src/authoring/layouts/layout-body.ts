import { renderEmails, type TemplateRenderer } from '@clarion/content';
import {
  type EnvironmentId,
  invalidField,
  type JsonObject,
  type LayoutControlValues,
  type LayoutPreviewDto,
  type PreviewLayoutDto,
} from '@clarion/contracts';
import type { Database, Layout } from '@clarion/persistence';
import { layoutItem, localeIn, readContents } from '../translations/read-contents';
import { fill, merge } from '../workflows/preview';

type LayoutEmail = NonNullable<LayoutControlValues['email']>;

const INITIAL_BODY = `<!DOCTYPE html>
<html>
<body style="font-family:Helvetica,Arial,sans-serif">
{{content}}
</body>
</html>`;

export const INITIAL_CONTROLS = {
  email: { body: INITIAL_BODY, editorType: 'html' },
} as const satisfies LayoutControlValues;

/** Replaces the content of the step in checks and previews. */
const PLACEHOLDER = '<p>The content of the step</p>';

/** Rejects a body that cannot be rendered or does not contain the content of the step. */
export async function checkBody(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  email: LayoutEmail,
): Promise<void> {
  const html = await frame(renderer, environmentId, email, PLACEHOLDER, {});
  if (html.includes(PLACEHOLDER)) return;
  const used = await renderer.variablesOf(environmentId, { body: email.body });
  if (used.some(([name]) => name === 'content')) return;
  throw invalidBody('must have {{content}} in it, which is where the step goes');
}

export async function previewLayout(
  parts: { renderer: TemplateRenderer; database: Database },
  environmentId: EnvironmentId,
  layout: Layout,
  { controlValues, previewPayload }: PreviewLayoutDto,
): Promise<LayoutPreviewDto> {
  const written = controlValues?.email ?? layout.controlValues.email ?? INITIAL_CONTROLS.email;
  const { content = PLACEHOLDER, subscriber, context } = previewPayload ?? {};
  const given: JsonObject = { ...(subscriber && { subscriber }), ...(context && { context }) };
  const { renderer } = parts;
  const contents = await readContents(parts, environmentId);
  const shown = { ...layout, controlValues: { email: written } };
  const [translated] = await contents.translate([layoutItem(shown, localeIn(given))]);
  if (!translated!.ok) throw invalidBody(translated!.fault.message);
  const email = translated!.controls;
  const used = await renderer.variablesOf(environmentId, { body: email['body']! });
  const example = merge(exampleVariables(used), given);
  const variables = { ...(previewPayload ? given : example), env: { ...contents.variables(environmentId) } };
  const body = await frame(renderer, environmentId, email, content, variables);
  return { result: { type: 'email', preview: { body } }, previewPayloadExample: { ...example, content } };
}

async function frame(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  email: object,
  content: string,
  variables: JsonObject,
): Promise<string> {
  const controls = { subject: 'Preview', body: content };
  const [rendering] = await renderEmails(renderer, [{ environmentId, controls, variables, layout: { ...email } }]);
  if (!rendering!.ok) throw invalidBody(rendering!.fault.message);
  return rendering!.email.html;
}

function exampleVariables(used: string[][]): JsonObject {
  const example: JsonObject = { subscriber: {}, context: {} };
  for (const path of used) if (path[0]! in example) fill(example, path);
  return example;
}

const invalidBody = (reason: string) => invalidField('controlValues.email.body', `controlValues.email.body ${reason}`);
