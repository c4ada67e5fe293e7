import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { ApiError } from '../../api/error';
import { queries } from '../../api/queries';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextArea, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { showToast } from '../../ui/toasts';

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

/** Creates a subscriber, or changes the given one. An empty field clears the value. */
export function SubscriberDialog({ subscriber, onClose }: { subscriber?: Subscriber; onClose(): void }) {
  const navigate = useNavigate();
  const [id, setId] = useState(subscriber?.subscriberId ?? '');
  const [values, setValues] = useState<Record<FieldName, string>>(() => ({
    firstName: subscriber?.firstName ?? '',
    lastName: subscriber?.lastName ?? '',
    email: subscriber?.email ?? '',
    phone: subscriber?.phone ?? '',
    locale: subscriber?.locale ?? '',
    timezone: subscriber?.timezone ?? '',
  }));
  const [data, setData] = useState(subscriber?.data ? JSON.stringify(subscriber.data, null, 2) : '');
  const dataFault = faultOf(data);
  const save = useMutation({
    mutationFn: () => {
      const body = {
        ...(Object.fromEntries(FIELDS.map(([name]) => [name, values[name].trim() || null])) as Record<
          FieldName,
          string | null
        >),
        data: data.trim() === '' ? null : (JSON.parse(data) as Record<string, unknown>),
      };
      if (subscriber) {
        const path = { subscriberId: subscriber.subscriberId };
        return unwrap(api.PATCH('/v2/subscribers/{subscriberId}', { params: { path }, body }));
      }
      const query = { failIfExists: true };
      return unwrap(api.POST('/v2/subscribers', { params: { query }, body: { ...body, subscriberId: id.trim() } }));
    },
    onSuccess: async ({ subscriberId }) => {
      onClose();
      showToast(subscriber ? 'The subscriber is saved.' : 'The subscriber is created.');
      await queries.invalidateQueries({ queryKey: ['subscribers'] });
      await queries.invalidateQueries({ queryKey: ['subscriber', subscriberId] });
      if (!subscriber) await navigate({ to: '/subscribers/$subscriberId', params: { subscriberId } });
    },
  });
  const faults = save.error instanceof ApiError ? save.error.fields : {};
  return (
    <Dialog title={subscriber ? 'Edit the subscriber' : 'New subscriber'} onClose={onClose}>
      <Form onSubmit={() => !dataFault && save.mutate()} error={save.error}>
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
        {FIELDS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
            error={faults[name]}
          />
        ))}
        <TextArea label="Data" hint="A JSON object." isCode value={data} onChange={setData} error={dataFault} />
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {subscriber ? 'Save' : 'Create'}
          </Button>{' '}
          <Button onClick={onClose}>Close</Button>
        </div>
      </Form>
    </Dialog>
  );
}

function faultOf(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'This is not an object.';
  } catch {
    return 'This is not JSON.';
  }
}
