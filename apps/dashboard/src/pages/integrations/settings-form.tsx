import { useState } from 'react';
import { ApiError } from '../../api/error';
import { Button } from '../../ui/button';
import { CheckBox, Columns, Form, Select, TextArea, TextField } from '../../ui/field';
import type { Integration, Provider, ProviderField, Settings } from './data';
import styles from './integrations.module.css';

type Part = 'credentials' | 'configurations';
/** What was typed, by part and field; an absent field is as it was. */
type Typed = Record<Part, Record<string, string | boolean>>;

type SettingsFormProps = {
  provider: Provider;
  integration?: Integration;
  error: Error | null;
  isBusy: boolean;
  onSave(settings: Settings): void;
};

/** Name, credentials and configuration, with the fields that the catalogue lists. Stored secrets are never shown. */
export function SettingsForm({ provider, integration, error, isBusy, onSave }: SettingsFormProps) {
  const [name, setName] = useState(integration?.name ?? provider.displayName);
  const [isActive, setActive] = useState(integration?.active ?? true);
  const [isChecked, setChecked] = useState(provider.check);
  const [typed, setTyped] = useState<Typed>({ credentials: {}, configurations: {} });
  const [fault, setFault] = useState<Error | null>(null);
  const faults = error instanceof ApiError ? error.fields : {};
  const save = (): void => {
    try {
      setFault(null);
      onSave({
        name,
        active: isActive,
        check: isChecked,
        credentials: valuesOf(provider.credentials, typed.credentials, integration?.credentials),
        configurations: valuesOf(provider.configurations, typed.configurations, undefined),
      });
    } catch (problem) {
      setFault(problem as Error);
    }
  };
  const fieldsOf = (part: Part) =>
    provider[part].map((field) => (
      <FieldControl
        key={field.name}
        field={field}
        stored={(integration?.[part] as Record<string, unknown> | undefined)?.[field.name]}
        typed={typed[part][field.name]}
        error={faults[`${part}.${field.name}`]}
        onType={(value) => setTyped({ ...typed, [part]: { ...typed[part], [field.name]: value } })}
      />
    ));
  return (
    <Form error={fault ? new TypedError(fault.message) : error} onSubmit={save}>
      <Columns least="18rem">
        <TextField label="Name" value={name} onChange={setName} required maxLength={256} error={faults['name']} />
        {fieldsOf('credentials')}
      </Columns>
      {provider.configurations.length > 0 && (
        <fieldset className={styles['group']}>
          <legend>Configuration</legend>
          <Columns least="18rem">{fieldsOf('configurations')}</Columns>
        </fieldset>
      )}
      <CheckBox label="Active: this integration sends messages" checked={isActive} onChange={setActive} />
      {provider.check && (
        <CheckBox
          label={`Check: save only if ${provider.displayName} accepts the credentials`}
          checked={isChecked}
          onChange={setChecked}
        />
      )}
      <div>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Save
        </Button>
      </div>
    </Form>
  );
}

class TypedError extends Error {}

/** Credentials replace all stored ones, so untouched ones are sent back: a mask stands for the stored secret. */
function valuesOf(
  fields: ProviderField[],
  typed: Record<string, string | boolean>,
  stored: object | undefined,
): Record<string, never> {
  const values: Record<string, unknown> = { ...stored };
  for (const { name, label, type } of fields) {
    const value = typed[name];
    if (value === undefined) continue;
    if (type === 'number') values[name] = Number(value);
    else if (value === '') delete values[name];
    else values[name] = type === 'object' ? parseObject(label, String(value)) : value;
  }
  return values as Record<string, never>;
}

function parseObject(label: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label} is not JSON`);
  }
}

type FieldControlProps = {
  field: ProviderField;
  stored: unknown;
  typed: string | boolean | undefined;
  error: string | undefined;
  onType(value: string | boolean): void;
};

function FieldControl({ field, stored, typed, error, onType }: FieldControlProps) {
  const { name, label, type, secret, required, oneOf, options = [], hint } = field;
  const isSet = stored !== undefined && stored !== '';
  const shown = typed ?? (secret ? '' : (stored ?? ''));
  const described = [
    secret && isSet && typed === undefined && 'Set. Type a new value to replace it.',
    oneOf && `Give at least one of ${oneOf.join(', ')}.`,
    hint && `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
  ]
    .filter(Boolean)
    .join(' ');
  const isRequired = required && !(secret && isSet);
  const common = { label, hint: described || undefined, error };
  switch (type) {
    case 'boolean':
      return (
        <div>
          <CheckBox label={label} checked={shown === true || shown === 'true'} onChange={onType} />
          {described && <span className="quiet">{described}</span>}
        </div>
      );
    case 'choice':
      return (
        <Select
          {...common}
          isRequired={isRequired}
          value={String(shown || options[0])}
          options={options.map((value) => ({ value, label: value }))}
          onChange={onType}
        />
      );
    case 'object':
      return (
        <TextArea
          {...common}
          isRequired={isRequired}
          value={typeof shown === 'object' ? JSON.stringify(shown, null, 2) : String(shown)}
          onChange={onType}
          isCode
        />
      );
    case 'number':
    case 'text':
      return (
        <TextField
          {...common}
          name={name}
          type={secret ? 'password' : type}
          autoComplete="off"
          required={isRequired}
          value={String(shown)}
          onChange={onType}
        />
      );
  }
}
