import { compact, merge } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import { webhookChatProvider, webhookReading, withOwnId } from './chat-provider';

/**
 * A formatted webhook of Grafana OnCall, now part of Grafana IRM. Values of the subscriber take precedence over those
 * of the integration.
 */
export const grafanaOnCall = webhookChatProvider({
  id: 'grafana-on-call',
  displayName: 'Grafana OnCall',
  optional: ['alertUid', 'title', 'imageUrl', 'state', 'externalLink'],
  evidence: 'official',
  idempotency: 'alert_uid: a duplicate joins the same alert',
  unsupported: ['blocks', 'channel'],
  // The alert templates of Grafana may use any member of the request.
  overrides: { names: 'any', casing: 'snake' },
  request: (message, credentials, { fields }) => {
    const { alert = {} } = message;
    const body = compact({
      alert_uid: alert.uid || credentials.alertUid || message.id,
      title: alert.title || credentials.title || undefined,
      image_url: alert.imageUrl || credentials.imageUrl || undefined,
      state: alert.state || credentials.state || undefined,
      link_to_upstream_details: alert.externalUrl || credentials.externalLink || undefined,
      message: message.content,
    });
    return { url: message.webhookUrl, origin: 'tenant', json: merge(body, fields), secrets: [message.webhookUrl] };
  },
  read: (answer, message) => withOwnId(read(answer), message),
});

const UNKNOWN_KEY = 'Integration key was not found';
const errorTextOf = ({ isOk, text }: Answer): string | undefined => (isOk ? undefined : text.trim().slice(0, 200));

const read = webhookReading({
  date: ({ headers }) => dateOf(headers['date']),
  isAccepted: ({ text }) => /^"?ok\b/i.test(text.trim()),
  message: (answer) => answer.at('detail') ?? errorTextOf(answer),
  code: ({ text }) => (text.includes(UNKNOWN_KEY) ? UNKNOWN_KEY : undefined),
  kinds: { [UNKNOWN_KEY]: 'dead-token' },
});
