import { compact, merge, overriddenFields, send, withQuery } from '../call';
import { type Answer, waitWithin } from '../outcome';
import { type SendResult } from '../provider';
import { outcomeOfWebhook, webhookChatProvider } from './chat-provider';

/** Unknown webhook, invalid webhook token. */
const GONE: ReadonlySet<string> = new Set(['10015', '50027']);

export const discord = webhookChatProvider({
  id: 'discord',
  send: (message, context) => {
    const body = compact({
      content: message.content,
      embeds: message.blocks,
      // A name in a template must not call everybody.
      allowed_mentions: { parse: [] },
    });
    // Without it a message that was not saved would look sent.
    const url = URL.canParse(message.webhookUrl) ? withQuery(message.webhookUrl, { wait: 'true' }) : message.webhookUrl;
    return send(
      context,
      {
        url,
        origin: 'tenant',
        json: merge(body, overriddenFields(context.overrides, 'snake')),
        secrets: [url, message.webhookUrl],
      },
      (answer) => (answer.isOk ? answer.accepted(answer.at('id')) : failure(answer)),
    );
  },
});

function failure(answer: Answer): SendResult {
  const message = answer.at('message');
  if (answer.status === 404 || GONE.has(answer.at('code') ?? '')) return answer.failed('dead-token', message);
  const result = outcomeOfWebhook(answer, message);
  const seconds = Number(answer.at('retry_after'));
  return answer.status === 429 && seconds > 0
    ? ({ ...result, retryAfterMs: waitWithin(seconds * 1000) } as SendResult)
    : result;
}
