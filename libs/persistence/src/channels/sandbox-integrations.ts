import { BUILT_IN_PROVIDER, type Channel, type EnvironmentId } from '@clarion/contracts/core';
import type { ActiveIntegration, SendingSettings } from './integration.repository';

const CHANNELS: Channel[] = ['email', 'sms', 'chat', 'push'];

/** In a sandbox, channels without an integration get a built-in one, which has no row, so nothing fails. */
export function withSandboxOutbox<T extends Pick<ActiveIntegration, 'channel'>>(
  environmentId: EnvironmentId,
  { kind }: Pick<SendingSettings, 'kind'>,
  active: T[],
): (T | ActiveIntegration)[] {
  if (kind !== 'sandbox') return active;
  const served = new Set(active.map(({ channel }) => channel));
  return [
    ...active,
    ...CHANNELS.filter((channel) => !served.has(channel)).map((each) => outboxOf(environmentId, each)),
  ];
}

const outboxOf = (environmentId: EnvironmentId, channel: Channel): ActiveIntegration => ({
  id: environmentId,
  environmentId,
  name: 'Sandbox outbox',
  identifier: 'sandbox-outbox',
  providerId: BUILT_IN_PROVIDER,
  channel,
  credentials: {},
  configurations: {},
  conditions: [],
  active: true,
  primary: false,
  priority: 0,
  deleted: false,
  deletedAt: null,
  deletedBy: null,
  health: null,
  healthHistory: [],
  createdAt: new Date(0),
  updatedAt: new Date(0),
  dialect: null,
  holdId: null,
});
