import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Section } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { formatNumber, Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { masked } from './person';
import styles from './subscribers.module.css';

type Endpoint = Schemas['ChannelEndpointDto'];
type Connection = Schemas['ChannelConnectionDto'];
type Deleted = { kind: 'endpoint' | 'connection'; identifier: string };

const SHOWN = 50;
const TYPES: Record<Endpoint['type'], string> = {
  slack_channel: 'Slack channel',
  slack_user: 'Slack person',
  ms_teams_channel: 'Teams channel',
  ms_teams_user: 'Teams person',
  telegram_chat: 'Telegram chat',
  phone: 'Phone',
  webhook: 'Webhook',
};

/** Where chat messages of the subscriber go, and the workspaces that it has connected. */
export function ChatEndpoints({ subscriberId }: { subscriberId: string }) {
  const canWrite = useCanWrite();
  const [deleted, setDeleted] = useState<Deleted>();
  const query = { subscriberId, limit: SHOWN };
  const list = useQuery({
    queryKey: ['subscriber', subscriberId, 'chat-endpoints'],
    queryFn: async () => {
      const [endpoints, connections] = await Promise.all([
        unwrap(api.GET('/v1/channel-endpoints', { params: { query } })),
        unwrap(api.GET('/v1/channel-connections', { params: { query } })),
      ]);
      return { endpoints, connections };
    },
  });
  const { endpoints, connections } = list.data ?? {};
  const isCut = endpoints?.next || connections?.next;
  return (
    <Section title="Chat endpoints">
      {list.isPending && <Skeleton lines={2} />}
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {endpoints?.data.length === 0 && (
        <p>No chat endpoint: chat steps use the credentials of the channels above, if there are any.</p>
      )}
      {endpoints && endpoints.data.length > 0 && (
        <ul className={styles['rows']} aria-label="Chat endpoints">
          {endpoints.data.map((endpoint) => (
            <li key={endpoint.identifier} className={styles['row']}>
              <span>
                <strong>{TYPES[endpoint.type]}</strong> <code>{endpoint.identifier}</code>
                <br />
                {textOf(endpoint)}
              </span>
              {canWrite && (
                <Button
                  aria-label={`Delete endpoint ${endpoint.identifier}`}
                  onClick={() => setDeleted({ kind: 'endpoint', identifier: endpoint.identifier })}
                >
                  Delete
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {connections && connections.data.length > 0 && (
        <>
          <h3>Connections</h3>
          <ul className={styles['rows']} aria-label="Connections">
            {connections.data.map((connection) => (
              <li key={connection.identifier} className={styles['row']}>
                <ConnectionText connection={connection} />
                {canWrite && (
                  <Button
                    aria-label={`Delete connection ${connection.identifier}`}
                    onClick={() => setDeleted({ kind: 'connection', identifier: connection.identifier })}
                  >
                    Delete
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {isCut && <p>The first {formatNumber(SHOWN)} of each are shown.</p>}
      {deleted && <DeleteConfirm subscriberId={subscriberId} deleted={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  );
}

/** The ids of an endpoint. Webhook URLs are secrets: only their ends are shown. */
function textOf({ type, endpoint, contextKeys, integrationIdentifier, connectionIdentifier }: Endpoint): string {
  const values = Object.entries(endpoint).map(
    ([name, value]) => `${name} ${type === 'webhook' ? masked(String(value)) : String(value)}`,
  );
  const parts = [
    ...values,
    integrationIdentifier && `through ${integrationIdentifier}`,
    connectionIdentifier && `with ${connectionIdentifier}`,
    contextKeys.length > 0 && `only in ${contextKeys.join(', ')}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function ConnectionText({ connection }: { connection: Connection }) {
  const { identifier, providerId, workspace, auth, contextKeys } = connection;
  return (
    <span>
      <strong>{workspace.name ?? workspace.id}</strong> {providerId} <code>{identifier}</code>
      {contextKeys.length > 0 && ` only in ${contextKeys.join(', ')}`}
      {auth.expiresAt && (
        <>
          <br />
          The token is renewed at <Time at={auth.expiresAt} />
        </>
      )}
    </span>
  );
}

function DeleteConfirm(props: { subscriberId: string; deleted: Deleted; onClose(): void }) {
  const { subscriberId, deleted, onClose } = props;
  const { kind, identifier } = deleted;
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { identifier } };
      return kind === 'endpoint'
        ? unwrap(api.DELETE('/v1/channel-endpoints/{identifier}', { params }))
        : unwrap(api.DELETE('/v1/channel-connections/{identifier}', { params }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['subscriber', subscriberId, 'chat-endpoints'] });
      showToast(`The ${kind} is deleted.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete the ${kind} ${identifier}?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error && <Alert tone="bad">{messageOf(remove.error)}</Alert>}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>
        {kind === 'endpoint'
          ? 'Chat messages no longer reach the subscriber there.'
          : 'Its endpoints are deleted with it. The token is not withdrawn at the provider.'}
      </p>
    </ConfirmDialog>
  );
}
