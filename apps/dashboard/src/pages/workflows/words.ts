import { type Choices, choicesOf } from '../../api/choices';
import type { CodeWords } from '../../ui/code-mirror';
import { labelOf } from './blocks/labels';
import type { ControlSchema, DraftStep, StepTypes } from './draft';

const DEPTH = 6;

/** The names that the templates of a step can use: those of every step, of the payload schema and of earlier steps. */
export function wordsFor(
  types: StepTypes,
  payloadSchema: Record<string, unknown> | null,
  earlier: readonly DraftStep[],
): CodeWords {
  const general = types.variables.filter(({ name }) => !name.includes('<'));
  const outputs = earlier.flatMap(({ stepId, type }) =>
    type === 'digest'
      ? types.variables
          .filter(({ name }) => name.startsWith('steps.<'))
          .map((variable) => ({ ...variable, name: variable.name.replace('<stepId>', stepId ?? '') }))
      : [{ name: `steps.${stepId ?? ''}`, description: 'The output of the step.', example: `{{ steps.${stepId} }}` }],
  );
  return { variables: [...namesIn(payloadSchema, 'payload', DEPTH), ...outputs, ...general], filters: types.filters };
}

function namesIn(schema: unknown, path: string, levels: number): CodeWords['variables'] {
  const { properties = {} } = (schema ?? {}) as ControlSchema;
  if (levels === 0) return [];
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = `${path}.${key}`;
    const description = member.description ?? member.title ?? String(member.type ?? '');
    return [{ name, description, example: `{{ ${name} }}` }, ...namesIn(member, name, levels - 1)];
  });
}

/** The paths of the words, found by what people call them too. */
export function pathChoices({ variables }: CodeWords, isWanted = (_: string) => true): Choices {
  const names = variables.map(({ name }) => name).filter(isWanted);
  return choicesOf(`paths ${names.join()}`, () =>
    names.map((value) => ({ value, label: `${labelOf(value)} (${value})` })),
  );
}
