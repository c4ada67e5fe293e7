import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/status';
import { plural, Time } from '../../ui/time';
import { type Hold, holdsQuery, type Integration, integrationsQuery, providersQuery } from './data';

/** In the order in which they are tried; the ones without a place last. */
export const ordered = (integrations: Integration[]): Integration[] =>
  integrations.toSorted(
    (one, other) =>
      other.priority - one.priority || Number(other.active) - Number(one.active) || one.name.localeCompare(other.name),
  );

const HEALTH = {
  open: { tone: 'bad', word: 'Calls stopped' },
  paused: { tone: 'info', word: 'Limited' },
  failing: { tone: 'bad', word: 'Failing' },
  closed: { tone: 'good', word: 'Working' },
} as const;

export function HealthBadge({ state }: { state: keyof typeof HEALTH }) {
  const { tone, word } = HEALTH[state];
  return <Badge tone={tone}>{word}</Badge>;
}

export const holdOf = ({ _id }: Integration, holds: Hold[]): Hold | undefined =>
  holds.find(({ target, id, state }) => target === 'integration' && id === _id && state === 'held');

/** `rank` is smaller the worse the state is. */
type Status = { rank: number; tone: Tone; word: string; why: ReactNode };

/** The one state of an integration with its reason: the worst fact counts. */
export function statusOf({ active, health, unreadableFields }: Integration, hold: Hold | undefined): Status {
  if (unreadableFields) {
    const why = `Enter again: ${unreadableFields.join(', ')}. The key of this installation cannot decrypt them.`;
    return { rank: 0, tone: 'bad', word: 'Credentials cannot be read', why };
  }
  if (active && health?.state === 'open') {
    const next = health.until && <Time at={health.until} before=" Tries one again " after="." relative />;
    return {
      rank: 1,
      ...HEALTH.open,
      why: (
        <>
          {health.reason ?? 'Too many calls failed.'}
          {next}
        </>
      ),
    };
  }
  if (hold) {
    const wait = plural(hold.waitingSteps, 'message waits', 'messages wait');
    const why = (
      <>
        By “{hold.setBy}” <Time at={hold.createdAt} relative />: {hold.reason}. {wait}.
      </>
    );
    return { rank: 2, tone: 'held', word: 'Held', why };
  }
  if (active && health?.state === 'paused') {
    const until = health.until && <Time at={health.until} before=" until " />;
    const why = (
      <>
        The provider asked for it{until}. {health.reason}
      </>
    );
    return { rank: 3, ...HEALTH.paused, why };
  }
  if (active && health?.state === 'failing') {
    const why = (
      <>
        Every message has failed since <Time at={health.since} />. {health.reason}
      </>
    );
    return { rank: 1, ...HEALTH.failing, why };
  }
  if (!active) return { rank: 5, tone: 'calm', word: 'Not active', why: 'It sends nothing until it is switched on.' };
  return { rank: 4, ...HEALTH.closed, why: null };
}

type Held = { integration: Integration; hold: Hold | undefined };

/** All integrations with their holds; undefined until they are loaded. */
export function useIntegrations(): Held[] | undefined {
  const { data: integrations } = useQuery(integrationsQuery());
  const { data: holds = [] } = useQuery(holdsQuery());
  return integrations?.map((integration) => ({ integration, hold: holdOf(integration, holds) }));
}

/** Those that are active on a channel, without the built-in ones. */
export function useAccounts(channels: ReadonlySet<string>): Held[] {
  const { data: providers } = useQuery(providersQuery);
  const isReal = (id: string): boolean => providers?.find((provider) => provider.id === id)?.builtIn === false;
  return (useIntegrations() ?? []).filter(
    ({ integration: { active, channel, providerId } }) => active && channels.has(channel) && isReal(providerId),
  );
}

/** The status with its reason, in the same words wherever an integration is shown. */
export function OneState({ integration, hold }: Held) {
  const { tone, word, why } = statusOf(integration, hold);
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {why && <span className="quiet"> {why}</span>}
    </>
  );
}
