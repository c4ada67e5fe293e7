import { Alert } from '../../ui/page';
import { Badge } from '../../ui/status';
import { plural, Time } from '../../ui/time';
import type { Endpoint } from './data';

export function EndpointBadge({ endpoint: { active, disabledReason, failures } }: { endpoint: Endpoint }) {
  if (!active) return disabledReason ? <Badge tone="bad">Switched off</Badge> : <Badge tone="calm">Off</Badge>;
  return failures > 0 ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">Active</Badge>;
}

export function EndpointNotice({ endpoint }: { endpoint: Endpoint }) {
  const { active, disabledReason, disabledAt, failures, failingSince, pausedUntil } = endpoint;
  const since = disabledAt && <Time at={disabledAt} before=" (since " after=")" />;
  if (!active && disabledReason) {
    return (
      <Alert tone="bad">
        Clarion switched this endpoint off{since}: {disabledReason} Repair the receiver, then switch the endpoint on: it
        gets what it missed.
      </Alert>
    );
  }
  if (!active) return <Alert tone="info">This endpoint is off{since}. Its entries wait in the event log.</Alert>;
  if (failures === 0) return null;
  return (
    <Alert tone="warn">
      {plural(failures, 'call')} failed
      {failingSince && <Time at={failingSince} before=" since " />}. Look at the answers below. After five days without
      a success the endpoint is switched off.
      {pausedUntil && new Date(pausedUntil) > new Date() && (
        <Time at={pausedUntil} before=" The next call is at " after="." />
      )}
    </Alert>
  );
}
