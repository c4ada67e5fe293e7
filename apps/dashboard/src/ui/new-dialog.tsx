import { useState } from 'react';
import { identifierOf } from '../identifiers';
import { FormDialog } from './dialog';
import { TextField } from './field';

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
  return (
    <FormDialog title={title} action="Create" run={() => create(name, identifier)} then={onCreated} onClose={onClose}>
      {(faults) => (
        <>
          <TextField label="Name" required autoFocus value={name} error={faults['name']} onChange={setName} />
          <TextField
            label={id.label}
            required
            value={identifier}
            error={faults[id.field]}
            hint={`${id.hint} It cannot be changed later.`}
            onChange={setTypedId}
          />
        </>
      )}
    </FormDialog>
  );
}
