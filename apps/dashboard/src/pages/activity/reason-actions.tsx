import { useQuery } from '@tanstack/react-query';
import { CHANNEL_NAMES } from '../../api/channels';
import { useCanWrite } from '../../session/session';
import { HoldButton } from '../../shell/hold-button';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { integrationStatesQuery } from '../overview/queries';
import type { ErrorGroup } from './activity-data';
import type { ActivityFilters } from './search';

const SHOWN_CHARACTERS = 200;

/** The notifications of a group: what its link lists and "Replay group" freezes. */
export const filtersOfGroup = (group: ErrorGroup, filters: ActivityFilters): ActivityFilters => ({
  ...filters,
  status: [group.outcome],
  channel: [group.channel],
  providerId: group.providerId ? [group.providerId] : undefined,
  // For people; the group alone finds the same. An address has no place for a long reason.
  reason: group.reason === null ? undefined : [...group.reason].slice(0, SHOWN_CHARACTERS).join(''),
  errorGroup: group.errorGroup,
});

type Cause = Pick<ErrorGroup, 'providerId' | 'channel'>;

/** Keeps further messages from failing for this cause. */
export function HoldCause({ providerId, channel, isPrimary }: Cause & { isPrimary?: boolean }) {
  const canWrite = useCanWrite();
  const { data } = useQuery({ ...integrationStatesQuery, enabled: canWrite });
  const used = data?.data.filter((each) => each.active && each.providerId === providerId) ?? [];
  // One account of the provider: hold it. With several, the cause does not say which of them refused.
  const target =
    used.length === 1
      ? ({ target: 'integration', id: used[0]!._id, name: used[0]!.name || used[0]!.providerId } as const)
      : ({ target: 'channel', id: channel, name: CHANNEL_NAMES[channel] } as const);
  return <HoldButton {...target} isPrimary={isPrimary} />;
}

/** What can be done about one reason: keep further messages from failing, and send again those that failed. */
export function ReasonActions({ group, onReplay }: { group: ErrorGroup; onReplay(): void }) {
  return (
    <>
      <HoldCause {...group} />
      {group.outcome === 'failed' && !group.isReplayed && (
        <Button onClick={onReplay}>
          <Icon name="replay" size={14} />
          Replay group
        </Button>
      )}
    </>
  );
}
