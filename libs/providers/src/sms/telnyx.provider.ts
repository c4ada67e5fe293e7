import { createPublicKey, verify } from 'node:crypto';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bearer, words } from '../call';
import { dateOf, eventKinds, GENUINE, isRecent, jsonBody, NO_SIGNING_KEY, STALE, WRONG_SIGNATURE } from '../events';
import { textAt } from '../json-paths';
import { isMissingEndpoint } from '../outcome';
import { smsProvider } from './sms-provider';

const HOST = 'https://api.telnyx.com';

const REPORT_KINDS = eventKinds({
  sent: ['sent'],
  delivered: ['delivered'],
  bounced: ['delivery_failed'],
  failed: ['sending_failed'],
});

/** A landline, a number that the carrier does not know. */
const DEAD_NUMBER: ReadonlySet<string> = new Set(['40001', '40012']);

/** The DER prefix of a 32-byte Ed25519 public key. */
const KEY_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

function isSignedBy(key: string, text: Buffer, signature: Buffer): boolean {
  const bytes = Buffer.from(key.replace(/-----[^-]*-----/g, ''), 'base64');
  // The portal shows the bare key; a key file has the DER prefix.
  const whole = bytes.length === 32 ? Buffer.concat([KEY_HEAD, bytes]) : bytes;
  if (whole.length !== KEY_HEAD.length + 32 || !whole.subarray(0, KEY_HEAD.length).equals(KEY_HEAD)) return false;
  return verify(null, text, createPublicKey({ key: whole, format: 'der', type: 'spki' }), signature);
}

const FAILED: ReadonlySet<string | undefined> = new Set(['sending_failed', 'delivery_failed']);

export const telnyx = smsProvider({
  id: 'telnyx',
  displayName: 'Telnyx',
  required: ['apiKey', 'messageProfileId', 'from'],
  evidence: 'official',
  overrides: {
    names: words(`
      subject media_urls webhook_url webhook_failover_url use_profile_webhooks type auto_detect encoding send_at
      tags
    `),
    casing: 'snake',
  },
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey) }),
  request: (message, credentials, { callbackUrl }) => ({
    url: `${HOST}/v2/messages`,
    body: {
      from: message.from,
      // A number without the plus is accepted only as a short code.
      to: message.digits.length > LONGEST_SHORT_CODE ? `+${message.digits}` : message.digits,
      text: message.content,
      messaging_profile_id: credentials.messageProfileId,
      webhook_url: callbackUrl,
    },
  }),
  read: reading({
    id: ['data', 'id'],
    date: ['data', 'received_at'],
    isAccepted: (answer) => !FAILED.has(answer.at('data', 'to', 0, 'status')),
    message: [
      ['errors', 0, 'detail'],
      ['errors', 0, 'title'],
      ['data', 'errors', 0, 'detail'],
      ['data', 'errors', 0, 'title'],
      ['data', 'to', 0, 'status'],
    ],
    code: (answer) => answer.at('errors', 0, 'code') ?? answer.at('data', 'errors', 0, 'code'),
    kinds: byKind({
      transient: [10007, 10008, 40002, 40004, 40006, 40320],
      credentials: [
        10009, 10010, 40100, 40305, 40306, 40307, 40308, 40309, 40311, 40312, 40313, 40314, 40315, 40321, 40325, 40329,
        40330, 40331,
      ],
      'rate-limited': [10011, 40011, 40318],
      recipient: [40001, 40012, 40300, 40301, 40310, 40319],
      content: [40302, 40304, 40316, 40317, 40322, 40328],
      quota: [40333],
    }),
  }),
  check: {
    get: (credentials) => `${HOST}/v2/messaging_profiles/${encodeURIComponent(credentials.messageProfileId ?? '')}`,
    read: (answer) =>
      isMissingEndpoint(answer) && answer.at('errors', 0, 'code') === undefined
        ? answer.accepted()
        : readProfile(answer),
  },
  events: {
    proof:
      'Ed25519 signature of time and body (`telnyx-signature-ed25519`); ' +
      'the signing key is the public key of the account',
    verify: ({ headers, body }, { signingKey, now }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const { 'telnyx-timestamp': timestamp = '', 'telnyx-signature-ed25519': signature = '' } = headers;
      if (!isRecent(timestamp, now())) return STALE;
      const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body]);
      return isSignedBy(signingKey, signed, Buffer.from(signature, 'base64')) ? GENUINE : WRONG_SIGNATURE;
    },
    parse: (call) => {
      const event = jsonBody(call);
      const at = (...path: (string | number)[]): string | undefined => textAt(event, ['data', ...path]);
      const id = at('id');
      // Incoming messages have statuses too.
      const isReport = ['message.sent', 'message.finalized'].includes(at('event_type') ?? '');
      const kind = REPORT_KINDS.get(at('payload', 'to', 0, 'status') ?? '');
      if (!id || !isReport || !kind) return [];
      const isPermanent = DEAD_NUMBER.has(at('payload', 'errors', 0, 'code') ?? '');
      return [
        {
          id,
          kind: isPermanent ? 'bounced' : kind,
          providerMessageId: at('payload', 'id'),
          recipient: at('payload', 'to', 0, 'phone_number'),
          at: dateOf(at('occurred_at')),
          reason: at('payload', 'errors', 0, 'detail') ?? at('payload', 'errors', 0, 'title'),
          ...(isPermanent && { isPermanent }),
        },
      ];
    },
  },
});

const readProfile = reading({
  isAccepted: (answer) => answer.at('data', 'enabled') !== 'false',
  message: (answer) =>
    answer.isOk
      ? 'The messaging profile is disabled'
      : (answer.at('errors', 0, 'detail') ?? answer.at('errors', 0, 'title')),
  // The key is valid, but the profile does not exist.
  statuses: { 200: 'credentials', 404: 'credentials' },
});

const LONGEST_SHORT_CODE = 6;
