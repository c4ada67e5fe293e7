/** What is known about each provider without calling it: its name, channel and credentials. */
import { type Channel, type ProviderId, PROVIDERS_BY_CHANNEL } from '@clarion/contracts/core';
import { type ProviderDescription } from './provider';
import { providerFor } from './registry';

/** The in-app inbox. It stores messages and sends nothing, so it has no adapter. */
const INBOX: ProviderDescription = {
  id: 'platform',
  channel: 'in_app',
  displayName: 'Clarion In-App',
  required: [],
  optional: ['hmac'],
  evidence: 'official',
};

/** The description of a provider; undefined if the id names no provider. */
export function describeProvider(id: ProviderId): ProviderDescription;
export function describeProvider(id: string): ProviderDescription | undefined;
export function describeProvider(id: string): ProviderDescription | undefined {
  return id === INBOX.id ? INBOX : providerFor(id as ProviderId);
}

export function isProviderOf(channel: Channel, id: string): id is ProviderId {
  return (PROVIDERS_BY_CHANNEL[channel] as readonly string[]).includes(id);
}
