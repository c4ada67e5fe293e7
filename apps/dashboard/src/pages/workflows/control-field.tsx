import { useQuery } from '@tanstack/react-query';
import { type Choices, layoutChoices } from '../../api/choices';
import type { CodeProblem, CodeWords } from '../../ui/code-mirror';
import { CheckBox, Select, TextField } from '../../ui/field';
import { Picker } from '../../ui/picker';
import { BodyField } from './blocks/body-field';
import { TemplateField } from './blocks/template-field';
import type { ControlSchema, DraftStep, Values } from './draft';
import { messagesOf } from './issues';
import { JsonField } from './json-field';
import { layoutNamesQuery } from './queries';
import { pathChoices } from './use-words';
import styles from './workflows.module.css';

type ControlFieldProps = {
  path: string;
  schema: ControlSchema;
  value: unknown;
  isRequired: boolean;
  issues: Record<string, CodeProblem[]>;
  words: CodeWords;
  senders: readonly DraftStep[];
  isReadOnly: boolean;
  /** Called with undefined when the value is removed. */
  onChange(value: unknown): void;
};

export function ControlField(props: ControlFieldProps) {
  const { path, schema, value, isRequired, issues, isReadOnly, onChange } = props;
  const { title: label = path, description: hint, uiHints = {}, type } = schema;
  const error = messagesOf(issues[path]);
  // A field whose name says it all needs no hint.
  const isPlain = uiHints.template && !uiHints.advanced && !uiHints.reference && !path.includes('.');
  const text = { label, hint: isPlain ? undefined : hint, error };
  if (uiHints.reference === 'layout') return <LayoutField {...props} />;
  if (uiHints.reference === 'step') return <EarlierStepField {...props} />;
  if (uiHints.reference === 'variable') {
    return (
      <Picker
        {...text}
        isFree
        value={typeof value === 'string' ? value : ''}
        choices={pathChoices(props.words)}
        onChange={(typed) => onChange(typed || undefined)}
      />
    );
  }
  if (schema.enum) {
    const options = schema.enum.map((each) => ({ value: each, label: each.replaceAll('_', ' ') }));
    return (
      <Select
        {...text}
        value={typeof value === 'string' ? value : ''}
        options={isRequired && value !== undefined ? options : [{ value: '', label: 'Not set' }, ...options]}
        onChange={(chosen) => onChange(chosen || undefined)}
      />
    );
  }
  if (type === 'boolean') {
    return (
      <div>
        <CheckBox label={label} checked={value === true} onChange={(checked) => onChange(checked || undefined)} />
        {hint && <p className="quiet">{hint}</p>}
      </div>
    );
  }
  if (type === 'integer') {
    return (
      <TextField
        {...text}
        type="number"
        min={schema.minimum}
        value={typeof value === 'number' || typeof value === 'string' ? String(value) : ''}
        onChange={(typed) => onChange(typed === '' ? undefined : Number(typed))}
      />
    );
  }
  // Only the body of an email may be a document.
  if (uiHints.language === 'html' && Array.isArray(type)) {
    return (
      <BodyField
        path={path}
        label={label}
        value={value}
        problems={issues[path]}
        words={props.words}
        isReadOnly={isReadOnly}
        onChange={onChange}
      />
    );
  }
  if (schema.properties) return <Group {...props} properties={schema.properties} />;
  if (type === 'array' && schema.items?.enum) return <Choices {...props} options={schema.items.enum} />;
  const isText = value === undefined || value === null || typeof value === 'string';
  if (type === 'array' || uiHints.language === 'json' || !isText) return <JsonField {...props} />;
  if (!uiHints.template) {
    return <TextField {...text} value={value ?? ''} onChange={(typed) => onChange(typed || undefined)} />;
  }
  return (
    <TemplateField
      {...text}
      isLine={!uiHints.multiline}
      value={value ?? ''}
      words={props.words}
      isReadOnly={isReadOnly}
      onChange={(typed) => onChange(typed === '' && !isRequired ? undefined : typed)}
    />
  );
}

function Group({ properties, ...props }: ControlFieldProps & { properties: Record<string, ControlSchema> }) {
  const { path, schema, onChange } = props;
  const values = (props.value ?? {}) as Values;
  return (
    <fieldset className={styles['group']}>
      <legend>{schema.title}</legend>
      <p className="quiet">{schema.description}</p>
      {Object.entries(properties).map(([name, member]) => (
        <ControlField
          key={name}
          {...props}
          path={`${path}.${name}`}
          schema={member}
          isRequired={schema.required?.includes(name) ?? false}
          value={values[name]}
          onChange={(value) => {
            const { [name]: _, ...others } = values;
            const next = value === undefined ? others : { ...values, [name]: value };
            onChange(Object.keys(next).length === 0 ? undefined : next);
          }}
        />
      ))}
    </fieldset>
  );
}

function Choices({ schema, value, options, onChange }: ControlFieldProps & { options: string[] }) {
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  return (
    <fieldset className={styles['group']}>
      <legend>{schema.title}</legend>
      <div className={styles['choices']}>
        {options.map((option) => (
          <CheckBox
            key={option}
            label={option}
            checked={chosen.includes(option)}
            onChange={(checked) => {
              const next = options.filter((each) => (each === option ? checked : chosen.includes(each)));
              onChange(next.length > 0 ? next : undefined);
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** No id of a layout has a colon. */
const NO_LAYOUT = { value: 'none:', label: 'No layout' };
const layoutOrNone: Choices = {
  kind: 'layouts or none',
  find: async (text) => {
    const hasNone = text === NO_LAYOUT.value || NO_LAYOUT.label.toLowerCase().includes(text.toLowerCase());
    return [...(hasNone ? [NO_LAYOUT] : []), ...(await layoutChoices.find(text))];
  },
};

function LayoutField({ path, schema, value, issues, onChange }: ControlFieldProps) {
  const { data } = useQuery(layoutNamesQuery());
  const standard = data?.layouts.find(({ isDefault }) => isDefault);
  return (
    <Picker
      label={schema.title ?? path}
      hint={schema.description}
      error={messagesOf(issues[path])}
      placeholder={standard ? `Default layout (${standard.name})` : 'Default layout'}
      value={value === null ? NO_LAYOUT.value : typeof value === 'string' ? value : ''}
      choices={layoutOrNone}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === NO_LAYOUT.value ? null : chosen)}
    />
  );
}

function EarlierStepField({ path, schema, value, senders, issues, onChange }: ControlFieldProps) {
  const given = typeof value === 'string' ? value : '';
  const options = senders.map(({ stepId = '', name }) => ({ value: stepId, label: `${name} (${stepId})` }));
  const isKnown = given === '' || options.some((option) => option.value === given);
  return (
    <Select
      label={schema.title ?? path}
      hint={senders.length === 0 ? 'Add a step that sends a message before this one.' : schema.description}
      error={messagesOf(issues[path])}
      value={given}
      options={[
        { value: '', label: 'Not set' },
        ...(isKnown ? [] : [{ value: given, label: `${given} (not an earlier step)` }]),
        ...options,
      ]}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}
