import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { useSession } from '../../session/session';
import { FormDialog } from '../../ui/dialog';
import { CheckBox, TextField } from '../../ui/field';

type Variable = Schemas['EnvironmentVariableDto'];

/** Creates a variable, or changes the given one. A stored secret is not shown: an empty field keeps it. */
export function VariableForm({ variable, onClose }: { variable?: Variable; onClose(): void }) {
  const { environments } = useSession();
  const [key, setKey] = useState(variable?.key ?? '');
  const [isSecret, setSecret] = useState(variable?.isSecret ?? false);
  const isStored = (id: string) => variable?.values.some(({ _environmentId }) => _environmentId === id) ?? false;
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      (variable?.isSecret ? [] : (variable?.values ?? [])).map(({ _environmentId, value }) => [_environmentId, value]),
    ),
  );
  const save = () => {
    const given = environments
      .map(({ _id }) => ({ _environmentId: _id, value: values[_id] ?? '' }))
      .filter(({ _environmentId, value }) => value !== '' || (isStored(_environmentId) && !variable!.isSecret));
    const body = { key, isSecret, values: given };
    if (!variable) return unwrap(api.POST('/v1/environment-variables', { body }));
    const params = { path: { variableKey: variable.key } };
    return unwrap(api.PATCH('/v1/environment-variables/{variableKey}', { params, body }));
  };
  return (
    <FormDialog
      title={variable ? `Edit ${variable.key}` : 'New variable'}
      action={variable ? 'Save' : 'Create'}
      run={save}
      stale={['variables']}
      done="The variable is saved."
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label="Key"
            value={key}
            onChange={setKey}
            required
            autoFocus={!variable}
            spellCheck={false}
            hint="Letters, digits and underscores."
            error={faults['key']}
          />
          <CheckBox label="Secret: encrypted, and never shown again" checked={isSecret} onChange={setSecret} />
          {environments.map(({ _id, name }) => (
            <TextField
              key={_id}
              label={`Value in ${name}`}
              type={isSecret ? 'password' : 'text'}
              autoComplete="off"
              maxLength={4_096}
              value={values[_id] ?? ''}
              onChange={(value) => setValues({ ...values, [_id]: value })}
              hint={variable?.isSecret && isStored(_id) ? 'Empty: the stored value stays.' : undefined}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
