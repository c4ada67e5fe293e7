import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CHANNEL_NAMES } from '../../api/channels';
import { holdsQuery } from '../../api/holds';
import { useProviderName } from '../../api/providers';
import { formatShare } from '../../ui/share';
import { Mark, surfaceStyle, type Tone } from '../../ui/status';
import { formatDuration, formatNumber, plural, Time } from '../../ui/time';
import type { ActivityFilters } from '../activity/search';
import { Incident } from './incident';
import { openIncidents } from './incidents';
import { isLate } from './late';
import styles from './overview.module.css';
import { errorGroupsQuery, integrationStatesQuery, type Overview } from './queries';
import type { OverviewSearch } from './search';

type Props = { search: OverviewSearch; overview: Overview; onReplay(filters: ActivityFilters): void };

/** What is wrong now, worst first; one line when all is well. */
export function Now({ search, overview, onReplay }: Props) {
  const { data: groups } = useQuery(errorGroupsQuery(search));
  const { data: integrations } = useQuery(integrationStatesQuery);
  const { data: holds = [] } = useQuery(holdsQuery());
  const nameOf = useProviderName();
  const incidents = openIncidents(groups?.data ?? [], overview);
  const stopped = (integrations?.data ?? []).filter(({ active, health }) => active && health.state === 'open');
  const late = overview.channels.filter(({ backlog }) => isLate(backlog));
  const { retrying } = overview;
  const isKnown = groups !== undefined && integrations !== undefined;
  const isWell =
    isKnown && overview.reconciles && [incidents, stopped, late, holds, retrying].every(({ length }) => length === 0);
  return (
    <section className={styles['now']} aria-label="Now">
      {isWell && <Well overview={overview} />}
      {incidents.map((incident) => (
        <Incident
          key={`${incident.providerId} ${incident.channel}`}
          incident={incident}
          overview={overview}
          onReplay={onReplay}
        />
      ))}
      {stopped.map(({ _id, name, providerId, health }) => (
        <Fact key={_id} tone="bad" link={<Link to="/integrations">Open</Link>}>
          <strong>Calls to {name || providerId} are stopped</strong>
          {health.since && <Time at={health.since} before=" since " relative />}
          {health.pausedUntil && <Time at={health.pausedUntil} before=", next call " relative />}
          {health.lastError && (
            <>
              : <bdi>“{health.lastError}”</bdi>
            </>
          )}
        </Fact>
      ))}
      {retrying.map(({ reason, providerId, channel, count, people, nextAt }) => (
        <Fact
          key={`${reason} ${providerId} ${channel}`}
          tone="info"
          link={
            <Link to="/activity" search={{ status: ['in_flight'], channel: [channel], reason: reason ?? undefined }}>
              Show
            </Link>
          }
        >
          <strong>
            {plural(count, 'step')} of {plural(people, 'person', 'people')} {count === 1 ? 'is' : 'are'} being retried
          </strong>
          , next <Time at={nextAt} relative />: <bdi>“{reason ?? 'no reason was recorded'}”</bdi>{' '}
          {[CHANNEL_NAMES[channel], providerId && nameOf(providerId)].filter(Boolean).join(', ')}
        </Fact>
      ))}
      {late.map(({ channel, backlog }) => (
        <Fact key={channel} tone="warn">
          <strong>{CHANNEL_NAMES[channel]} is late</strong>: {plural(backlog.due, 'step')}{' '}
          {backlog.due === 1 ? 'is' : 'are'} due, the oldest for {formatDuration(backlog.lagSeconds * 1_000)}
        </Fact>
      ))}
      {holds.length > 0 && (
        <Fact tone="held">
          <strong>{plural(holds.length, 'hold')}</strong>:{' '}
          {plural(
            holds.reduce((sum, { waitingSteps }) => sum + waitingSteps, 0),
            'step',
          )}{' '}
          of {holds.map(({ name }) => name).join(', ')} wait for a release
        </Fact>
      )}
      {!overview.reconciles && (
        <Fact tone="bad">
          <strong>The figures do not add up</strong>, see below.
        </Fact>
      )}
    </section>
  );
}

function Fact({ tone, link, children }: { tone: Tone; link?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['fact']} style={surfaceStyle(tone)}>
      <Mark tone={tone} size={18} />
      <p>{children}</p>
      {link}
    </div>
  );
}

function Well({ overview: { totals, channels } }: { overview: Overview }) {
  const used = channels.filter(({ totals: own }) => own.accepted > 0).length;
  const share = formatShare(totals.delivered, totals.accepted);
  const line =
    totals.accepted === 0
      ? 'Nothing waits, and nothing was accepted in this range.'
      : `${share} of ${formatNumber(totals.accepted)} delivered. Nothing is held, nothing is late.`;
  return (
    <div className={styles['well']}>
      <Mark tone="good" size={24} />
      <p>
        <strong>{used > 1 ? `All ${used} channels are delivering` : 'All is well'}</strong> {line}
      </p>
    </div>
  );
}
