import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { holdsQuery, type HoldTarget } from '../api/holds';
import { useEnvironment } from '../session/session';
import { FormDialog, InEnvironment } from '../ui/dialog';
import { TextField } from '../ui/field';

type HoldDialogProps = HoldTarget & { word?: string; onClose(): void };

export function HoldDialog({ target, id, name, word = 'Hold', onClose }: HoldDialogProps) {
  const [reason, setReason] = useState('');
  const environment = useEnvironment();
  return (
    <FormDialog
      title={`${word} ${name} in ${environment.name}?`}
      action={word}
      run={() => unwrap(api.POST('/v1/holds', { body: { target, id, ...(reason.trim() && { reason }) } }))}
      stale={holdsQuery().queryKey}
      done={`${name} is held.`}
      onClose={onClose}
    >
      <p>Steps wait until you release the hold. Nothing is lost, and new triggers are still accepted.</p>
      <TextField
        label="Reason"
        value={reason}
        onChange={setReason}
        maxLength={500}
        hint="Shown on every page, and in the activity of each step that waits."
      />
      <InEnvironment />
    </FormDialog>
  );
}
