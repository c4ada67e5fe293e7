import type { JsonObject } from '../json';
import { type AuthoredStepType, takesAnyControl } from '../step-types';
import { CHAT_CONTROLS, EMAIL_CONTROLS, IN_APP_CONTROLS, PUSH_CONTROLS, SMS_CONTROLS } from './channel-controls';
import {
  control,
  type ControlKind,
  type ControlSchema,
  object,
  plainControls,
  type StepControls,
} from './control-schemas';
import { DELAY_CONTROLS, DIGEST_CONTROLS, THROTTLE_CONTROLS } from './engine-controls';

/** One entry per step type; see CONTRIBUTING.md. Issues, step types, OpenAPI, forms and docs are derived from it. */
export const STEP_CONTROLS: Record<AuthoredStepType, StepControls> = {
  in_app: IN_APP_CONTROLS,
  email: EMAIL_CONTROLS,
  sms: SMS_CONTROLS,
  chat: CHAT_CONTROLS,
  push: PUSH_CONTROLS,
  digest: DIGEST_CONTROLS,
  delay: DELAY_CONTROLS,
  throttle: THROTTLE_CONTROLS,
  custom: plainControls({
    title: 'Custom',
    description: 'Sends nothing. Its rendered control values are its output: later steps read `steps.<stepId>`.',
    controls: {},
  }),
};

const RULE: JsonObject = { type: ['object', 'null'] };
const RULE_HINTS = { language: 'rule', advanced: true } as const;

/** The controls that steps of every type have. Both rules mean the same; see run-rule.ts. */
export const COMMON_CONTROLS: Record<string, ControlSchema> = {
  runIf: control('Run if', 'A JSON-Logic rule. The step runs when the rule is true.', RULE, RULE_HINTS),
  skip: control(
    'Skip',
    'The same as "Run if": despite its name, the step runs when the rule is true. With both, both must be true.',
    RULE,
    RULE_HINTS,
  ),
};

export function kindSchema({ controls }: StepControls, kind: ControlKind): JsonObject {
  const own = Object.fromEntries(kind.controls.map((name) => [name, controls[name]!]));
  return object({ ...own, ...COMMON_CONTROLS }, kind.needs);
}

/** The JSON Schema of the control values of a step type. A step type with kinds has one entry of `anyOf` for each. */
export function controlsSchema(type: AuthoredStepType): JsonObject {
  const step = STEP_CONTROLS[type];
  const kinds = Object.entries(step.kinds);
  return {
    title: step.title,
    description: step.description,
    ...object({ ...step.controls, ...COMMON_CONTROLS }),
    additionalProperties: takesAnyControl(type),
    ...(kinds.length === 1
      ? demands(kinds[0]![1])
      : { anyOf: kinds.map(([name, kind]) => ({ title: kind.title, ...branch(name, kind), ...demands(kind) })) }),
  };
}

/** The controls that the kind has; their schemas are in `properties` of the step type. */
const branch = (name: string, kind: ControlKind): JsonObject => ({
  properties: { type: { const: name }, ...Object.fromEntries(kind.controls.map((own) => [own, {}])) },
});

function demands({ needs, needsOneOf }: ControlKind): JsonObject {
  return {
    ...(needs && { required: needs }),
    ...(needsOneOf && { anyOf: needsOneOf.map((group) => ({ required: group })) }),
  };
}
