import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/error';
import { identifierOf } from '../identifiers';
import { Button } from './button';
import { Dialog } from './dialog';
import { TextField } from './field';
import { Form } from './form';

type NewProps<Made> = {
  title: string;
  firstName?: string;
  /** The field of the API that has the identifier, and how it is shown. */
  id: { field: string; label: string; hint: string };
  create(name: string, id: string): Promise<Made>;
  onCreated(made: Made): void;
  onClose(): void;
};

/** Creates an object with a name and an identifier, which follows the name until it is typed. */
export function NewDialog<Made>({ title, firstName = '', id, create, onCreated, onClose }: NewProps<Made>) {
  const [name, setName] = useState(firstName);
  const [typedId, setTypedId] = useState<string>();
  const identifier = typedId ?? identifierOf(name);
  const creation = useMutation({ mutationFn: () => create(name, identifier), onSuccess: onCreated });
  const fields = creation.error instanceof ApiError ? creation.error.fields : {};
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={creation.error} onSubmit={() => !creation.isPending && creation.mutate()}>
        <TextField label="Name" required autoFocus value={name} error={fields['name']} onChange={setName} />
        <TextField
          label={id.label}
          required
          value={identifier}
          error={fields[id.field]}
          hint={`${id.hint} It cannot be changed later.`}
          onChange={setTypedId}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={creation.isPending}>
            Create
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
