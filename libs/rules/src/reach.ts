import type { ChannelCredentialsDto, JsonObject } from '@clarion/contracts';
import type { Line } from './admit-step';
import type { Candidate } from './integrations';
import { MessageOverrides } from './message-overrides';

/** Where a subscriber can be reached at one integration, with its secrets open. */
export type Doorway = { id?: string; integrationId: string; credentials: ChannelCredentialsDto };

/** What the ways to reach a subscriber depend on, for one step. */
export type ReachFacts<A extends Candidate> = {
  stepId: string;
  /** Those that may send, best first. */
  accounts: A[];
  overrides: JsonObject | null;
  subscriber: { email: string | null; phone: string | null };
  /** Of chat and push steps. */
  doorways: Doorway[];
  contextKeys: string[] | null;
};

/** `skipped` tells what was passed over on the way to the targets. Without a target, `refusal` is the end of the step. */
export type Reach<T> = { targets: T[]; skipped: Line[]; refusal?: Line[] };

export const NO_EMAIL_ADDRESS: Line = { status: 'Failed', detail: 'Subscriber missing email address' };
export const NO_PHONE_NUMBER: Line = { status: 'Failed', detail: 'Subscriber missing phone number' };

const NO_CHANNEL = 'Subscriber does not have a configured channel';
const NO_TOKENS = 'Subscriber credentials is missing the tokens for sending a push notification message';
const SOME_CHATS_SKIPPED: Line = { status: 'Warning', detail: 'Some chat channels skipped to send the message' };
const SOME_PUSHES_SKIPPED: Line = { status: 'Warning', detail: 'Some push channels skipped to send the message' };

/** Reaches people by their phone number instead of a webhook. */
const BY_PHONE = 'whatsapp-business';

/** The trigger may name another address, and more of them. None at all: `NO_EMAIL_ADDRESS`. */
export function emailAddresses(own: string | null, overrides: MessageOverrides): { address?: string; all: string[] } {
  const address = overrides.text('toRecipient') ?? own ?? undefined;
  const all = [...new Set([...(address === undefined ? [] : [address]), ...overrides.texts('to')])];
  return { ...(address !== undefined && { address }), all };
}

export const phoneNumber = (own: string | null, overrides: MessageOverrides): string | undefined =>
  overrides.text('to') ?? own ?? undefined;

export type ChatTarget<A> = {
  account: A;
  doorway?: Doorway;
  credentials: ChannelCredentialsDto;
  webhookUrl?: string;
  /** Where the number is the address. */
  phone?: string;
};

/** The subscriber's own channels; WhatsApp needs none of them; and a webhook that the trigger names for a provider. */
export function chatTargets<A extends Candidate>(facts: ReachFacts<A>): Reach<ChatTarget<A>> & { considered: A[] } {
  const { accounts, doorways, subscriber, contextKeys } = facts;
  const webhookFor = (account: A): string | undefined => overridesOf(facts, 'chat', account).text('webhookUrl');
  const stored = doorways.flatMap((doorway): ChatTarget<A>[] => {
    const account = accounts.find(({ id }) => id === doorway.integrationId);
    return account ? [{ account, doorway, credentials: doorway.credentials }] : [];
  });
  const reached = new Set(stored.map(({ account }) => account.id));
  const others = accounts
    .filter((account) => !reached.has(account.id))
    .filter((account) => account.providerId === BY_PHONE || webhookFor(account) !== undefined)
    .map((account): ChatTarget<A> => ({ account, credentials: {} }));
  const found: Reach<ChatTarget<A>> = { targets: [], skipped: [] };
  for (const { account, doorway, credentials } of [...stored, ...others]) {
    const byPhone = account.providerId === BY_PHONE;
    const webhookUrl = webhookFor(account) ?? credentials.webhookUrl;
    const phone = subscriber.phone ?? undefined;
    const raw = { providerId: account.providerId, identifier: account.identifier };
    if (byPhone ? phone === undefined : webhookUrl === undefined) {
      const detail = byPhone ? 'Subscriber is missing a phone number' : 'Webhook URL for the chat channel is missing';
      found.skipped.push({ status: 'Failed', detail, raw });
      continue;
    }
    found.targets.push({
      account,
      credentials,
      ...(doorway && { doorway }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(byPhone && phone !== undefined && { phone }),
    });
  }
  const considered = [...stored, ...others].map(({ account }) => account);
  if (found.targets.length > 0) return { ...found, considered };
  const detail = contextKeys?.length ? `${NO_CHANNEL} with the given context` : NO_CHANNEL;
  const refusal: Line[] =
    considered.length === 0 ? [{ status: 'Warning', detail }] : [...found.skipped, SOME_CHATS_SKIPPED];
  return { ...found, considered, refusal };
}

export type PushTarget<A> = { account: A; doorway?: Doorway; tokens: string[] };

/** Tokens that the trigger names for a provider replace the stored ones, and need none stored. */
export function pushTargets<A extends Candidate>(facts: ReachFacts<A>): Reach<PushTarget<A>> {
  const { accounts, doorways } = facts;
  const namedFor = (account: A): string[] | undefined => {
    const overrides = overridesOf(facts, 'push', account);
    const named = [...overrides.texts('deviceTokens'), ...overrides.texts('tokens')];
    return named.length > 0 ? [...new Set(named)] : undefined;
  };
  const stored = doorways.flatMap((doorway): PushTarget<A>[] => {
    const account = accounts.find(({ id }) => id === doorway.integrationId);
    return account ? [{ account, doorway, tokens: namedFor(account) ?? doorway.credentials.deviceTokens ?? [] }] : [];
  });
  const reached = new Set(stored.map(({ account }) => account.id));
  const others = accounts.flatMap((account): PushTarget<A>[] => {
    const tokens = reached.has(account.id) ? undefined : namedFor(account);
    return tokens ? [{ account, tokens }] : [];
  });
  const considered = [...stored, ...others];
  const targets = considered.filter(({ tokens }) => tokens.length > 0);
  const skipped = considered
    .filter(({ tokens }) => tokens.length === 0)
    .map(({ account: { providerId, identifier } }): Line => ({
      status: 'Failed',
      detail: NO_TOKENS,
      raw: { providerId, identifier },
    }));
  if (targets.length > 0) return { targets, skipped };
  const refusal: Line[] =
    considered.length === 0 ? [{ status: 'Warning', detail: NO_CHANNEL }] : [...skipped, SOME_PUSHES_SKIPPED];
  return { targets, skipped, refusal };
}

const overridesOf = <A extends Candidate>(
  { overrides, stepId }: ReachFacts<A>,
  channel: 'chat' | 'push',
  { providerId }: A,
): MessageOverrides => new MessageOverrides(overrides, { stepId, channel, providerId });
