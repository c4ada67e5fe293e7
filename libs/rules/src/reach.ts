import type { ChannelCredentialsDto } from '@clarion/contracts';
import {
  type Channel,
  type ChatAddress,
  type EndpointFields,
  type EndpointType,
  EXECUTION_DETAILS,
  executionDetail,
  isDemoProvider,
  type JsonObject,
} from '@clarion/contracts/core';
import type { Line } from './lines';
import type { Candidate } from './integrations';
import { MessageOverrides } from './message-overrides';
import { isSandboxOutbox } from './sandbox';
import {
  isSuppressible,
  RECIPIENT_SUPPRESSED,
  type Suppressed,
  SUPPRESSED_ERROR,
  suppressedLine,
  suppressionAddress,
  withoutSuppressed,
} from './suppression';

/** Where a subscriber can be reached at one integration, with decrypted credentials. */
export type Endpoint = {
  id?: string;
  integrationId: string;
  credentials: ChannelCredentialsDto;
  /** Set for a channel endpoint. */
  channel?: ChannelEndpoint;
};

/** What a channel endpoint has besides credentials. */
export type ChannelEndpoint = {
  identifier: string;
  /** Only notifications with exactly these contexts use it. */
  contextKeys: string[];
  address?: ChatAddress;
  phone?: string;
  /** The connection whose token sends; its `auth` is encrypted. */
  connection?: { id: string; identifier: string; workspaceId: string; auth: string };
};

/** Reads the decrypted fields of a channel endpoint: a webhook, a phone number, or an address at the provider. */
export function readChannelEndpoint(
  {
    identifier,
    type,
    contextKeys,
    connection,
  }: Pick<ChannelEndpoint, 'identifier' | 'contextKeys'> & {
    type: EndpointType;
    connection: ChannelEndpoint['connection'] | null;
  },
  fields: EndpointFields,
): Pick<Endpoint, 'credentials' | 'channel'> {
  const channel: ChannelEndpoint = { identifier, contextKeys, ...(connection && { connection }) };
  const { url, channel: room, phoneNumber } = fields;
  switch (type) {
    case 'webhook':
      return { credentials: { webhookUrl: url, ...(room !== undefined && { channel: room }) }, channel };
    case 'phone':
      return { credentials: {}, channel: { ...channel, phone: phoneNumber } };
    default:
      return { credentials: {}, channel: { ...channel, address: { ...fields, type } as ChatAddress } };
  }
}

const hasContexts = (endpoint: Endpoint, contextKeys: string[] | null): boolean => {
  const wanted = endpoint.channel?.contextKeys;
  if (!wanted) return true;
  return wanted.length === (contextKeys ?? []).length && wanted.every((key) => contextKeys!.includes(key));
};

export type ReachFacts<A extends Candidate> = {
  stepId: string;
  accounts: A[];
  overrides: JsonObject | null;
  payload: JsonObject;
  subscriber: { email: string | null; phone: string | null };
  /** Only for chat and push steps. */
  endpoints: Endpoint[];
  contextKeys: string[] | null;
  suppressed: Suppressed;
  /** Demo providers for which the subscriber has a channel, while another integration sends. */
  ignoredDemos?: string[];
};

/** `skipped` has the reasons of addresses that cannot be used. Without a target, `refusal` ends the step. */
export type Reach<T> = { targets: T[]; skipped: Line[]; refusal?: Line[] };

/** The end of a step that reaches no address, and the error of its message. */
export type Unreachable = { line: Line; errorId: string; errorText: string };

const NO_EMAIL_ADDRESS: Unreachable = {
  line: executionDetail('emailMissing'),
  errorId: 'mail_unexpected_error',
  errorText: 'Subscriber does not have an email address',
};
const NO_PHONE_NUMBER: Unreachable = {
  line: executionDetail('phoneMissing'),
  errorId: 'no_subscriber_phone',
  errorText: 'Subscriber does not have a phone number',
};
const suppressedEnd = (line: Line): Unreachable => ({
  line,
  errorId: SUPPRESSED_ERROR,
  errorText: RECIPIENT_SUPPRESSED,
});

/** The error text of a chat message without a phone number; the execution detail has the same text. */
export const NO_CHAT_PHONE = EXECUTION_DETAILS.chatPhoneMissing.detail;

function needOf(candidate: Candidate): 'webhook' | 'phone' | 'nothing' {
  const { providerId } = candidate;
  if (providerId === 'whatsapp-business') return 'phone';
  return isDemoProvider(providerId) || isSandboxOutbox(candidate) ? 'nothing' : 'webhook';
}

type EmailOverrides = { address?: string; to: string[]; cc: string[]; bcc: string[] };

