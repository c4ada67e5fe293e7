import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { type Channel, CHANNEL_NAMES } from '../../api/channels';
import { Select, TextField } from '../../ui/field';
import { Empty, Filters, Section } from '../../ui/page';
import { plural } from '../../ui/time';
import type { Provider } from './data';
import styles from './integrations.module.css';
import { Monogram } from './monogram';
import { CHANNEL_ORDER } from './search';

const EVIDENCE = {
  official: '',
  'third-party': 'Built from third-party sources',
  reported: 'Not yet proven: test it before you rely on it',
} as const;

type CatalogueProps = { providers: Provider[]; find: string; channel: Channel | undefined };

export function Catalogue({ providers, find, channel }: CatalogueProps) {
  const navigate = useNavigate();
  const change = (next: { find?: string; channel?: Channel }): void =>
    void navigate({ to: '/integrations', search: { add: 'catalogue', find, channel, ...next }, replace: true });
  const wanted = useDeferredValue(find.toLowerCase().trim());
  const found = providers.filter(
    (provider) =>
      (!channel || provider.channel === channel) &&
      `${provider.displayName} ${provider.id} ${CHANNEL_NAMES[provider.channel]}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <Filters>
        <TextField
          label="Search providers"
          type="search"
          placeholder="Name of a provider"
          value={find}
          onChange={(text) => change({ find: text })}
        />
        <Select<Channel | ''>
          label="Channel"
          value={channel ?? ''}
          options={[
            { value: '', label: 'All channels' },
            ...CHANNEL_ORDER.map((value) => ({ value, label: CHANNEL_NAMES[value] })),
          ]}
          onChange={(value) => change({ channel: value || undefined })}
        />
        <span className="quiet" role="status">
          {plural(found.length, 'provider')}
        </span>
      </Filters>
      {found.length === 0 && (
        <Empty title="No provider has this name">
          The providers Generic SMS, Email Webhook, Chat Webhook and Push Webhook send to an endpoint of your own.
        </Empty>
      )}
      {CHANNEL_ORDER.map((each) => {
        const group = found.filter((provider) => provider.channel === each);
        return group.length === 0 ? null : (
          <Section key={each} title={CHANNEL_NAMES[each]}>
            <ul className={styles['cards']}>
              {group.map((provider) => (
                <li key={provider.id}>
                  <Link to="/integrations" search={{ add: provider.id }} className={styles['card']}>
                    <span className={styles['marked']}>
                      <Monogram name={provider.displayName} />
                      <strong>{provider.displayName}</strong>
                    </span>
                    <code>{provider.id}</code>
                    <span className="quiet">{abilitiesOf(provider)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
    </>
  );
}

function abilitiesOf({ builtIn, check, deliveryEvents, batchSize, evidence }: Provider): string {
  const abilities = [
    builtIn && 'Built in',
    deliveryEvents && 'Delivery events',
    check && 'Check',
    batchSize > 1 && `Batches of ${batchSize}`,
    EVIDENCE[evidence],
  ];
  return abilities.filter(Boolean).join(' · ');
}
