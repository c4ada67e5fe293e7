import { useQuery } from '@tanstack/react-query';
import { CHANNEL_NAMES } from '../../api/channels';
import { useCanWrite } from '../../session/session';
import { HoldButton } from '../../shell/hold-button';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { integrationStatesQuery } from '../overview/queries';
import type { ErrorGroup } from './activity-data';
import type { ActivityFilters } from './search';

/** The notifications of a group: what "Show" lists and "Replay group" freezes. */
export const filtersOfGroup = (group: ErrorGroup, filters: ActivityFilters): ActivityFilters => ({
  ...filters,
  status: [group.outcome],
  channel: [group.channel],
  providerId: group.providerId ? [group.providerId] : undefined,
  reason: group.reason ?? undefined,
});

/** What can be done about one reason: keep further messages from failing, and send again those that failed. */
export function ReasonActions({ group, onReplay }: { group: ErrorGroup; onReplay(): void }) {
  const canWrite = useCanWrite();
  const { data } = useQuery({ ...integrationStatesQuery, enabled: canWrite });
  if (!canWrite) return null;
  const used = data?.data.filter(({ active, providerId }) => active && providerId === group.providerId) ?? [];
  // One account of the provider: hold it. With several, the group does not say which of them refused.
  const target =
    used.length === 1
      ? ({ target: 'integration', id: used[0]!._id, name: used[0]!.name || used[0]!.providerId } as const)
      : ({ target: 'channel', id: group.channel, name: CHANNEL_NAMES[group.channel] } as const);
  return (
    <>
      <HoldButton {...target} />
      {group.outcome === 'failed' && !group.isReplayed && (
        <Button onClick={onReplay}>
          <Icon name="replay" size={14} />
          Replay group
        </Button>
      )}
    </>
  );
}
