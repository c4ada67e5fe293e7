import type { CodeProblem, CodeWords } from '../../ui/code-mirror';
import { Select } from '../../ui/field';
import { ControlField } from './control-field';
import type { ControlSchema, ControlsSchema, DraftStep, Values } from './draft';
import { KIND_WORDS } from './sentences';
import styles from './workflows.module.css';

type StepFormProps = {
  schema: ControlsSchema;
  values: Values;
  issues: Record<string, CodeProblem[]>;
  words: CodeWords;
  senders: readonly DraftStep[];
  isReadOnly: boolean;
  onChange(values: Values): void;
};

/** The fields of a step, made from the JSON Schema of its control values. */
export function StepForm({ schema, values, onChange, ...rest }: StepFormProps) {
  const kinds = schema.anyOf?.filter(({ properties }) => properties?.['type']?.const !== undefined) ?? [];
  const kind = kinds.find(({ properties }) => properties!['type']!.const === kindOf(schema, values)) ?? kinds[0];
  const fields = Object.entries(schema.properties).filter(
    ([name, { uiHints }]) =>
      uiHints?.language !== 'rule' && (!kind || (name !== 'type' && kind.properties![name] !== undefined)),
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
  if (fields.length === 0) return <FreeValues values={values} onChange={onChange} {...rest} />;
  return (
    <>
      {kind && (
        <Select
          label={schema.properties['type']!.title ?? 'Type'}
          hint={kind.title}
          value={kind.properties!['type']!.const!}
          options={kinds.map(({ properties }) => ({
            value: properties!['type']!.const!,
            label: KIND_WORDS[properties!['type']!.const!] ?? properties!['type']!.const!,
          }))}
          onChange={(type) => onChange({ ...values, type })}
        />
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

/** The kind that the values select: the control `type`, or the kind that the other controls imply. */
function kindOf(schema: ControlsSchema, values: Values): unknown {
  return values['type'] ?? ('cron' in values || 'timed' in values ? 'timed' : schema.properties['type']?.default);
}

/** A step that takes any control: its values as JSON. */
function FreeValues({ values, onChange, ...rest }: Omit<StepFormProps, 'schema'>) {
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
