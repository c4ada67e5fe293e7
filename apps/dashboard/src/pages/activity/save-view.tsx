import { useState } from 'react';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';

type Props = { taken: string[]; onSave(name: string): void; onClose(): void };

export default function SaveView({ taken, onSave, onClose }: Props) {
  const [name, setName] = useState('');
  const isTaken = taken.includes(name.trim());
  return (
    <FormDialog
      title="Save view"
      action="Save"
      isReady={!isTaken && name.trim() !== ''}
      run={async () => onSave(name.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={40}
        required
        error={isTaken ? 'There is a view with this name.' : undefined}
        hint="The filters are in the address; the name is kept in this browser."
      />
    </FormDialog>
  );
}
