import { refused } from '../outcome';
import { type Provider, type SendContext, type SendResult, type SmsMessage } from '../provider';

/** A message to exactly one number: `+` and digits, or digits. */
export type ReadySms = SmsMessage & { from?: string };

type SmsAdapter = Pick<Provider<'sms'>, 'id' | 'idempotent' | 'check'> & {
  send(message: ReadySms, context: SendContext): Promise<SendResult>;
};

/** What holds for text messages whoever carries them. */
export function smsProvider(adapter: SmsAdapter): Provider<'sms'> {
  return {
    ...adapter,
    channel: 'sms',
    send: async (message, context) => {
      const to = message.to.replace(/[\s().-]/g, '');
      // Many providers take a list here, and would send to all of it.
      if (!/^\+?\d{3,20}$/.test(to))
        return refused('The phone number is not one number of digits, with or without a +');
      const from = message.from ?? context.credentials.from;
      return adapter.send({ ...message, to, ...(from && { from }) }, context);
    },
  };
}

/** The characters of a message that costs 160 to the part; anything else has to be announced to some providers. */
const GSM = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[\]~|€\r\n\f]*$/;

export const isGsmText = (text: string): boolean => GSM.test(text);
