import { reading } from '../adapter';
import { compact, merge, passthroughOf } from '../call';
import { type Answer } from '../outcome';
import { type FailureKind } from '../provider';
import { isGsmText, smsProvider } from './sms-provider';

/** Not publicly documented: taken from third-party clients. Errors have no codes, only texts. */
const KINDS_BY_TEXT: readonly [pattern: RegExp, kind: FailureKind][] = [
  [/authoriz|authentic|password|profile|sender/i, 'credentials'],
  [/credit|balance/i, 'quota'],
  [/receiver|mobile|number|dnd|country/i, 'recipient'],
  [/message/i, 'content'],
  [/server error/i, 'transient'],
];

const errorTextOf = (answer: Answer): string | undefined =>
  (answer.at(0, 'str_response') ?? answer.at(0, 'response'))?.trim();

const idOf = (answer: Answer): string | undefined => answer.at(0, 'msg_id')?.trim() || undefined;

export const mobishastra = smsProvider({
  id: 'mobishastra',
  displayName: 'Mobishastra',
  // The URL is the complete endpoint for messages.
  required: ['baseUrl', 'user', 'password', 'from'],
  evidence: 'third-party',
  overrides: { names: ['language'], casing: 'camel' },
  request: (message, { baseUrl = '', user, password }, { fields, overrides }) => {
    const item = compact({
      user,
      pwd: password,
      number: message.to,
      msg: message.content,
      Sender: message.from,
      language: isGsmText(message.content) ? undefined : 'Unicode',
    });
    // The body is a list, so a passed-through body is merged into its only member.
    return { url: baseUrl, json: [merge(merge(item, fields), passthroughOf(overrides).body ?? {})] };
  },
  read: reading({
    id: idOf,
    // Every response has status 200.
    isAccepted: (answer) => idOf(answer) !== undefined,
    message: errorTextOf,
    code: (answer) => KINDS_BY_TEXT.find(([pattern]) => pattern.test(errorTextOf(answer) ?? ''))?.[1],
    kinds: Object.fromEntries(KINDS_BY_TEXT.map(([, kind]) => [kind, kind])),
  }),
});
