import type { CodeProblem, CodeWords } from '../../ui/code-mirror';
import { classes } from '../../ui/classes';
import controls from '../../ui/ui.module.css';
import { ControlField } from './control-field';
import type { ControlSchema, ControlsSchema, DraftStep, StepType, Values } from './draft';
import { kindChoice, kindOf, scheduleWords, spoken } from './sentences';
import styles from './workflows.module.css';

type StepFormProps = {
  type: StepType;
  schema: ControlsSchema;
  values: Values;
  issues: Record<string, CodeProblem[]>;
  words: CodeWords;
  senders: readonly DraftStep[];
  isReadOnly: boolean;
  onChange(values: Values): void;
};

/** The fields of a step, made from the JSON Schema of its control values. One of several kinds begins as a sentence. */
export function StepForm({ type, schema, values, onChange, ...rest }: StepFormProps) {
  const kinds = schema.anyOf?.flatMap((kind) => kind.properties?.['type']?.const ?? []) ?? [];
  const chosen = kinds.find((kind) => kind === kindOf(type, values)) ?? kinds[0];
  const kind = schema.anyOf?.find(({ properties }) => chosen !== undefined && properties?.['type']?.const === chosen);
  const sentence = chosen === undefined ? [] : spoken(type, chosen);
  const fields = Object.entries(schema.properties).filter(
    ([name, { uiHints }]) =>
      uiHints?.language !== 'rule' &&
      !sentence.includes(name) &&
      (!kind || (name !== 'type' && kind.properties![name] !== undefined)),
  );
  const isRare = ([name, { uiHints }]: [string, ControlSchema]): boolean =>
    uiHints?.advanced === true && values[name] === undefined;
  const required = new Set([...(schema.required ?? []), ...(kind?.required ?? [])]);
  const field = ([name, control]: [string, ControlSchema]) => (
    <ControlField
      key={name}
      {...rest}
      path={name}
      schema={control}
      isRequired={required.has(name)}
      value={values[name]}
      onChange={(value) => {
        const { [name]: _, ...others } = values;
        onChange(value === undefined ? others : { ...values, [name]: value });
      }}
    />
  );
  const rare = fields.filter(isRare);
  if (fields.length + sentence.length === 0) return <FreeValues values={values} onChange={onChange} {...rest} />;
  return (
    <>
      {chosen !== undefined && (
        <div className={classes('unlabelled', styles['sentence'], styles['spoken'])}>
          {sentence.map((part, place) => {
            const control = schema.properties[part];
            if (place % 2 === 0) return part.trim() && <span key={place}>{part}</span>;
            if (!control) return <strong key={place}>{scheduleWords(values)}</strong>;
            if (part !== 'type') return field([part, { ...control, description: undefined }]);
            return (
              <select
                key={part}
                aria-label={control.title}
                className={controls['control']}
                value={chosen}
                onChange={(event) => onChange({ ...values, type: event.target.value })}
              >
                {kinds.map((each) => (
                  <option key={each} value={each}>
                    {kindChoice(type, each)}
                  </option>
                ))}
              </select>
            );
          })}
        </div>
      )}
      {fields.filter((each) => !isRare(each)).map(field)}
      {rare.length > 0 && (
        <details className={styles['more']}>
          <summary>More controls</summary>
          <div className="stack">{rare.map(field)}</div>
        </details>
      )}
    </>
  );
}

/** A step that takes any control: its values as JSON. */
function FreeValues({ values, onChange, ...rest }: Omit<StepFormProps, 'schema' | 'type'>) {
  const { runIf, skip, ...free } = values;
  const rules = { ...(runIf !== undefined && { runIf }), ...(skip !== undefined && { skip }) };
  return (
    <ControlField
      {...rest}
      path=""
      schema={{
        title: 'Values',
        description: 'An object with any names. Texts may be templates; later steps read steps.<stepId>.<name>.',
        type: 'object',
        uiHints: { language: 'json' },
      }}
      isRequired={false}
      value={free}
      onChange={(value) => onChange({ ...((value ?? {}) as Values), ...rules })}
    />
  );
}
