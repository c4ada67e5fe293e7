import type { CodeWords } from '../../ui/code-mirror';
import { isObject } from './blocks/body-value';
import type { ControlSchema, DraftStep, StepTypes } from './draft';

const DEPTH = 6;

type Words = CodeWords['variables'];

const EVENTS = /\.event(?:s|Count)$/;

/**
 * The names that the templates of a step can use: those of the payload, as its schema, examples of it and the templates
 * of the workflow have them, those of earlier steps, and those of every step.
 */
export function wordsFor(
  types: StepTypes,
  payload: { schema: unknown; examples: unknown[]; steps: readonly DraftStep[] },
  earlier: readonly DraftStep[],
): CodeWords {
  const general = types.variables.filter(({ name }) => !name.includes('<'));
  const ofSteps = types.variables.filter(({ name }) => name.startsWith('steps.<'));
  const outputs = earlier.flatMap(({ stepId = '', type }): Words => {
    const isChannel = types.data.some((each) => each.type === type && each.isChannel);
    const own = ofSteps.filter(({ name }) => EVENTS.test(name) === (type === 'digest'));
    if (isChannel || type === 'digest')
      return own.map((word) => ({ ...word, name: word.name.replace('<stepId>', stepId) }));
    const name = `steps.${stepId}`;
    return [{ name, description: 'The output of the step.', example: `{{ ${name} }}` }];
  });
  const all = [
    ...namesIn(payload.schema, 'payload', DEPTH),
    ...payload.examples.flatMap((example) => pathsIn(example, 'payload', DEPTH)),
    ...readBy(payload.steps),
    ...outputs,
    ...general,
  ];
  const byName = new Map<string, Words[number]>();
  for (const word of all) if (!byName.has(word.name)) byName.set(word.name, word);
  return { variables: [...byName.values()], filters: types.filters };
}

/** The names of the values in an example. */
function pathsIn(example: unknown, path: string, levels: number): Words {
  if (!isObject(example) || levels === 0) return [];
  return Object.entries(example).flatMap(([key, value]) => {
    const name = `${path}.${key}`;
    const description = isObject(value) ? '' : JSON.stringify(value).slice(0, 40);
    return [{ name, description, example: `{{ ${name} }}` }, ...pathsIn(value, name, levels - 1)];
  });
}

const READ = /\{\{-?\s*(payload(?:\.\w+)+)(?=\s*[|}])|"id\\?":\\?"(payload(?:\.\w+)+)(?=\\?")/g;

/** The names of the payload that templates read already, as outputs and as pills. */
const readBy = (steps: readonly DraftStep[]): Words =>
  [...JSON.stringify(steps).matchAll(READ)].map(([, output, pill]) => ({
    name: (output ?? pill)!,
    description: 'Read by this workflow.',
    example: `{{ ${output ?? pill} }}`,
  }));

function namesIn(schema: unknown, path: string, levels: number): Words {
  const { properties = {} } = (schema ?? {}) as ControlSchema;
  if (levels === 0) return [];
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = `${path}.${key}`;
    const description = member.description ?? member.title ?? String(member.type ?? '');
    return [{ name, description, example: `{{ ${name} }}` }, ...namesIn(member, name, levels - 1)];
  });
}
