/** What Clarion knows of each provider before it talks to one: the name people call it, its channel, its credentials. */
import { type Channel, type ProviderId, PROVIDERS_BY_CHANNEL } from '@clarion/contracts/core';
import { type ProviderDescription } from './provider';
import { providerFor } from './registry';

/** Our own inbox: nothing is sent, so there is no adapter. */
const INBOX: ProviderDescription = {
  id: 'platform',
  channel: 'in_app',
  displayName: 'Clarion In-App',
  required: [],
  optional: ['hmac'],
  evidence: 'official',
};

/** What an id needs. A caller's string may name no provider at all; then there is no description. */
export function describeProvider(id: ProviderId): ProviderDescription;
export function describeProvider(id: string): ProviderDescription | undefined;
export function describeProvider(id: string): ProviderDescription | undefined {
  return id === INBOX.id ? INBOX : providerFor(id as ProviderId);
}

/** Whether `id` names a provider, and one of this channel. */
export function isProviderOf(channel: Channel, id: string): id is ProviderId {
  return (PROVIDERS_BY_CHANNEL[channel] as readonly string[]).includes(id);
}
