import { isJsonObject, type JsonObject } from '@clarion/contracts';
import { merge, overriddenFields, send } from '../call';
import { parseJson } from '../outcome';
import { type ChatMessage } from '../provider';
import { outcomeOfWebhook, webhookChatProvider, type WebhookChat } from './chat-provider';

/** The old connectors; everything else is a workflow, which takes an adaptive card. */
const CONNECTOR_HOST = /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/;

export const msteams = webhookChatProvider({
  id: 'msteams',
  send: (message, context) =>
    send(
      context,
      {
        url: message.webhookUrl,
        origin: 'tenant',
        json: merge(bodyOf(message), overriddenFields(context.overrides)),
        secrets: [message.webhookUrl],
      },
      (answer) => {
        // Connectors say this with a 200.
        if (answer.isOk && /HTTP error 429/i.test(answer.text)) return answer.failed('transient', 'Too many requests');
        return answer.isOk
          ? answer.accepted(answer.headers['request-id'] ?? message.id)
          : outcomeOfWebhook(answer, answer.at('error', 'message'));
      },
    ),
});

function bodyOf(message: WebhookChat): JsonObject {
  // A template may be a whole card.
  const written = parseJson(message.content);
  if (isJsonObject(written)) return written;
  const host = URL.canParse(message.webhookUrl) ? new URL(message.webhookUrl).hostname : '';
  return CONNECTOR_HOST.test(host) ? { text: message.content } : cardOf(message);
}

const cardOf = ({ content, blocks = [] }: ChatMessage): JsonObject => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'TextBlock', text: content, wrap: true }, ...blocks],
      },
    },
  ],
});
