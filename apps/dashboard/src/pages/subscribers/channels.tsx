import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { useProviderName } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Loaded, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { plural, Time } from '../../ui/time';
import { masked } from './person';
import styles from './subscribers.module.css';

type Subscriber = Schemas['SubscriberDto'];
type Settings = Schemas['ChannelSettingsDto'];

/** The channels with stored credentials, which are secrets: only their ends are shown. */
export function Channels({ subscriber }: { subscriber: Subscriber }) {
  const canWrite = useCanWrite();
  const nameOf = useProviderName();
  const [clearing, setClearing] = useState<Settings>();
  const { channels = [], subscriberId } = subscriber;
  return (
    <Section title="Channels">
      {channels.length === 0 ? (
        <p>No credentials of chat or push providers are stored.</p>
      ) : (
        <ul className={styles['rows']}>
          {channels.map((channel) => (
            <li key={`${channel.providerId} ${channel._integrationId}`} className={styles['row']}>
              <span>
                <strong>{nameOf(channel.providerId)}</strong> {channel.integrationIdentifier}
                <br />
                {credentialsOf(channel).join(', ')}
              </span>
              {canWrite && <Button onClick={() => setClearing(channel)}>Clear</Button>}
            </li>
          ))}
        </ul>
      )}
      {clearing && (
        <ClearDialog subscriberId={subscriberId} channel={clearing} onClose={() => setClearing(undefined)} />
      )}
    </Section>
  );
}

function credentialsOf({ credentials }: Settings): string[] {
  const { deviceTokens = [], ...others } = credentials;
  const named = Object.entries(others).map(([name, value]) => `${name} ${masked(String(value))}`);
  if (deviceTokens.length === 0) return named;
  return [...named, `${plural(deviceTokens.length, 'device token')} (${deviceTokens.map(masked).join(', ')})`];
}

function ClearDialog({ subscriberId, channel, onClose }: { subscriberId: string; channel: Settings; onClose(): void }) {
  const nameOf = useProviderName();
  const { providerId } = channel;
  const params = { path: { subscriberId, providerId } };
  return (
    <ConfirmDialog
      title={`Clear the credentials of ${nameOf(providerId)}?`}
      action="Clear"
      run={() => unwrap(api.DELETE('/v1/subscribers/{subscriberId}/credentials/{providerId}', { params }))}
      stale={['subscriber', subscriberId]}
      done="The credentials are deleted."
      onClose={onClose}
    >
      <p>All credentials of this provider are deleted, and its messages do not reach the subscriber any more.</p>
    </ConfirmDialog>
  );
}

export function Suppressions({ subscriber }: { subscriber: Subscriber }) {
  const addresses = [subscriber.email, subscriber.phone].filter((address): address is string => Boolean(address));
  const found = useQuery({
    queryKey: ['suppressions', 'of', ...addresses],
    queryFn: async () => {
      const lists = await Promise.all(
        addresses.map((address) => unwrap(api.GET('/v1/suppressions', { params: { query: { address } } }))),
      );
      return lists.flatMap(({ data }) => data);
    },
  });
  return (
    <Section title="Suppression">
      {addresses.length === 0 && <p>The subscriber has no email address and no phone number.</p>}
      <Loaded query={found} lines={1}>
        {(suppressions) =>
          suppressions.length > 0 ? (
            <ul className={styles['rows']}>
              {suppressions.map(({ _id, channel, address, reason, createdAt }) => (
                <li key={_id} className={styles['row']}>
                  <span>
                    <Badge tone="bad">Suppressed</Badge> {address} on {channel}: {reason}, <Time at={createdAt} />
                  </span>
                  <Link to="/suppressions" search={{ channel, address }}>
                    Show
                  </Link>
                </li>
              ))}
            </ul>
          ) : (
            addresses.length > 0 && (
              <p>
                <Badge tone="good">Not suppressed</Badge> Messages are sent to {addresses.join(' and ')}.
              </p>
            )
          )
        }
      </Loaded>
    </Section>
  );
}
