import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { ApiError } from '../../api/error';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Select, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { SearchBox } from '../../ui/search-box';
import { Skeleton } from '../../ui/skeleton';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { CHANNELS, type SuppressedChannel } from './search';
import styles from './suppressions.module.css';

const PAGE_SIZE = 50;
const NAMES: Record<SuppressedChannel, string> = { email: 'Email', sms: 'SMS', chat: 'Chat' };
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: NAMES[value] }));

type Suppression = Schemas['SuppressionDto'];

export function SuppressionsPage() {
  const search = useSearch({ from: '/signed-in/suppressions' });
  const navigate = useNavigate({ from: '/suppressions' });
  const canWrite = useCanWrite();
  const [isAdding, setAdding] = useState(false);
  const [lifted, setLifted] = useState<Suppression>();
  const { channel, address, after, before } = search;
  const list = useQuery({
    queryKey: ['suppressions', channel, address, after, before],
    queryFn: () => {
      const query = { channel, address, after, before, limit: PAGE_SIZE };
      return unwrap(api.GET('/v1/suppressions', { params: { query } }));
    },
    placeholderData: keepPreviousData,
  });
  const isFiltered = channel !== undefined || address !== undefined;
  return (
    <Page
      title="Suppressions"
      actions={
        canWrite && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            Add
          </Button>
        )
      }
    >
      <p>Messages are not sent to a suppressed address. Hard bounces and complaints suppress an address.</p>
      <div className={styles['filters']}>
        <Select
          label="Channel"
          value={channel ?? ''}
          options={[{ value: '', label: 'All channels' }, ...CHANNEL_OPTIONS]}
          onChange={(value) => void navigate({ search: { address, channel: value === '' ? undefined : value } })}
        />
        <SearchBox
          label="Address"
          hint="The whole email address or phone number, in any spelling."
          value={address ?? ''}
          onSearch={(text) => void navigate({ search: { channel, address: text || undefined }, replace: true })}
        />
      </div>
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={6} />}
      {list.data?.data.length === 0 &&
        (isFiltered ? (
          <Empty title="No suppression matches">
            <p>Messages are sent to this address. The filter compares whole addresses.</p>
          </Empty>
        ) : (
          <Empty title="No address is suppressed" command={COMMAND}>
            <p>Addresses appear here after a hard bounce or a complaint, or when you add them.</p>
          </Empty>
        ))}
      {list.data && list.data.data.length > 0 && (
        <>
          <Table
            label="Suppressions"
            rows={list.data.data}
            rowKey={({ _id }) => _id}
            columns={[
              { name: 'Address', cell: (row) => row.address },
              { name: 'Channel', cell: (row) => NAMES[row.channel] },
              { name: 'Reason', cell: ({ reason, providerId }) => (providerId ? `${reason} (${providerId})` : reason) },
              { name: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { name: 'Reported about', cell: (row) => <Origin suppression={row} /> },
              ...(canWrite
                ? [
                    {
                      name: 'Actions',
                      cell: (row: Suppression) => (
                        <Button aria-label={`Lift ${row.address}`} onClick={() => setLifted(row)}>
                          Lift
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <Pager
            list={list.data}
            one="suppression"
            onMove={(cursor) => void navigate({ search: (given) => ({ ...given, ...cursor }) })}
          />
        </>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {lifted && <LiftDialog suppression={lifted} onClose={() => setLifted(undefined)} />}
    </Page>
  );
}

function Origin({ suppression }: { suppression: Suppression }) {
  const { _notificationId: notificationId, _messageId: messageId } = suppression;
  if (notificationId) {
    return (
      <Link to="/activity/$notificationId" params={{ notificationId }}>
        Notification
      </Link>
    );
  }
  return messageId ? <code>{messageId}</code> : '—';
}

function AddDialog({ onClose }: { onClose(): void }) {
  const [channel, setChannel] = useState<SuppressedChannel>('email');
  const [address, setAddress] = useState('');
  const add = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/suppressions', { body: { channel, address: address.trim() } })),
    onSuccess: async (added) => {
      await queries.invalidateQueries({ queryKey: ['suppressions'] });
      showToast(`${added.address} is suppressed.`);
      onClose();
    },
  });
  const faults = add.error instanceof ApiError ? add.error.fields : {};
  return (
    <Dialog title="Stop sending to an address" onClose={onClose}>
      <Form onSubmit={() => add.mutate()} error={add.error}>
        <Select<SuppressedChannel> label="Channel" value={channel} options={CHANNEL_OPTIONS} onChange={setChannel} />
        <TextField
          label="Address"
          value={address}
          onChange={setAddress}
          required
          autoFocus
          hint={channel === 'email' ? 'An email address.' : 'A phone number.'}
          error={faults['address']}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={add.isPending}>
            Suppress
          </Button>{' '}
          <Button onClick={onClose}>Close</Button>
        </div>
      </Form>
    </Dialog>
  );
}

function LiftDialog({ suppression, onClose }: { suppression: Suppression; onClose(): void }) {
  const { channel, address, reason } = suppression;
  const lift = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/v1/suppressions/{channel}/{address}', { params: { path: { channel, address } } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['suppressions'] });
      showToast(`Messages are sent to ${address} again.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Lift the suppression of ${address}?`}
      action="Lift"
      isBusy={lift.isPending}
      error={lift.error && <Alert tone="bad">{messageOf(lift.error)}</Alert>}
      onClose={onClose}
      onConfirm={() => lift.mutate()}
    >
      <p>
        Reason: {reason}. The next message on {NAMES[channel]} is sent to the address. An address that bounces or
        complains again harms the reputation of the sender, and is suppressed again.
      </p>
    </ConfirmDialog>
  );
}

const COMMAND = `curl ${location.origin}/v1/suppressions -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"channel": "email", "address": "s@x.test"}'`;
