import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Channel, CHANNEL_NAMES } from '../../api/channels';
import { useCanWrite } from '../../session/session';
import { HoldButton } from '../../shell/hold-button';
import { Button } from '../../ui/button';
import { Alert, Empty, Section } from '../../ui/page';
import { formatShare } from '../../ui/share';
import { formatNumber, plural, Time } from '../../ui/time';
import { useChange } from '../../ui/use-change';
import { type IntegrationOverview, integrationStatesQuery } from '../overview/queries';
import { CheckButton } from './actions';
import { type Hold, type Integration, INTEGRATIONS, type Provider, setOrder } from './data';
import styles from './integrations.module.css';
import { CHANNEL_ORDER } from './search';
import { Monogram } from './monogram';
import { holdOf, OneState, ordered, statusOf } from './state';

const EXAMPLE = `curl -X POST "$CLARION/v1/integrations" -H "Authorization: ApiKey $KEY" \\
  -H "content-type: application/json" -d '{"providerId":"sendgrid","channel":"email","active":true,
  "credentials":{"apiKey":"...","from":"me@x.test","senderName":"Me"}}'`;

type IntegrationListProps = { integrations: Integration[]; providers: Provider[]; holds: Hold[] };

export function IntegrationList({ integrations, providers, holds }: IntegrationListProps) {
  if (integrations.length === 0) {
    return (
      <Empty title="No integration yet" command={EXAMPLE}>
        An integration is your account at a provider. Without one, no message leaves this environment.
      </Empty>
    );
  }
  return (
    <>
      {CHANNEL_ORDER.map((channel) => {
        const rows = ordered(integrations.filter((integration) => integration.channel === channel));
        return rows.length === 0 ? null : (
          <Group key={channel} channel={channel} rows={rows} providers={providers} holds={holds} />
        );
      })}
    </>
  );
}

const HAS_ORDER: readonly Channel[] = ['email', 'sms'];

type GroupProps = { channel: Channel; rows: Integration[]; providers: Provider[]; holds: Hold[] };

function Group({ channel, rows, providers, holds }: GroupProps) {
  const canWrite = useCanWrite();
  const order = useChange(setOrder, { stale: INTEGRATIONS, done: 'The order is saved.' });
  const { data: figures } = useQuery(integrationStatesQuery);
  // The worst first, then in the order in which they are tried.
  const rankOf = (row: Integration): number => statusOf(row, holdOf(row, holds)).rank;
  const shown = rows.toSorted((one, other) => rankOf(one) - rankOf(other));
  const most = Math.max(
    0,
    ...(figures?.data ?? []).flatMap((each) =>
      each.channel === channel ? each.hours.map(({ messages }) => messages) : [],
    ),
  );
  const placed = HAS_ORDER.includes(channel) ? rows.filter(({ priority }) => priority > 0) : [];
  const move = (row: Integration, by: -1 | 1): void => {
    const ids = placed.map(({ _id }) => _id);
    const at = ids.indexOf(row._id);
    ids.splice(at, 1);
    ids.splice(at + by, 0, row._id);
    order.mutate(ids);
  };
  return (
    <Section
      title={CHANNEL_NAMES[channel]}
      actions={<HoldButton target="channel" id={channel} name={CHANNEL_NAMES[channel]} isInList />}
    >
      <ul className={styles['list']}>
        {shown.map((row) => {
          const place = placed.indexOf(row);
          const known = providers.find(({ id }) => id === row.providerId);
          const provider = known?.displayName ?? row.providerId;
          const figuresOf = figures?.data.find(({ _id }) => _id === row._id);
          return (
            <li key={row._id} className={styles['row']}>
              <Monogram name={provider} />
              <div className={styles['what']}>
                <Link to="/integrations" search={{ integration: row._id }} className={styles['name']}>
                  {row.name}
                </Link>
                <span className="quiet">
                  {[
                    known?.builtIn ? 'Built in' : provider !== row.name && provider,
                    row.active && row.primary && 'sends first',
                    place > 0 && `number ${place + 1} in the order`,
                    (row.conditions ?? []).length > 0 && 'with conditions',
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </div>
              <div className={styles['status']}>
                <OneState integration={row} hold={holdOf(row, holds)} />
                <LastError of={figuresOf} />
              </div>
              <Figures of={figuresOf} most={most} />
              {canWrite && (
                <div className="row">
                  {placed.length > 1 && place >= 0 && (
                    <>
                      <Button
                        aria-label={`Move ${row.name} up`}
                        disabled={place === 0}
                        isBusy={order.isPending}
                        onClick={() => move(row, -1)}
                      >
                        Move up
                      </Button>
                      <Button
                        aria-label={`Move ${row.name} down`}
                        disabled={place === placed.length - 1}
                        isBusy={order.isPending}
                        onClick={() => move(row, 1)}
                      >
                        Move down
                      </Button>
                    </>
                  )}
                  <CheckButton integration={row} />
                  <HoldButton target="integration" id={row._id} name={row.name} isInList />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {order.error && <Alert tone="bad">{order.error.message}</Alert>}
    </Section>
  );
}

/** What went through the account in the last day, on the scale of its channel. */
function Figures({ of, most }: { of: IntegrationOverview | undefined; most: number }) {
  if (!of) return null;
  const { messages, failedMessages } = of;
  return (
    <div className={styles['figures']} title="Among the newest 2,000 messages of the channel">
      <strong>{messages === 0 ? 'Not used' : `${formatShare(messages - failedMessages, messages)} accepted`}</strong>
      <span className="quiet">
        {messages === 0
          ? 'in the last 24 hours'
          : `${formatNumber(failedMessages)} of ${plural(messages, 'message')} failed in 24 hours`}
      </span>
      {messages > 0 && <Volume hours={of.hours} most={most} />}
    </div>
  );
}

const HOUR_MS = 3_600_000;

/** A bar for each of the last 24 hours. */
function Volume({ hours, most }: { hours: IntegrationOverview['hours']; most: number }) {
  const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const byHour = new Map(hours.map((hour) => [Date.parse(hour.at), hour]));
  return (
    <span className={styles['volume']} aria-hidden="true">
      {Array.from({ length: 24 }, (_, place) => {
        const hour = byHour.get(last - (23 - place) * HOUR_MS);
        const height = (count = 0): string => `${(100 * count) / most}%`;
        return (
          <i key={place}>
            <b data-failed style={{ height: height(hour?.failedMessages) }} />
            <b style={{ height: height(hour && hour.messages - hour.failedMessages) }} />
          </i>
        );
      })}
    </span>
  );
}

function LastError({ of }: { of: IntegrationOverview | undefined }) {
  const { lastError, lastErrorAt } = of?.health ?? {};
  if (!lastError || !lastErrorAt) return null;
  return (
    <span className="quiet">
      Last error <Time at={lastErrorAt} relative />: <bdi>“{lastError}”</bdi>
    </span>
  );
}
