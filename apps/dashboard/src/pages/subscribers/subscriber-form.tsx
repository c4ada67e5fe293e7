import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Choices } from '../../api/choices';
import { api, type Schemas, unwrap } from '../../api/client';
import { localeChoices, timeZoneChoices } from '../../api/locales';
import { queries } from '../../api/queries';
import { FormDialog } from '../../ui/dialog';
import { Columns, TextArea, TextField, useFields } from '../../ui/field';
import { Picker } from '../../ui/picker';
import { objectOf } from '../../ui/typed';

type Subscriber = Schemas['SubscriberDto'];

const FIELDS = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['locale', 'Locale'],
  ['timezone', 'Time zone'],
] as const;
type FieldName = (typeof FIELDS)[number][0];
const CHOICES: Partial<Record<FieldName, Choices>> = { locale: localeChoices, timezone: timeZoneChoices };

/** Creates a subscriber, or changes the given one. An empty field clears the value. */
export function SubscriberDialog({ subscriber, onClose }: { subscriber?: Subscriber; onClose(): void }) {
  const navigate = useNavigate();
  const [id, setId] = useState(subscriber?.subscriberId ?? '');
  const { values, field } = useFields<Record<FieldName, string>>(() => ({
    firstName: subscriber?.firstName ?? '',
    lastName: subscriber?.lastName ?? '',
    email: subscriber?.email ?? '',
    phone: subscriber?.phone ?? '',
    locale: subscriber?.locale ?? '',
    timezone: subscriber?.timezone ?? '',
  }));
  const [data, setData] = useState(subscriber?.data ? JSON.stringify(subscriber.data, null, 2) : '');
  const dataFault = objectOf(data).fault;
  const save = () => {
    const texts = Object.fromEntries(FIELDS.map(([name]) => [name, values[name].trim() || null]));
    const body = {
      ...(texts as Record<FieldName, string | null>),
      data: data.trim() === '' ? null : (JSON.parse(data) as Record<string, unknown>),
    };
    if (subscriber) {
      const path = { subscriberId: subscriber.subscriberId };
      return unwrap(api.PATCH('/v2/subscribers/{subscriberId}', { params: { path }, body }));
    }
    const query = { failIfExists: true };
    return unwrap(api.POST('/v2/subscribers', { params: { query }, body: { ...body, subscriberId: id.trim() } }));
  };
  return (
    <FormDialog
      title={subscriber ? 'Edit the subscriber' : 'New subscriber'}
      action={subscriber ? 'Save' : 'Create'}
      isReady={!dataFault}
      run={save}
      stale={['subscribers']}
      done={subscriber ? 'The subscriber is saved.' : 'The subscriber is created.'}
      then={async ({ subscriberId }) => {
        onClose();
        await queries.invalidateQueries({ queryKey: ['subscriber', subscriberId] });
        if (!subscriber) await navigate({ to: '/subscribers/$subscriberId', params: { subscriberId } });
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {!subscriber && (
            <TextField
              label="subscriberId"
              value={id}
              onChange={setId}
              required
              autoFocus
              hint="Your identifier of the person, usually the id of the user."
              error={faults['subscriberId']}
            />
          )}
          <Columns>
            {FIELDS.map(([name, label]) => {
              const choices = CHOICES[name];
              const own = { label, ...field(name, faults) };
              return choices ? (
                <Picker key={name} {...own} choices={choices} isFree />
              ) : (
                <TextField key={name} {...own} />
              );
            })}
          </Columns>
          <TextArea label="Data" hint="A JSON object." isCode value={data} onChange={setData} error={dataFault} />
        </>
      )}
    </FormDialog>
  );
}
