import { reading } from '../adapter';
import { compact, merge, passthroughOf } from '../call';
import { type Answer } from '../outcome';
import { type FailureKind } from '../provider';
import { isGsmText, smsProvider } from './sms-provider';

/**
 * No document of the provider's was to be had; this is what other people's programs send and what came back to them. It
 * has no codes, only words.
 */
const KINDS_BY_WORDS: readonly [words: RegExp, kind: FailureKind][] = [
  [/authoriz|authentic|password|profile|sender/i, 'credentials'],
  [/credit|balance/i, 'quota'],
  [/receiver|mobile|number|dnd|country/i, 'recipient'],
  [/message/i, 'content'],
  [/server error/i, 'transient'],
];

const wordsOf = (answer: Answer): string | undefined =>
  (answer.at(0, 'str_response') ?? answer.at(0, 'response'))?.trim();

const idOf = (answer: Answer): string | undefined => answer.at(0, 'msg_id')?.trim() || undefined;

export const mobishastra = smsProvider({
  id: 'mobishastra',
  displayName: 'Mobishastra',
  // The URL is the whole address that takes messages.
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
    // The body is a list, so what is passed through goes into its one member.
    return { url: baseUrl, json: [merge(merge(item, fields), passthroughOf(overrides).body ?? {})] };
  },
  read: reading({
    id: idOf,
    // The status is 200 whatever happened.
    isTaken: (answer) => idOf(answer) !== undefined,
    message: wordsOf,
    code: (answer) => KINDS_BY_WORDS.find(([words]) => words.test(wordsOf(answer) ?? ''))?.[1],
    kinds: Object.fromEntries(KINDS_BY_WORDS.map(([, kind]) => [kind, kind])),
  }),
});
