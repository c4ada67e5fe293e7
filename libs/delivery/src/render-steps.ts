import type { JsonObject } from '@clarion/contracts/core';
import type { RenderItem, TemplateFault, TemplateRenderer } from '@clarion/content';
import type { Prepared, ReadyStep } from './channel';
import { contentFault } from './refusals';

/** The templates of a step and their variables. */
export const renderItem = ({ item, admitted }: ReadyStep): RenderItem => ({
  environmentId: item.step.environmentId,
  controls: admitted.controls,
  variables: admitted.variables as unknown as JsonObject,
});

/** Renders all steps in one call, then composes and prepares each. A fault fails only its step. */
export async function renderSteps<C extends { ok: true }>(
  templates: TemplateRenderer,
  steps: ReadyStep[],
  compose: (controls: JsonObject) => C | { ok: false; fault: TemplateFault },
  prepare: (step: ReadyStep, content: C) => Prepared,
): Promise<Prepared[]> {
  const renderings = await templates.renderMany(steps.map(renderItem));
  return steps.map((step, index) => {
    const rendering = renderings[index]!;
    const content = rendering.ok ? compose(rendering.controls) : rendering;
    return content.ok ? prepare(step, content as C) : contentFault(content.fault);
  });
}
