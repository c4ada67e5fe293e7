import type { JsonObject } from '../json';

/** How an editor shows a control. A form without these hints still works. */
export type UiHints = {
  /** The text may contain Liquid. */
  template?: true;
  /** The text has several lines. */
  multiline?: true;
  language?: 'html' | 'json' | 'rule';
  /** The value names another resource, an earlier step of the workflow, or a variable. */
  reference?: 'layout' | 'step' | 'variable';
  /** Rarely needed; shown behind "More". */
  advanced?: true;
};

export type ControlSchema = JsonObject & { title: string; description: string };

export const control = (
  title: string,
  description: string,
  schema: JsonObject,
  uiHints: UiHints = {},
): ControlSchema => ({
  title,
  description,
  ...schema,
  ...(Object.keys(uiHints).length > 0 && { uiHints }),
});

export const TEXT: JsonObject = { type: 'string' };
/** A text that is not blank. */
export const FILLED: JsonObject = { type: 'string', pattern: '\\S' };
export const FLAG: JsonObject = { type: 'boolean' };
export const ADDRESS: JsonObject = { type: 'string', format: 'address' };
export const AMOUNT: JsonObject = { type: 'integer', minimum: 1 };

export const oneOf = (values: readonly string[]): JsonObject => ({ type: 'string', enum: [...values] });

export const object = (properties: Record<string, JsonObject>, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

/** The controls of one kind of a step: `needs` are required, and of the groups in `needsOneOf` one must be complete. */
export type ControlKind = { title: string; controls: string[]; needs?: string[]; needsOneOf?: string[][] };

/** Everything that an author can set in a step of one type. */
export type StepControls = {
  title: string;
  description: string;
  controls: Record<string, ControlSchema>;
  /** One kind, or one for each value of the control `type`. */
  kinds: Record<string, ControlKind>;
  /** The kind that the values select. An unknown kind is an issue of the control `type`. */
  kindOf: (values: JsonObject) => string;
};

type PlainControls = Omit<StepControls, 'kinds' | 'kindOf'> & Pick<ControlKind, 'needs' | 'needsOneOf'>;

export const plainControls = ({ needs, needsOneOf, ...step }: PlainControls): StepControls => ({
  ...step,
  kinds: {
    regular: {
      title: step.title,
      controls: Object.keys(step.controls),
      ...(needs && { needs }),
      ...(needsOneOf && { needsOneOf }),
    },
  },
  kindOf: () => 'regular',
});

/** The `type` control. A value that is not a string selects no kind. */
export const statedKind = (values: JsonObject, otherwise: string): string =>
  values['type'] === undefined ? otherwise : typeof values['type'] === 'string' ? values['type'] : '';
