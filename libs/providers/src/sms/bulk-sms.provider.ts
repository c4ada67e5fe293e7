import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { reading, type RequestContext } from '../adapter';
import { type Call, compact, merge, send, withQuery } from '../call';
import { bySharedKey, type DeliveryEventKind, type DeliveryEvents, objectsIn } from '../events';
import { type Answer, textAt } from '../outcome';
import { type SendResult } from '../provider';
import { type ReadySms, reportOf, smsProvider } from './sms-provider';

const HOST = 'https://api.bulksms.com/v1';

/** The token is id and secret with a colon between them, as a login has it. */
const headersOf = ({ apiToken = '' }: CredentialsDto): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(apiToken).toString('base64')}`,
});

const REPORT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({
    SENT: 'sent',
    DELIVERED: 'delivered',
    FAILED: 'failed',
    'FAILED.HANDSET_ERROR': 'bounced',
    'FAILED.BLOCKED': 'rejected',
  } as const),
);

const events: DeliveryEvents = {
  ...bySharedKey,
  parse: (call) =>
    objectsIn(call).flatMap((report) => {
      const at = (...path: string[]): string | undefined => textAt(report, path);
      // Answers of recipients come in the same form.
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
};

type Mark = { reference: string; keys: readonly [number, number] };

/** Our id is too long for the two fields that could hold it: twenty characters, and a number of four bytes. */
function markOf({ id }: ReadySms): Mark {
  const hash = createHash('sha256').update(id).digest();
  const numberAt = (offset: number): number => hash.readUInt32BE(offset) >>> 1;
  return { reference: hash.toString('base64url').slice(0, 20), keys: [numberAt(0), numberAt(4)] };
}

function callOf(
  message: ReadySms,
  credentials: CredentialsDto,
  { fields }: RequestContext,
  { reference }: Mark,
  key: number,
): Call {
  const body = compact({
    to: message.to,
    body: message.content,
    from: message.from,
    userSuppliedId: reference,
  });
  return {
    // Without the second, what is not in the small alphabet becomes a question mark.
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
  events,
  overrides: {
    names: ['deliveryReports', 'encoding', 'longMessageMaxParts', 'messageClass', 'protocolId', 'routingGroup'],
    casing: 'camel',
  },
  /**
   * The key is so short that two of many messages may have the same; then the second is answered with the first, and has
   * to go out under another key. That this one is taken, too, is out of the question, so what comes back then is believed.
   * For the same reason there is no batch: the key is one for a whole call.
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
});

const read: (answer: Answer) => SendResult = reading({
  id: [0, 'id'],
  date: [0, 'submission', 'date'],
  isTaken: (answer) => answer.at(0, 'status', 'type') !== 'FAILED',
  message: [['detail'], ['title'], [0, 'status', 'subtype']],
  code: [0, 'status', 'subtype'],
  kinds: { BLOCKED: 'recipient', NOT_SENT: 'recipient' },
  // The only thing that is forbidden is to send without credits.
  statuses: { 403: 'quota' },
});
