import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { useProviderName } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Loaded, Section } from '../../ui/page';
import { formatNumber, Time } from '../../ui/time';
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
  const deleteButton = (kind: Deleted['kind'], identifier: string) =>
    canWrite && (
      <Button aria-label={`Delete ${kind} ${identifier}`} onClick={() => setDeleted({ kind, identifier })}>
        Delete
      </Button>
    );
  return (
    <Section title="Chat endpoints">
      <Loaded query={list} lines={2}>
        {({ endpoints: { data } }) =>
          data.length === 0 ? (
            <p>No chat endpoint: chat steps use the credentials of the channels above, if there are any.</p>
          ) : (
            <ul className={styles['rows']} aria-label="Chat endpoints">
              {data.map((endpoint) => (
                <li key={endpoint.identifier} className={styles['row']}>
                  <span>
                    <strong>{TYPES[endpoint.type]}</strong> <code>{endpoint.identifier}</code>
                    <br />
                    {textOf(endpoint)}
                  </span>
                  {deleteButton('endpoint', endpoint.identifier)}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {connections && connections.data.length > 0 && (
        <>
          <h3>Connections</h3>
          <ul className={styles['rows']} aria-label="Connections">
            {connections.data.map((connection) => (
              <li key={connection.identifier} className={styles['row']}>
                <ConnectionText connection={connection} />
                {deleteButton('connection', connection.identifier)}
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
  const nameOf = useProviderName();
  const { identifier, providerId, workspace, auth, contextKeys } = connection;
  return (
    <span>
      <strong>{workspace.name ?? workspace.id}</strong> {providerId && nameOf(providerId)} <code>{identifier}</code>
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
  const params = { path: { identifier } };
  return (
    <ConfirmDialog
      title={`Delete the ${kind} ${identifier}?`}
      action="Delete"
      run={() =>
        kind === 'endpoint'
          ? unwrap(api.DELETE('/v1/channel-endpoints/{identifier}', { params }))
          : unwrap(api.DELETE('/v1/channel-connections/{identifier}', { params }))
      }
      stale={['subscriber', subscriberId, 'chat-endpoints']}
      done={`The ${kind} is deleted.`}
      onClose={onClose}
    >
      <p>
        {kind === 'endpoint'
          ? 'Chat messages no longer reach the subscriber there.'
          : 'Its endpoints are deleted with it. The token is not withdrawn at the provider.'}
      </p>
    </ConfirmDialog>
  );
}
