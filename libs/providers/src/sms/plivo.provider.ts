import type { CredentialsDto } from '@clarion/contracts';
import { reading } from '../adapter';
import { basic, words } from '../call';
import { eventKinds, fieldsOf, GENUINE, hmac, isSame, notGenuine, utcDateOf, WRONG_SIGNATURE } from '../events';
import { reportOf, smsProvider } from './sms-provider';

const HOST = 'https://api.plivo.com';

const accountOf = ({ accountSid = '' }: CredentialsDto): string =>
  `${HOST}/v1/Account/${encodeURIComponent(accountSid)}/`;
const REPORT_KINDS = eventKinds({
  sent: ['sent'],
  delivered: ['delivered'],
  bounced: ['undelivered'],
  failed: ['failed'],
  rejected: ['rejected'],
  read: ['read'],
});

/** Invalid destination number, destination permanently unavailable. */
const DEAD_NUMBER: ReadonlySet<string> = new Set(['50', '70']);

export const plivo = smsProvider({
  id: 'plivo',
  displayName: 'Plivo',
  required: ['accountSid', 'token', 'from'],
  evidence: 'official',
  overrides: {
    names: words(`
      powerpack_uuid type url method log trackable media_urls media_ids message_expiry dlt_entity_id dlt_template_id
      dlt_template_category
    `),
    casing: 'snake',
  },
  headers: ({ accountSid = '', token = '' }) => ({ authorization: basic(accountSid, token) }),
  request: (message, credentials, { fields, callbackUrl }) => ({
    url: `${accountOf(credentials)}Message/`,
    body: {
      // A powerpack chooses the sender. Plivo rejects a message with both.
      src: fields['powerpack_uuid'] === undefined ? message.from : undefined,
      dst: message.to,
      text: message.content,
      url: callbackUrl,
      method: callbackUrl === undefined ? undefined : 'POST',
    },
  }),
  read: reading({
    id: ['message_uuid', 0],
    isAccepted: (answer) => answer.at('message_uuid', 0) !== undefined,
    message: ['error'],
    // Invalid numbers are listed, and the message is sent to the others.
    code: (answer) => (answer.at('invalid_number', 0) === undefined ? undefined : 'invalid_number'),
    kinds: { invalid_number: 'recipient' },
  }),
  check: { get: accountOf },
  // The signature covers the URL and a nonce, but not the body.
  events: {
    proof:
      'HMAC-SHA256 of the URL and a nonce, with the auth token (`X-Plivo-Signature-V2`); ' +
      'a nonce is accepted with one body only',
    verify: ({ url, headers }, { credentials: { token } }) => {
      if (!token) return notGenuine('The integration has no token to check with');
      const { origin, pathname } = new URL(url);
      const nonce = headers['x-plivo-signature-v2-nonce'] ?? '';
      const expected = hmac('sha256', token, `${origin}${pathname}${nonce}`, 'base64');
      // The second signature is that of the main account, for messages of a subaccount.
      const given = [headers['x-plivo-signature-v2'] ?? '', headers['x-plivo-signature-ma-v2'] ?? ''];
      return nonce !== '' && given.some((signature) => isSame(signature, expected)) ? GENUINE : WRONG_SIGNATURE;
    },
    signedOnce: ({ headers }) => headers['x-plivo-signature-v2-nonce'] ?? '',
    parse: (call) => {
      const { MessageUUID, Status = '', ErrorCode, To, DeliveryReportTime, SentTime } = fieldsOf(call);
      return reportOf({
        kind: REPORT_KINDS.get(Status),
        mark: Status,
        providerMessageId: MessageUUID,
        recipient: To,
        at: utcDateOf(DeliveryReportTime) ?? utcDateOf(SentTime),
        isPermanent: DEAD_NUMBER.has(ErrorCode ?? ''),
        ...(ErrorCode && { reason: `Error code ${ErrorCode}` }),
      });
    },
  },
});
