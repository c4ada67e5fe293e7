import { createHash } from 'node:crypto';
import { readJson } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { words } from '../call';
import {
  dateOf,
  type DeliveryEventKind,
  GENUINE,
  hmac,
  isSame,
  NO_SIGNING_KEY,
  notGenuine,
  parametersOf,
  STALE,
} from '../events';
import { textAt } from '../json-paths';
import { smsProvider, stateEvents } from './sms-provider';

const API = 'https://rest.messagebird.com';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  sent: 'sent',
  buffered: 'deferred',
  delivered: 'delivered',
  expired: 'failed',
  delivery_failed: 'failed',
};
/** Failure reasons that are permanent. */
const DEAD_NUMBERS: ReadonlySet<string | null> = new Set(['unknown subscriber', 'incorrect number']);

const ALGORITHMS: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512'>> = {
  HS256: 'sha256',
  HS384: 'sha384',
  HS512: 'sha512',
};
/** The maximum difference between the clocks. */
const CLOCK_TOLERANCE_MS = 5_000;

const decoded = (part: string) => readJson(Buffer.from(part, 'base64url').toString('utf8'));
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

export const messagebird = smsProvider({
  id: 'messagebird',
  displayName: 'MessageBird',
  required: ['accessKey', 'from'],
  evidence: 'official',
  overrides: {
    names: words(`
      type gateway validity typeDetails datacoding mclass scheduledDatetime reportUrl shortenUrls
    `),
    casing: 'camel',
  },
  headers: ({ accessKey = '' }) => ({ authorization: `AccessKey ${accessKey}` }),
  request: (message, _, { callbackUrl }) => ({
    url: `${API}/messages`,
    body: {
      originator: message.from,
      recipients: message.digits,
      body: message.content,
      datacoding: 'auto',
      // MessageBird sends no reports for a message without a reference.
      reference: message.id,
      reportUrl: callbackUrl,
    },
  }),
  read: reading({
    // Errors may come with any status.
    isAccepted: (answer) => answer.at('errors', 0, 'code') === undefined,
    id: ['id'],
    date: ['createdDatetime'],
    message: ['errors', 0, 'description'],
    code: (answer) =>
      /^recipient/.test(answer.at('errors', 0, 'parameter') ?? '') ? 'recipient' : answer.at('errors', 0, 'code'),
    kinds: {
      2: 'credentials',
      25: 'quota',
      98: 'transient',
      99: 'transient',
      recipient: 'recipient',
    },
  }),
  check: { get: () => `${API}/balance` },
  events: {
    proof: 'JWT over URL and body with the signing key (`MessageBird-Signature-JWT`)',
    verify: ({ url, headers, body }, { signingKey, now }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const [head = '', claims = '', signature = ''] = (headers['messagebird-signature-jwt'] ?? '').split('.');
      const algorithm = textAt(decoded(head), ['alg']) ?? '';
      const digest = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
      if (!digest) return notGenuine('There is no signature that could be checked');
      const expected = Buffer.from(hmac(digest, signingKey, `${head}.${claims}`), 'hex').toString('base64url');
      if (!isSame(signature, expected))
        return notGenuine('The signature does not fit the signing key of the integration');
      const claimed = (name: string): string => textAt(decoded(claims), [name]) ?? '';
      if (claimed('iss') !== 'MessageBird') return notGenuine('The signature is not for this purpose');
      const until = dateOf(claimed('exp'));
      if (!until || until.getTime() + CLOCK_TOLERANCE_MS < now().getTime()) return STALE;
      if (!isSame(claimed('url_hash'), sha256(url))) {
        return notGenuine(`The signature is not for the address ${url.split('?', 1)[0]}`);
      }
      return body.length === 0 || isSame(claimed('payload_hash'), sha256(body))
        ? GENUINE
        : notGenuine('The signature does not fit the body');
    },
    parse: (call) => {
      const query = parametersOf(call);
      const [state, reason] = [query.get('status'), query.get('statusReason')];
      return stateEvents(EVENT_KINDS, {
        id: query.get('id'),
        messageId: query.get('reference'),
        state,
        recipient: query.get('recipient'),
        at: dateOf(query.get('statusDatetime') ?? undefined),
        isPermanent: state === 'delivery_failed' ? DEAD_NUMBERS.has(reason) : undefined,
        reason,
      });
    },
  },
});
