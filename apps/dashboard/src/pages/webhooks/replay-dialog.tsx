import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog, FormDialog } from '../../ui/dialog';
import { Columns, Select, TextField, useFields } from '../../ui/field';
import { Alert } from '../../ui/page';
import { formatNumber, plural } from '../../ui/time';
import { localTime } from '../../ui/typed';
import { WEBHOOKS } from './data';

type Kind = 'time' | 'failed' | 'number';

const KINDS = [
  { value: 'time', label: 'Entries by time' },
  { value: 'failed', label: 'Deliveries that have failed' },
  { value: 'number', label: 'Entries by number' },
] as const;

const HOUR_MS = 3_600_000;
const timeOf = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());
const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** Sends entries to the endpoint again. They keep their ids, so the receiver recognizes those that it has. */
export function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('time');
  const { values, field } = useFields(() => {
    const since = localTime(new Date(Date.now() - HOUR_MS));
    return { since, until: '', after: '', to: '' };
  });
  const [result, setResult] = useState<Schemas['WebhookReplayDto']>();
  if (result) {
    return (
      <Dialog title="Replay" onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
        <Alert tone="good">{resultText(result)}</Alert>
      </Dialog>
    );
  }
  const params = { path: { endpointId } };
  const body =
    kind === 'failed'
      ? { failedOnly: true }
      : kind === 'time'
        ? { since: timeOf(values.since), until: timeOf(values.until) }
        : { after: numberOf(values.after), to: numberOf(values.to) };
  return (
    <FormDialog
      title="Replay"
      action="Replay"
      run={() => unwrap(api.POST('/v1/webhook-endpoints/{endpointId}/replay', { params, body }))}
      stale={WEBHOOKS}
      then={setResult}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Select<Kind>
            label="What is sent again"
            hint="The filter of the endpoint applies. A receiver recognizes an entry that it has by webhook-id."
            value={kind}
            options={KINDS}
            onChange={setKind}
          />
          {kind === 'time' && (
            <Columns>
              <TextField
                label="Since"
                type="datetime-local"
                required
                hint="In your time zone."
                {...field('since', faults)}
              />
              <TextField label="Until" type="datetime-local" hint="Empty: now." {...field('until', faults)} />
            </Columns>
          )}
          {kind === 'number' && (
            <Columns>
              <TextField label="After number" type="number" min={0} required {...field('after', faults)} />
              <TextField label="To number" type="number" min={1} hint="Empty: the last one." {...field('to', faults)} />
            </Columns>
          )}
        </>
      )}
    </FormDialog>
  );
}

function resultText({ deliveries, after = 0, to = 0 }: Schemas['WebhookReplayDto']): string {
  if (deliveries !== undefined) {
    return deliveries === 0
      ? 'No delivery has failed.'
      : `${plural(deliveries, 'delivery', 'deliveries')} are sent again.`;
  }
  if (to <= after) return 'There is no entry in this range.';
  const range = `${formatNumber(after + 1)} to ${formatNumber(to)}`;
  return `The entries ${range} of the event log are sent again as far as the filter takes them, between new ones.`;
}
