import type { ProviderId } from '@clarion/contracts/core';
import * as chat from './chat';
import * as email from './email';
import { type OutboundChannel, type Provider } from './provider';
import * as push from './push';
import * as sms from './sms';

/** Everything that the index of each channel exports. */
export const PROVIDERS: { readonly [C in OutboundChannel]: readonly Provider<C>[] } = {
  email: Object.values(email),
  sms: Object.values(sms),
  chat: Object.values(chat),
  push: Object.values(push),
};

const ALL = Object.values(PROVIDERS).flat() as Provider[];
const BY_ID: ReadonlyMap<string, Provider> = new Map(ALL.map((provider) => [provider.id, provider]));

/** The adapter of a provider; undefined for the in-app inbox, which sends nothing. */
export function providerFor(id: ProviderId): Provider | undefined {
  return BY_ID.get(id);
}