/** The trigger may replace the address and add others. */
function namedEmails(own: string | null, overrides: MessageOverrides): EmailOverrides {
  const address = overrides.text('toRecipient') ?? own ?? undefined;
  const others = overrides.texts('to');
  const cc = overrides.texts('cc');
  const bcc = overrides.texts('bcc');
  if (address === undefined) return { to: [...new Set(others)], cc, bcc };
  const to = others.length === 0 ? [address] : [...new Set([address, ...others])];
  return { address, to, cc, bcc };
}

/** The recipients of an email without the suppressed ones. `refusal` is set when no recipient is left. */
export function emailReach(
  own: string | null,
  overrides: MessageOverrides,
  suppressed: Suppressed,
): EmailOverrides & { skipped: Line[]; refusal?: Unreachable } {
  const named = namedEmails(own, overrides);
  if (named.to.length === 0) return { ...named, skipped: [], refusal: NO_EMAIL_ADDRESS };
  if (suppressed.size === 0) return { skipped: [], ...named };
  const [to, cc, bcc] = [named.to, named.cc, named.bcc].map((list) => withoutSuppressed('email', list, suppressed));
  const dropped = [...to!.dropped, ...cc!.dropped, ...bcc!.dropped];
  return {
    ...named,
    to: to!.left,
    cc: cc!.left,
    bcc: bcc!.left,
    skipped: dropped.length > 0 ? [suppressedLine('someRecipientsSuppressed', 'email', dropped, suppressed)] : [],
    ...(to!.left.length === 0 && {
      refusal: suppressedEnd(suppressedLine('recipientSuppressed', 'email', dropped, suppressed)),
    }),
  };
}

const namedPhone = (own: string | null, overrides: MessageOverrides): string | undefined =>
  overrides.text('to') ?? own ?? undefined;

export function smsReach(
  own: string | null,
  overrides: MessageOverrides,
  suppressed: Suppressed,
): { phone?: string; refusal?: Unreachable } {
  const phone = namedPhone(own, overrides);
  if (phone === undefined) return { refusal: NO_PHONE_NUMBER };
  const { dropped } = withoutSuppressed('sms', [phone], suppressed);
  if (dropped.length === 0) return { phone };
  return { phone, refusal: suppressedEnd(suppressedLine('recipientSuppressed', 'sms', dropped, suppressed)) };
}

type AddressFacts<A extends Candidate> = Pick<
  ReachFacts<A>,
  'stepId' | 'accounts' | 'overrides' | 'subscriber' | 'endpoints'
>;

/** Every address that a step may send to through any of its accounts, in the form of suppressions. */
export function suppressibleAddresses<A extends Candidate>(
  channel: Channel,
  { stepId, accounts, overrides, subscriber, endpoints }: AddressFacts<A>,
): string[] {
  if (!isSuppressible(channel)) return [];
  const found = new Set<string>();
  const add = (text: string | null | undefined): void => {
    const address = text ? suppressionAddress(channel, text) : undefined;
    if (address !== undefined) found.add(address);
  };
  for (const account of accounts) {
    const own = new MessageOverrides(overrides, { stepId, channel, providerId: account.providerId });
    switch (channel) {
      case 'email': {
        const { to, cc, bcc } = namedEmails(subscriber.email, own);
        for (const list of [to, cc, bcc]) list.forEach(add);
        break;
      }
      case 'sms':
        add(namedPhone(subscriber.phone, own));
        break;
      case 'chat':
        if (needOf(account) === 'phone') {
          add(subscriber.phone);
          for (const endpoint of endpoints) add(endpoint.channel?.phone);
        }
    }
  }
  return [...found];
}

export type ChatTarget<A> = {
  account: A;
  endpoint?: Endpoint;
  credentials: ChannelCredentialsDto;
  webhookUrl?: string;
  /** Only for providers that send to a phone number. */
  phone?: string;
};

