import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject, readJson } from '@clarion/contracts/core';
import { send } from '../call';
import { textAt } from '../json-paths';
import { type Answer, beforeSending, kindOfStatus } from '../outcome';
import { type CallContext, type ProviderError } from '../provider';
import { type ChatBot } from './chat-connect';

/** A method of Telegram's Bot API. The token of the bot is part of the path. */
export const telegramUrl = ({ apiToken = '' }: CredentialsDto, method: string): string =>
  `https://api.telegram.org/bot${encodeURIComponent(apiToken).replaceAll('%3A', ':')}/${method}`;

export const telegramBot: ChatBot = {
  keyHeader: 'x-telegram-bot-api-secret-token',

  nameOf: async (credentials, context) => {
    const answer = await call('getMe', {}, credentials, context);
    if ('ok' in answer) return answer;
    return { ok: true, name: answer.at('result', 'username') ?? '' };
  },

  setWebhook: async ({ url, key }, credentials, context) => {
    const json = { url, secret_token: key, allowed_updates: ['message'] };
    const answer = await call('setWebhook', json, credentials, context);
    return 'ok' in answer ? answer : { ok: true };
  },

  startLink: (name, code) => `https://t.me/${encodeURIComponent(name)}?start=${encodeURIComponent(code)}`,

  reply: (address, text): JsonObject =>
    address.type === 'telegram_chat' ? { method: 'sendMessage', chat_id: address.chatId, text } : {},

  readStart: (body) => {
    const update = readJson(body.toString('utf8'));
    if (!isJsonObject(update)) return undefined;
    const [, code] = /^\/start(?:@\w+)? ([\w-]{1,64})$/.exec(textAt(update, ['message', 'text']) ?? '') ?? [];
    const chatId = textAt(update, ['message', 'chat', 'id']);
    return code === undefined || chatId === undefined
      ? undefined
      : { code, address: { type: 'telegram_chat', chatId } };
  },
};

async function call(
  method: string,
  json: Json,
  credentials: CredentialsDto,
  context: CallContext,
): Promise<Answer | ProviderError> {
  let read: Answer | undefined;
  const request = { url: telegramUrl(credentials, method), json };
  const result = await send(request, credentials, { ...context, overrides: {} }, (answer) => {
    if (answer.isOk && answer.at('ok') === 'true') {
      read = answer;
      return { ok: true };
    }
    // The token is part of the path: 404 means that there is no bot with it.
    return answer.failed(answer.status === 404 ? 'credentials' : kindOfStatus(answer.status), answer.at('description'));
  });
  return result.ok ? read! : beforeSending(result);
}
