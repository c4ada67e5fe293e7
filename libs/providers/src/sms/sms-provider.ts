import type { CredentialsDto } from '@clarion/contracts';
import { type Adapter, provider } from '../adapter';
import { type DeliveryEvent, type DeliveryEventKind } from '../events';
import { refused } from '../outcome';
import { oneNumber } from '../phone-number';
import { type Provider, type ProviderError, type SmsMessage } from '../provider';

/** A message to exactly one number: digits with an optional leading `+`. */
export type ReadySms = SmsMessage & {
  /** The number without the `+`, for providers that do not accept it. */
  digits: string;
};

/** Rules shared by all SMS providers. A trigger may also set fields of the request in `customData`. */
export const smsProvider = (adapter: Adapter<ReadySms>): Provider<'sms'> =>
  provider(adapter, { channel: 'sms', ready: readySms, dataOf: ({ customData = {} }) => customData });

function readySms(message: SmsMessage, credentials: CredentialsDto): ReadySms | ProviderError {
  const to = oneNumber(message.to);
  if (to === undefined) {
    return refused('The phone number is not one number of digits, with or without a +', 'recipient');
  }
  const from = message.from ?? credentials.from;
  return { ...message, to, digits: to.replace('+', ''), ...(from && { from }) };
}

/** The GSM 03.38 alphabet, which has 160 characters per part. For any other text some providers need a flag. */
const GSM = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[\]~|€\r\n\f]*$/;

export const isGsmText = (text: string): boolean => GSM.test(text);

/** The characters of that alphabet that count as two. */
const GSM_EXTENSION = /[\^{}\\[\]~|€\f]/g;

/** Whether the text fits into one message of 140 bytes. */
export const isOnePart = (text: string): boolean =>
  isGsmText(text) ? text.replace(GSM_EXTENSION, '  ').length <= 160 : text.length <= 70;

/** A provider's report about one message. `mark` distinguishes two reports about the same message. */
type Report = Omit<DeliveryEvent, 'id' | 'kind'> & { kind: DeliveryEventKind | undefined; mark: string };

/** For providers whose reports have no id. A report without a message id or with an unknown state yields no event. */
export function reportOf({ kind, mark, isPermanent, ...report }: Report): DeliveryEvent[] {
  const message = report.providerMessageId || report.messageId;
  if (!kind || !message) return [];
  const event = { id: `${message}:${mark}`, kind, ...report };
  // A number that will never work is a bounce, regardless of the provider's term for it.
  return [isPermanent ? { ...event, kind: 'bounced', isPermanent } : event];
}

/** A report from a form or JSON, in which any member may be missing. */
type StateReport = { id: string | null | undefined; state: string | null | undefined } & {
  [Fact in 'messageId' | 'recipient' | 'at' | 'isPermanent' | 'reason']?: DeliveryEvent[Fact] | null | undefined;
};

/** For reports of the state of a message. `kinds` lists the states that yield an event. */
export function stateEvents(
  kinds: Readonly<Record<string, DeliveryEventKind>>,
  { id, state, ...facts }: StateReport,
): DeliveryEvent[] {
  if (!id || !state || !Object.hasOwn(kinds, state)) return [];
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== null && fact !== '');
  return reportOf({ kind: kinds[state], mark: state, providerMessageId: id, ...Object.fromEntries(known) });
}
