import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { merge } from '../call';
import { parseJson } from '../json-paths';
import { type ChatMessage } from '../provider';
import { type WebhookChat, webhookChatProvider, webhookKind, webhookReading, withOwnId } from './chat-provider';

/** The hosts of the retired Office connectors. Any other URL is a workflow, which takes an adaptive card. */
const CONNECTOR_HOST = /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/;

export const msteams = webhookChatProvider({
  id: 'msteams',
  displayName: 'Microsoft Teams',
  optional: ['clientId', 'secretKey', 'tenantId', 'redirectUrl'],
  evidence: 'official',
  unsupported: ['channel'],
  overrides: {
    names: [
      'type',
      'attachments',
      'text',
      'title',
      'summary',
      'themeColor',
      'sections',
      'potentialAction',
      '@type',
      '@context',
    ],
  },
  request: (message, _, { fields }) => ({
    url: message.webhookUrl,
    origin: 'tenant',
    json: merge(bodyOf(message), fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => {
    // A connector answers 200 and puts the status of Teams into the text.
    const [, status] = (answer.isOk && /HTTP error (\d{3})/i.exec(answer.text)) || [];
    if (status !== undefined) return answer.failed(webhookKind(Number(status)), `Teams answered with status ${status}`);
    return withOwnId(read(answer), message);
  },
});

const read = webhookReading({ trace: 'request-id', message: ['error', 'message'] });

function bodyOf(message: WebhookChat): JsonObject {
  // The template may already be a complete card.
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
