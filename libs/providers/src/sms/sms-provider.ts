import type { CredentialsDto } from '@clarion/contracts';
import { type Adapter, provider } from '../adapter';
import { type DeliveryEvent, type DeliveryEventKind } from '../events';
import { refused } from '../outcome';
import { oneNumber } from '../phone-number';
import { type Provider, type ProviderError, type SmsMessage } from '../provider';

/** A message to exactly one number: `+` and digits, or digits. */
export type ReadySms = SmsMessage & {
  /** The digits of the number, for providers that want no `+`. */
  digits: string;
};

/** What holds for text messages whoever carries them. A trigger may set fields of the request as `customData`, too. */
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

/** The characters of a message that costs 160 to the part; anything else has to be announced to some providers. */
const GSM = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[\]~|€\r\n\f]*$/;

export const isGsmText = (text: string): boolean => GSM.test(text);

/** Of those, the ones that take the room of two. */
const GSM_EXTENSION = /[\^{}\\[\]~|€\f]/g;

/** Whether it fits into one message of 140 bytes. */
export const isOnePart = (text: string): boolean =>
  isGsmText(text) ? text.replace(GSM_EXTENSION, '  ').length <= 160 : text.length <= 70;

/** What a provider says of one message later on; `mark` tells two reports about the same message apart. */
type Report = Omit<DeliveryEvent, 'id' | 'kind'> & { kind: DeliveryEventKind | undefined; mark: string };

/** For providers whose reports have no id of their own. One without a message or of an unknown state is none. */
export function reportOf({ kind, mark, isPermanent, ...report }: Report): DeliveryEvent[] {
  const message = report.providerMessageId || report.messageId;
  if (!kind || !message) return [];
  const event = { id: `${message}:${mark}`, kind, ...report };
  // A number that will never work is a bounce, whatever the provider calls it.
  return [isPermanent ? { ...event, kind: 'bounced', isPermanent } : event];
}

/** A report as it stands in a form or in JSON, where anything may be missing. */
type StateReport = { id: string | null | undefined; state: string | null | undefined } & {
  [Fact in 'messageId' | 'recipient' | 'at' | 'isPermanent' | 'reason']?: DeliveryEvent[Fact] | null | undefined;
};

/** For reports of a state that a message has come to, with a table of the states that count. */
export function stateEvents(
  kinds: Readonly<Record<string, DeliveryEventKind>>,
  { id, state, ...facts }: StateReport,
): DeliveryEvent[] {
  if (!id || !state || !Object.hasOwn(kinds, state)) return [];
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== null && fact !== '');
  return reportOf({ kind: kinds[state], mark: state, providerMessageId: id, ...Object.fromEntries(known) });
}
