import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { holdsQuery, type HoldTarget } from '../api/holds';
import { useEnvironment } from '../session/session';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';
import { showToast } from '../ui/toasts';

/** Asks for the reason, then holds. */
export function HoldDialog({
  target,
  id,
  name,
  word = 'Hold',
  onClose,
}: HoldTarget & { word?: string; onClose(): void }) {
  const [reason, setReason] = useState('');
  const environment = useEnvironment();
  const client = useQueryClient();
  const hold = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/holds', { body: { target, id, ...(reason.trim() && { reason }) } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: holdsQuery().queryKey });
      showToast(`${name} is held.`);
      onClose();
    },
  });
  return (
    <Dialog title={`${word} ${name} in ${environment.name}?`} onClose={onClose}>
      <p>Steps wait until you release the hold. Nothing is lost, and new triggers are still accepted.</p>
      <Form error={hold.error} onSubmit={() => hold.mutate()}>
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          maxLength={500}
          hint="Shown on every page, and in the activity of each step that waits."
        />
        {environment.kind === 'production' && <Alert tone="warn">This is a production environment.</Alert>}
        <div>
          <Button type="submit" kind="primary" isBusy={hold.isPending}>
            {word}
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
