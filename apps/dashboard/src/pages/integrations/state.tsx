import { Badge } from '../../ui/status';
import type { Hold, Integration } from './data';

/** In the order in which they are tried; the ones without a place last. */
export const ordered = (integrations: Integration[]): Integration[] =>
  integrations.toSorted(
    (one, other) =>
      other.priority - one.priority || Number(other.active) - Number(one.active) || one.name.localeCompare(other.name),
  );

const HEALTH = {
  open: 'Circuit breaker open',
  paused: 'Provider asked to wait',
  closed: 'Well',
} as const;

export const healthWord = (state: keyof typeof HEALTH): string => HEALTH[state];

export function StateBadges({ integration, hold }: { integration: Integration; hold: Hold | undefined }) {
  const { active, primary, health, unreadableFields, conditions = [] } = integration;
  return (
    <>
      {hold && <Badge tone="warn">Paused</Badge>}
      <Badge tone={active ? 'good' : 'calm'}>{active ? 'Active' : 'Not active'}</Badge>
      {primary && <Badge tone="info">Primary</Badge>}
      {conditions.length > 0 && <Badge tone="calm">With conditions</Badge>}
      {health && health.state !== 'closed' && <Badge tone="bad">{healthWord(health.state)}</Badge>}
      {unreadableFields && <Badge tone="bad">Credentials cannot be read</Badge>}
    </>
  );
}
