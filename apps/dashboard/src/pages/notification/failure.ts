import type { Job } from './queries';

/** Where the cause is corrected. */
type Place = 'subscriber' | 'integrations' | 'workflow' | 'suppressions';
type Advice = { text: string; place?: Place };

export type Failure = {
  /** The provider that refused; absent when nothing was sent. */
  provider: string | undefined;
  code: string | undefined;
  reason: string;
  attempts: number;
  at: string | undefined;
  /** Whether the fault passes by itself. */
  lasts: string | undefined;
  advice: Advice;
};

const PERMANENT = 'permanent, so it was not retried';
const CORRECT_SENDER = 'verify the sender at the provider or change it in the integration, then replay.';
const CORRECT_ADDRESS = 'correct the address of the subscriber, then replay.';
const CORRECT_TEMPLATE = 'correct the template of the step, then replay.';

/** What to do about a refusal whose words are known; the first that fits counts. */
const BY_WORDS: [words: RegExp, text: string, place?: Place][] = [
  [/unsubscribed|opted out/i, 'only the person can undo that. Reach them on another channel.', 'subscriber'],
  [
    /mailbox is full|mailbox full|over quota/i,
    'replay when the mailbox has room, or reach the person on another channel.',
  ],
  [
    /no such|not exist|unknown user|unknown recipient|not a valid|invalid (?:address|number|to|recipient)/i,
    CORRECT_ADDRESS,
    'subscriber',
  ],
  [/verif|sender|from address|dkim|spf|domain/i, CORRECT_SENDER, 'integrations'],
  [
    /spam|blocked|blacklist|blocklist|reputation/i,
    'ask the provider why it blocks, or send through another integration.',
    'integrations',
  ],
  [/too large|size|attachment/i, 'make the message smaller, then replay.', 'workflow'],
];

/** What to do, by the kind that the gateway gives to the answer of a provider. */
const BY_KIND: Record<string, { lasts?: string } & Advice> = {
  credentials: {
    lasts: 'the account was refused',
    text: 'correct the credentials, then replay.',
    place: 'integrations',
  },
  quota: {
    lasts: 'the account is at its limit',
    text: 'raise the limit at the provider or wait until it ends, then replay.',
  },
  recipient: { lasts: PERMANENT, text: CORRECT_ADDRESS, place: 'subscriber' },
  'dead-token': {
    lasts: PERMANENT,
    text: 'the device is gone; the person has to register it again.',
    place: 'subscriber',
  },
  content: { lasts: PERMANENT, text: CORRECT_TEMPLATE, place: 'workflow' },
  'rate-limited': { lasts: 'temporary', text: 'replay at a lower rate, or lower the rate of the integration.' },
  transient: { lasts: 'temporary', text: 'replay when the provider works again.' },
  permanent: { lasts: PERMANENT, text: 'correct what the provider names, then replay.', place: 'integrations' },
  'unknown-outcome': {
    lasts: 'the answer was lost',
    text: 'the message may have arrived. Look at the provider before you replay, or the person may get it twice.',
  },
};

/** What to do where no provider was called, by the execution detail. */
const BY_DETAIL: [detail: RegExp, text: string, place?: Place][] = [
  [/missing|configured channel/i, 'add the missing address to the subscriber, then replay.', 'subscriber'],
  [/active integration/i, 'switch on an integration of this channel, then replay.', 'integrations'],
  [/suppressed/i, 'lift the suppression if the address is right, then replay.', 'suppressions'],
  [/content|layout/i, CORRECT_TEMPLATE, 'workflow'],
  [/condition|filter|bridge/i, 'correct the conditions of the step, then replay.', 'workflow'],
  [/previous step/i, 'correct what stopped the earlier step, then replay.'],
  [/time to live/i, 'send a new trigger if the message still matters.'],
  [/digest|throttle|delay|defer/i, 'correct the times of the step or the payload, then trigger it again.', 'workflow'],
  [/no longer exists|not part of/i, 'what the step needs was deleted; a replay cannot bring it back.'],
];
const OTHERWISE: Advice = {
  text: 'correct what is named, then replay. “Why not?” of the subscriber lists every rule.',
  place: 'subscriber',
};

/** The part of an execution detail that a call of a provider left. */
export type Answer = { kind?: string; status?: number | string; message?: string };

/** Where the kind says little, the words of the provider may say more. */
const SAYS_LITTLE = ['permanent', 'recipient', 'content'];

/** What to do, if that is known. Without a kind no provider was called, and the execution detail decides. */
export function adviceOn(kind: string | undefined, reason: string, detail = reason): Advice | undefined {
  const known = BY_KIND[kind ?? ''];
  if (kind && !SAYS_LITTLE.includes(kind)) return known;
  const [, text, place] = (kind ? BY_WORDS : BY_DETAIL).find(([words]) => words.test(kind ? reason : detail)) ?? [];
  return text ? { text, place } : known;
}

export function failureOf({ executionDetails, providerId, reason: recorded }: Job): Failure {
  const failed = executionDetails.findLast(({ status }) => status === 'Failed');
  const { kind, status, message } = readAnswer(failed?.raw);
  const reason = recorded ?? message ?? failed?.detail ?? 'no reason was recorded';
  return {
    provider: kind ? (failed?.providerId ?? providerId) : undefined,
    code: status === undefined ? undefined : String(status),
    reason,
    attempts: executionDetails.filter(({ raw }) => readAnswer(raw).kind !== undefined).length,
    at: failed?.createdAt,
    lasts: BY_KIND[kind ?? '']?.lasts,
    advice: adviceOn(kind, reason, failed?.detail) ?? OTHERWISE,
  };
}

export function readAnswer(raw: string | null | undefined): Answer {
  try {
    const value = JSON.parse(raw ?? '{}') as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
