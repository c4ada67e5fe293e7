import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { FormDialog } from '../../ui/dialog';
import { CheckBox } from '../../ui/field';
import { plural } from '../../ui/time';
import { type Endpoint, WEBHOOKS } from './data';

/** Switches an endpoint on, with or without what it missed. */
export function SwitchOn({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const [skipMissed, setSkipMissed] = useState(false);
  const missed = endpoint.waitingDeliveries + endpoint.waitingEntries;
  const params = { path: { endpointId: endpoint._id } };
  const body = { active: true, ...(skipMissed && { skipMissed }) };
  return (
    <FormDialog
      title="Switch the endpoint on?"
      action="Switch on"
      run={() => unwrap(api.PATCH('/v1/webhook-endpoints/{endpointId}', { params, body }))}
      stale={WEBHOOKS}
      done="The endpoint is on."
      onClose={onClose}
    >
      <p>
        {missed === 0
          ? 'It missed nothing, and gets what happens from now on.'
          : `It continues where it stopped: ${plural(missed, 'entry', 'entries')} wait, before the filter.`}
      </p>
      {missed > 0 && <CheckBox label="Leave out what it missed" checked={skipMissed} onChange={setSkipMissed} />}
    </FormDialog>
  );
}
