import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { reading, type RequestContext } from '../adapter';
import { type Call, compact, merge, send, withQuery } from '../call';
import { bySharedKey, eventKinds, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { type SendResult } from '../provider';
import { type ReadySms, reportOf, smsProvider } from './sms-provider';

const HOST = 'https://api.bulksms.com/v1';

/** The token is an id and a secret with a colon between them, as in basic authentication. */
const headersOf = ({ apiToken = '' }: CredentialsDto): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(apiToken).toString('base64')}`,
});

const REPORT_KINDS = eventKinds({
  sent: ['SENT'],
  delivered: ['DELIVERED'],
  failed: ['FAILED'],
  bounced: ['FAILED.HANDSET_ERROR'],
  rejected: ['FAILED.BLOCKED'],
});

type SentMark = { reference: string; keys: readonly [number, number] };

/** Clarion's message id does not fit into the two available fields: one of 20 characters and a 4-byte number. */
function markOf({ id }: ReadySms): SentMark {
  const hash = createHash('sha256').update(id).digest();
  const numberAt = (offset: number): number => hash.readUInt32BE(offset) >>> 1;
  return { reference: hash.toString('base64url').slice(0, 20), keys: [numberAt(0), numberAt(4)] };
}

function callOf(
  message: ReadySms,
  credentials: CredentialsDto,
  { fields }: RequestContext,
  { reference }: SentMark,
  key: number,
): Call {
  const body = compact({
    to: message.to,
    body: message.content,
    from: message.from,
    userSuppliedId: reference,
  });
  return {
    // Without `auto-unicode` characters outside the GSM alphabet become question marks.
    url: withQuery(`${HOST}/messages`, { 'deduplication-id': String(key), 'auto-unicode': 'true' }),
    headers: headersOf(credentials),
    json: merge(body, fields),
  };
}

export const bulkSms = smsProvider({
  id: 'bulk-sms',
  displayName: 'BulkSMS',
  required: ['apiToken'],
  optional: ['from'],
  evidence: 'official',
  idempotency: 'deduplication-id in the query, for about 12 hours',
  overrides: {
    names: ['deliveryReports', 'encoding', 'longMessageMaxParts', 'messageClass', 'protocolId', 'routingGroup'],
    casing: 'camel',
  },
  /**
   * The deduplication key is so short that two messages may share it. BulkSMS then answers the second message with the
   * first, and the adapter sends it with another key. A second collision is practically impossible, so that response is
   * accepted. There is no batch, because the key applies to a whole call.
   */
  send: async (message, credentials, context) => {
    const mark = markOf(message);
    let isOther = false;
    const attempt = (key: number): Promise<SendResult> =>
      send(callOf(message, credentials, context, mark, key), credentials, context, (answer) => {
        const reference = answer.at(0, 'userSuppliedId');
        isOther = answer.isOk && reference !== undefined && reference !== mark.reference;
        return read(answer);
      });
    const result = await attempt(mark.keys[0]);
    return isOther ? attempt(mark.keys[1]) : result;
  },
  check: {
    request: (credentials) => ({ method: 'GET', url: `${HOST}/profile`, headers: headersOf(credentials) }),
  },
  events: {
    ...bySharedKey,
    parse: (call) =>
      objectsIn(call).flatMap((report) => {
        const at = (...path: string[]): string | undefined => textAt(report, path);
        // Replies of recipients have the same format.
        if (at('type') === 'RECEIVED') return [];
        const [type = '', subtype] = [at('status', 'type'), at('status', 'subtype')];
        return reportOf({
          kind: REPORT_KINDS.get(`${type}.${subtype}`) ?? REPORT_KINDS.get(type),
          mark: at('status', 'id') ?? type,
          providerMessageId: at('id'),
          recipient: at('to'),
          reason: subtype,
        });
      }),
  },
});

const read: (answer: Answer) => SendResult = reading({
  id: [0, 'id'],
  date: [0, 'submission', 'date'],
  isAccepted: (answer) => answer.at(0, 'status', 'type') !== 'FAILED',
  message: [['detail'], ['title'], [0, 'status', 'subtype']],
  code: [0, 'status', 'subtype'],
  kinds: { BLOCKED: 'recipient', NOT_SENT: 'recipient' },
  // BulkSMS uses 403 only for an account without credits.
  statuses: { 403: 'quota' },
});
