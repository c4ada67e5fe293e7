import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { ApiError } from '../../api/error';
import { queries } from '../../api/queries';
import { useSession } from '../../session/session';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { CheckBox, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { showToast } from '../../ui/toasts';

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
  const save = useMutation({
    mutationFn: () => {
      const given = environments
        .map(({ _id }) => ({ _environmentId: _id, value: values[_id] ?? '' }))
        .filter(({ _environmentId, value }) => value !== '' || (isStored(_environmentId) && !variable!.isSecret));
      if (!variable) return unwrap(api.POST('/v1/environment-variables', { body: { key, isSecret, values: given } }));
      const params = { path: { variableKey: variable.key } };
      return unwrap(
        api.PATCH('/v1/environment-variables/{variableKey}', { params, body: { key, isSecret, values: given } }),
      );
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['variables'] });
      showToast('The variable is saved.');
      onClose();
    },
  });
  const faults = save.error instanceof ApiError ? save.error.fields : {};
  return (
    <Dialog title={variable ? `Edit ${variable.key}` : 'New variable'} onClose={onClose}>
      <Form onSubmit={() => !save.isPending && save.mutate()} error={save.error}>
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
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {variable ? 'Save' : 'Create'}
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