/** Stored channels, and webhooks that the trigger names. WhatsApp and the demo provider need neither. */
export function chatTargets<A extends Candidate>(facts: ReachFacts<A>): Reach<ChatTarget<A>> & { considered: A[] } {
  const { accounts, endpoints, subscriber, contextKeys } = facts;
  const webhookFor = (account: A): string | undefined => overridesOf(facts, 'chat', account).text('webhookUrl');
  const stored = endpoints
    .filter((endpoint) => hasContexts(endpoint, contextKeys))
    .flatMap((endpoint): ChatTarget<A>[] => {
      const account = accounts.find(({ id }) => id === endpoint.integrationId);
      return account ? [{ account, endpoint, credentials: endpoint.credentials }] : [];
    });
  const reached = new Set(stored.map(({ account }) => account.id));
  const others = accounts
    .filter((account) => !reached.has(account.id))
    .filter((account) => needOf(account) !== 'webhook' || webhookFor(account) !== undefined)
    .map((account): ChatTarget<A> => ({ account, credentials: {} }));
  const ignored = (facts.ignoredDemos ?? []).map((providerId): Line => ({
    ...executionDetail('demoChannelIgnored'),
    raw: { providerId },
  }));
  const found: Reach<ChatTarget<A>> = { targets: [], skipped: [...ignored] };
  const webhooks = new Set<string>();
  for (const { account, endpoint, credentials } of [...stored, ...others]) {
    const { address } = endpoint?.channel ?? {};
    const need = address ? 'nothing' : needOf(account);
    const byPhone = need === 'phone';
    const webhookUrl = address
      ? undefined
      : (webhookFor(account) ?? webhookIn(facts.payload, account) ?? credentials.webhookUrl);
    const phone = endpoint?.channel?.phone ?? subscriber.phone ?? undefined;
    const raw = { providerId: account.providerId, identifier: account.identifier };
    if ((byPhone && phone === undefined) || (need === 'webhook' && webhookUrl === undefined)) {
      found.skipped.push({ ...executionDetail(byPhone ? 'chatPhoneMissing' : 'chatWebhookMissing'), raw });
      continue;
    }
    if (byPhone && withoutSuppressed('chat', [phone!], facts.suppressed).dropped.length > 0) {
      found.skipped.push(suppressedLine('recipientSuppressed', 'chat', [phone!], facts.suppressed));
      continue;
    }
    // Several integrations of one provider, and overrides that replace their URLs: each place gets the message once.
    const place = webhookUrl !== undefined && [account.providerId, webhookUrl, credentials.channel].join(' ');
    if (place && webhooks.has(place)) continue;
    if (place) webhooks.add(place);
    found.targets.push({
      account,
      credentials,
      ...(endpoint && { endpoint }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(byPhone && phone !== undefined && { phone }),
    });
  }
  const considered = [...stored, ...others].map(({ account }) => account);
  if (found.targets.length > 0) return { ...found, skipped: found.skipped.map(asWarning), considered };
  const refusal: Line[] =
    considered.length === 0
      ? [...ignored, executionDetail(contextKeys?.length ? 'noChannelInContext' : 'noChannel')]
      : [...found.skipped, executionDetail('someChatsSkipped')];
  return { ...found, considered, refusal };
}

/** A channel that cannot be used is no failure where another one reaches the subscriber. */
const asWarning = (line: Line): Line => (line.status === 'Failed' ? { ...line, status: 'Warning' } : line);

/** These get a key of the integration, so their webhook URL must come from the stored channel. */
const SHOWN_A_KEY: ReadonlySet<string> = new Set(['rocket-chat', 'getstream']);

/** A payload may replace the webhook URL of stored channels; a value that is not a URL is ordinary payload data. */
function webhookIn({ webhookUrl }: JsonObject, { providerId }: Candidate): string | undefined {
  if (typeof webhookUrl !== 'string' || SHOWN_A_KEY.has(providerId)) return undefined;
  return /^https?:\/\//i.test(webhookUrl) && URL.canParse(webhookUrl) ? webhookUrl : undefined;
}

export type PushTarget<A> = { account: A; endpoint?: Endpoint; tokens: string[] };

/** The target of a topic, which has no device token. */
const TOPIC = '';

/** Tokens that the trigger names for a provider replace the stored tokens; a topic replaces all tokens. */
export function pushTargets<A extends Candidate>(facts: ReachFacts<A>): Reach<PushTarget<A>> {
  const { accounts, endpoints } = facts;
  const namedFor = (account: A): string[] | undefined => {
    const overrides = overridesOf(facts, 'push', account);
    if (account.providerId === 'fcm' && overrides.text('topic') !== undefined) return [TOPIC];
    const named = [...overrides.texts('deviceTokens'), ...overrides.texts('tokens')];
    if (named.length > 0) return [...new Set(named)];
    // No device can be registered for it, and it needs none.
    return isSandboxOutbox(account) ? [TOPIC] : undefined;
  };
  const stored = endpoints.flatMap((endpoint): PushTarget<A>[] => {
    const account = accounts.find(({ id }) => id === endpoint.integrationId);
    return account ? [{ account, endpoint, tokens: namedFor(account) ?? endpoint.credentials.deviceTokens ?? [] }] : [];
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
      ...executionDetail('pushTokensMissing'),
      raw: { providerId, identifier },
    }));
  if (targets.length > 0) return { targets, skipped: skipped.map(asWarning) };
  const refusal: Line[] =
    considered.length === 0 ? [executionDetail('noChannel')] : [...skipped, executionDetail('somePushesSkipped')];
  return { targets, skipped, refusal };
}

const overridesOf = <A extends Candidate>(
  { overrides, stepId }: ReachFacts<A>,
  channel: 'chat' | 'push',
  { providerId }: A,
): MessageOverrides => new MessageOverrides(overrides, { stepId, channel, providerId });
