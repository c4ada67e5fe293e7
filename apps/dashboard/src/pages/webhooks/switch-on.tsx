import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { CheckBox } from '../../ui/field';
import { Form } from '../../ui/form';
import { plural } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { type Endpoint, reloadWebhooks } from './data';

/** Switches an endpoint on, with or without what it missed. */
export function SwitchOn({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const [skipMissed, setSkipMissed] = useState(false);
  const missed = endpoint.waitingDeliveries + endpoint.waitingEntries;
  const switchOn = useMutation({
    mutationFn: () => {
      const params = { path: { endpointId: endpoint._id } };
      const body = { active: true, ...(skipMissed && { skipMissed }) };
      return unwrap(api.PATCH('/v1/webhook-endpoints/{endpointId}', { params, body }));
    },
    onSuccess: async () => {
      await reloadWebhooks();
      showToast('The endpoint is on.');
      onClose();
    },
  });
  return (
    <Dialog title="Switch the endpoint on?" onClose={onClose}>
      <Form onSubmit={() => !switchOn.isPending && switchOn.mutate()} error={switchOn.error}>
        <p>
          {missed === 0
            ? 'It missed nothing, and gets what happens from now on.'
            : `It continues where it stopped: ${plural(missed, 'entry', 'entries')} wait, before the filter.`}
        </p>
        {missed > 0 && <CheckBox label="Leave out what it missed" checked={skipMissed} onChange={setSkipMissed} />}
        <div>
          <Button type="submit" kind="primary" isBusy={switchOn.isPending}>
            Switch on
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
