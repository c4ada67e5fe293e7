import type { ProviderId } from '@clarion/contracts/core';
import { CHAT } from './chat';
import { EMAIL } from './email';
import { type OutboundChannel, type Provider } from './provider';
import { PUSH } from './push';
import { SMS } from './sms';

export const PROVIDERS: { readonly [C in OutboundChannel]: readonly Provider<C>[] } = {
  email: EMAIL,
  sms: SMS,
  chat: CHAT,
  push: PUSH,
};

const ALL: readonly Provider[] = [...EMAIL, ...SMS, ...CHAT, ...PUSH] as Provider[];
const BY_ID: ReadonlyMap<string, Provider> = new Map(ALL.map((provider) => [provider.id, provider]));

/** The adapter of a provider; undefined for the in-app inbox, which sends nothing. */
export function providerFor(id: ProviderId): Provider | undefined {
  return BY_ID.get(id);
}
