import { useState } from 'react';
import { type Channel, CHANNEL_OPTIONS } from '../../api/channels';
import { workflowChoices } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import { FormDialog, ShownOnce } from '../../ui/dialog';
import { CheckGroup, TextField } from '../../ui/field';
import { PickerList } from '../../ui/picker';
import { type Endpoint, ENTRY_OPTIONS, type EntryType, WEBHOOKS } from './data';

/** The only time that a signing secret is shown. */
export function NewSecret(props: { title: string; text: string; onClose(): void }) {
  const note = 'Copy this secret now: your receiver verifies signatures with it. It is not shown again.';
  return <ShownOnce {...props} label="Signing secret" note={note} />;
}

/** The interface refuses an empty list, because it could mean everything or nothing. */
const filterOf = <T,>(values: T[]): T[] | null => (values.length > 0 ? values : null);

export function EndpointForm({ endpoint, onClose }: { endpoint?: Endpoint; onClose(): void }) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<EntryType[]>(endpoint?.events ?? []);
  const [channels, setChannels] = useState<Channel[]>(endpoint?.channels ?? []);
  const [workflows, setWorkflows] = useState(endpoint?.workflows ?? []);
  const [secret, setSecret] = useState<string>();
  const save = async (): Promise<string | undefined> => {
    const body = {
      url: url.trim(),
      description: description.trim() || null,
      events: filterOf(events),
      channels: filterOf(channels),
      workflows: filterOf(workflows),
    };
    if (!endpoint) return (await unwrap(api.POST('/v1/webhook-endpoints', { body }))).secret;
    const params = { path: { endpointId: endpoint._id } };
    await unwrap(api.PATCH('/v1/webhook-endpoints/{endpointId}', { params, body }));
    return undefined;
  };
  if (secret !== undefined) return <NewSecret title="The endpoint is created" text={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={endpoint ? 'Edit the endpoint' : 'New endpoint'}
      action={endpoint ? 'Save' : 'Create endpoint'}
      run={save}
      stale={WEBHOOKS}
      done={endpoint && 'The endpoint is saved.'}
      then={endpoint ? onClose : setSecret}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label="URL"
            type="url"
            value={url}
            onChange={setUrl}
            required
            autoFocus
            placeholder="https://example.com/webhooks"
            hint="It gets a signed POST for each entry. It should answer with 2xx within ten seconds."
            error={faults['url']}
          />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            maxLength={500}
            error={faults['description']}
          />
          <CheckGroup
            legend="Events"
            hint="None chosen: every event."
            options={ENTRY_OPTIONS}
            chosen={events}
            onChange={setEvents}
          />
          <CheckGroup
            legend="Channels"
            hint="None chosen: every channel."
            options={CHANNEL_OPTIONS}
            chosen={channels}
            onChange={setChannels}
          />
          <PickerList
            label="Workflows"
            hint="None chosen: every workflow."
            placeholder="Name or workflowId"
            values={workflows}
            choices={workflowChoices}
            onChange={setWorkflows}
            error={faults['workflows']}
          />
        </>
      )}
    </FormDialog>
  );
}
