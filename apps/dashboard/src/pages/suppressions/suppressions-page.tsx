import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CHANNEL_NAMES } from '../../api/channels';
import { api, type Schemas, unwrap } from '../../api/client';
import { useProviderName } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { ConfirmDialog, FormDialog } from '../../ui/dialog';
import { SearchBox, Select, TextField, useFields } from '../../ui/field';
import { NewButton } from '../../ui/new-button';
import { Empty, Filters, Page } from '../../ui/page';
import { CursorTable } from '../../ui/table';
import { Time } from '../../ui/time';
import { CHANNELS, type SuppressedChannel } from './search';

const PAGE_SIZE = 50;
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: CHANNEL_NAMES[value] }));

type Suppression = Schemas['SuppressionDto'];

export function SuppressionsPage() {
  const search = useSearch({ from: '/signed-in/suppressions' });
  const navigate = useNavigate({ from: '/suppressions' });
  const canWrite = useCanWrite();
  const nameOf = useProviderName();
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
      actions={<NewButton words="Add">{(onClose) => <AddDialog onClose={onClose} />}</NewButton>}
    >
      <p className="quiet">
        Messages are not sent to a suppressed address. Hard bounces and complaints suppress an address.
      </p>
      <Filters>
        <Select
          label="Channel"
          value={channel ?? ''}
          options={[{ value: '', label: 'All channels' }, ...CHANNEL_OPTIONS]}
          onChange={(value) => void navigate({ search: { address, channel: value === '' ? undefined : value } })}
        />
        <SearchBox
          label="Address"
          placeholder="A whole address or number"
          value={address ?? ''}
          onSearch={(text) => void navigate({ search: { channel, address: text || undefined }, replace: true })}
        />
      </Filters>
      <CursorTable
        query={list}
        label="Suppressions"
        one="suppression"
        rowKey={({ _id }) => _id}
        columns={[
          { name: 'Address', cell: (row) => row.address },
          { name: 'Channel', cell: (row) => CHANNEL_NAMES[row.channel] },
          {
            name: 'Reason',
            cell: (row) => (row.providerId ? `${row.reason} (${nameOf(row.providerId)})` : row.reason),
          },
          { name: 'Since', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
          { name: 'Reported about', cell: (row) => <Origin suppression={row} /> },
        ]}
        actions={
          canWrite &&
          ((row) => (
            <Button aria-label={`Lift ${row.address}`} onClick={() => setLifted(row)}>
              Lift
            </Button>
          ))
        }
        onMove={(cursor) => void navigate({ search: (given) => ({ ...given, ...cursor }) })}
        empty={
          isFiltered ? (
            <Empty title="No suppression matches">
              Messages are sent to this address. The filter compares whole addresses.
            </Empty>
          ) : (
            <Empty title="No address is suppressed" command={COMMAND}>
              Addresses appear here after a hard bounce or a complaint, or when you add them.
            </Empty>
          )
        }
      />
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
  const { values, field } = useFields({ channel: 'email' as SuppressedChannel, address: '' });
  return (
    <FormDialog
      title="Stop sending to an address"
      action="Suppress"
      run={() => unwrap(api.POST('/v1/suppressions', { body: { ...values, address: values.address.trim() } }))}
      stale={['suppressions']}
      done={(added) => `${added.address} is suppressed.`}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Select label="Channel" options={CHANNEL_OPTIONS} {...field('channel')} />
          <TextField
            label="Address"
            required
            autoFocus
            hint={values.channel === 'email' ? 'An email address.' : 'A phone number.'}
            {...field('address', faults)}
          />
        </>
      )}
    </FormDialog>
  );
}

function LiftDialog({ suppression, onClose }: { suppression: Suppression; onClose(): void }) {
  const { channel, address, reason } = suppression;
  const params = { path: { channel, address } };
  return (
    <ConfirmDialog
      title={`Lift the suppression of ${address}?`}
      action="Lift"
      run={() => unwrap(api.DELETE('/v1/suppressions/{channel}/{address}', { params }))}
      stale={['suppressions']}
      done={`Messages are sent to ${address} again.`}
      onClose={onClose}
    >
      <p>
        Reason: {reason}. The next message on {CHANNEL_NAMES[channel]} is sent to the address. An address that bounces
        or complains again harms the reputation of the sender, and is suppressed again.
      </p>
    </ConfirmDialog>
  );
}

const COMMAND = `curl ${location.origin}/v1/suppressions -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"channel": "email", "address": "s@x.test"}'`;
