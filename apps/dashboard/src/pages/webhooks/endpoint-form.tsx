import { useState } from 'react';
import { CHANNEL_OPTIONS } from '../../api/channels';
import { workflowChoices } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import { FormDialog, ShownOnce } from '../../ui/dialog';
import { CheckGroup, TextField, useFields } from '../../ui/field';
import { PickerList } from '../../ui/picker';
import { type Endpoint, ENTRY_OPTIONS, WEBHOOKS } from './data';

/** The only time that a signing secret is shown. */
export function NewSecret(props: { title: string; text: string; onClose(): void }) {
  const note = 'Copy this secret now: your receiver verifies signatures with it. It is not shown again.';
  return <ShownOnce {...props} label="Signing secret" note={note} />;
}

/** The interface refuses an empty list, because it could mean everything or nothing. */
const filterOf = <T,>(values: T[]): T[] | null => (values.length > 0 ? values : null);

export function EndpointForm({ endpoint, onClose }: { endpoint?: Endpoint; onClose(): void }) {
  const { values, change, field } = useFields({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    events: endpoint?.events ?? [],
    channels: endpoint?.channels ?? [],
    workflows: endpoint?.workflows ?? [],
  });
  const [secret, setSecret] = useState<string>();
  const save = async (): Promise<string | undefined> => {
    const body = {
      url: values.url.trim(),
      description: values.description.trim() || null,
      events: filterOf(values.events),
      channels: filterOf(values.channels),
      workflows: filterOf(values.workflows),
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
            required
            autoFocus
            placeholder="https://example.com/webhooks"
            hint="It gets a signed POST for each entry. It should answer with 2xx within ten seconds."
            {...field('url', faults)}
          />
          <TextField label="Description" maxLength={500} {...field('description', faults)} />
          <CheckGroup
            legend="Events"
            hint="None chosen: every event."
            options={ENTRY_OPTIONS}
            chosen={values.events}
            onChange={(events) => change({ events })}
          />
          <CheckGroup
            legend="Channels"
            hint="None chosen: every channel."
            options={CHANNEL_OPTIONS}
            chosen={values.channels}
            onChange={(channels) => change({ channels })}
          />
          <PickerList
            label="Workflows"
            hint="None chosen: every workflow."
            placeholder="Name or workflowId"
            values={values.workflows}
            choices={workflowChoices}
            onChange={(workflows) => change({ workflows })}
            error={faults['workflows']}
          />
        </>
      )}
    </FormDialog>
  );
}
