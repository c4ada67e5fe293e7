import type { Notification } from './queries';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The trigger of this notification as a command. The key is a placeholder: this page never sees one. */
export function asCurl({ template, subscriber, payload, contextKeys }: Notification, origin: string): string {
  const context = contextKeys && Object.fromEntries(contextKeys.map((key) => key.split(/:(.*)/s).slice(0, 2)));
  const body = {
    name: template?.triggers[0]?.identifier ?? template?.name,
    to: { subscriberId: subscriber?.subscriberId },
    payload,
    ...(context && { context }),
  };
  return [
    `curl -X POST ${origin}/v1/events/trigger`,
    `  -H 'Authorization: ApiKey YOUR_API_KEY'`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n');
}
