import { useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';

type Props = { taken: string[]; onSave(name: string): void; onClose(): void };

/** Asks for the name of a view. */
export default function SaveView({ taken, onSave, onClose }: Props) {
  const [name, setName] = useState('');
  const isTaken = taken.includes(name.trim());
  return (
    <Dialog title="Save view" onClose={onClose}>
      <Form error={null} onSubmit={() => !isTaken && name.trim() && onSave(name.trim())}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={40}
          required
          error={isTaken ? 'There is a view with this name.' : undefined}
          hint="The filters are in the address; the name is kept in this browser."
        />
        <div>
          <Button type="submit" kind="primary">
            Save
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
