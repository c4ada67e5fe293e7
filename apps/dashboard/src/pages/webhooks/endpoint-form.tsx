import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { ApiError } from '../../api/error';
import { Button } from '../../ui/button';
import { CheckGroup } from '../../ui/check-group';
import { Dialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { ShownOnce } from '../../ui/shown-once';
import { showToast } from '../../ui/toasts';
import { type Channel, CHANNEL_OPTIONS, type Endpoint, ENTRY_OPTIONS, type EntryType, reloadWebhooks } from './data';

export const SECRET_NOTE = 'Copy this secret now: your receiver verifies signatures with it. It is not shown again.';

/** The interface refuses an empty list, because it could mean everything or nothing. */
const filterOf = <T,>(values: T[]): T[] | null => (values.length > 0 ? values : null);

/** Creates an endpoint and shows its secret, or changes the given one. */
export function EndpointForm({ endpoint, onClose }: { endpoint?: Endpoint; onClose(): void }) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<EntryType[]>(endpoint?.events ?? []);
  const [channels, setChannels] = useState<Channel[]>(endpoint?.channels ?? []);
  const [workflows, setWorkflows] = useState(endpoint?.workflows?.join(', ') ?? '');
  const save = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      const body = {
        url: url.trim(),
        description: description.trim() || null,
        events: filterOf(events),
        channels: filterOf(channels),
        workflows: filterOf(workflows.split(/[\s,]+/).filter(Boolean)),
      };
      if (!endpoint) return (await unwrap(api.POST('/v1/webhook-endpoints', { body }))).secret;
      const params = { path: { endpointId: endpoint._id } };
      await unwrap(api.PATCH('/v1/webhook-endpoints/{endpointId}', { params, body }));
      return undefined;
    },
    onSuccess: async (secret) => {
      await reloadWebhooks();
      if (secret !== undefined) return;
      showToast('The endpoint is saved.');
      onClose();
    },
  });
  const faults = save.error instanceof ApiError ? save.error.fields : {};
  if (save.data !== undefined) {
    return (
      <ShownOnce
        title="The endpoint is created"
        label="Signing secret"
        text={save.data}
        note={SECRET_NOTE}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={endpoint ? 'Edit the endpoint' : 'New endpoint'} onClose={onClose}>
      <Form onSubmit={() => !save.isPending && save.mutate()} error={save.error}>
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
        <TextField
          label="Workflows"
          hint="Each workflowId, with commas between them. Empty: every workflow."
          value={workflows}
          onChange={setWorkflows}
          error={faults['workflows']}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {endpoint ? 'Save' : 'Create endpoint'}
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
