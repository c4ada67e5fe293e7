import type { JsonObject } from '@clarion/contracts/core';
import type { Rendering, RenderItem, TemplateFault, TemplateRenderer } from '@clarion/content';
import type { Prepared, ReadyStep } from './channel';
import { contentFault } from './refusals';
import { prepareWithSecrets, renderWithSecrets } from './render-with-secrets';

export const renderItem = ({ item, admitted, secrets }: ReadyStep): RenderItem & Pick<ReadyStep, 'secrets'> => ({
  environmentId: item.step.environmentId,
  controls: admitted.controls,
  variables: admitted.variables as unknown as JsonObject,
  ...(secrets && { secrets }),
});

/** Renders all steps in one call, then composes and prepares each. A fault fails only its step. */
export async function renderSteps<C extends { ok: true }>(
  templates: TemplateRenderer,
  steps: ReadyStep[],
  compose: (controls: JsonObject) => C | { ok: false; fault: TemplateFault },
  prepare: (step: ReadyStep, content: C) => Prepared,
): Promise<Prepared[]> {
  const renderings = await renderWithSecrets(steps.map(renderItem), (items) => templates.renderMany(items));
  return steps.map((step, index) =>
    prepareWithSecrets(renderings[index]!, (rendering: Rendering): Prepared => {
      const content = rendering.ok ? compose(rendering.controls) : rendering;
      return content.ok ? prepare(step, content as C) : contentFault(content.fault);
    }),
  );
}
