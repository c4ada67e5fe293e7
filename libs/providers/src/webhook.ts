import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts/core';
import { type Call, merge, passthroughOf } from './call';
import { hmac } from './events';
import { type SendContext } from './provider';

type Webhook = {
  url: string;
  origin: 'provider' | 'tenant';
  /** The message: the same id for every try, so that a receiver can tell a repetition. */
  id: string;
  body: JsonObject;
  secret?: string;
};

/**
 * A call to somebody's own endpoint, signed as the Standard Webhooks describe it: base64 of the HMAC-SHA256 over
 * `id.timestamp.body`, so a receiver can refuse what is old or altered.
 */
export function signedCall(
  { url, origin, id, body, secret }: Webhook,
  { overrides, trace, dialect, now }: Pick<SendContext, 'overrides' | 'trace' | 'dialect' | 'now'>,
): Call {
  const text = JSON.stringify(merge(body, passthroughOf(overrides).body ?? {}));
  const timestamp = String(Math.floor(now().getTime() / 1000));
  return {
    url,
    origin,
    secrets: [url],
    signedJson: text,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...traceHeaders(trace),
      'webhook-signature': secret ? `v1,${signature(secret, `${id}.${timestamp}.${text}`)}` : undefined,
      // It signs no time, so it comes beside the other and never instead of it.
      'x-novu-signature': secret && dialect === 'novu' ? hmac('sha256', secret, text) : undefined,
    },
  };
}

/** So that whoever is called can go on with the trace. */
export const traceHeaders = (trace: SendContext['trace']): Record<string, string> => ({
  ...(trace && { traceparent: trace.traceparent }),
  ...(trace?.tracestate && { tracestate: trace.tracestate }),
});

/** Secrets in the form of that standard are base64 after a prefix; any other text is taken as it is. */
export function signature(secret: string, text: string | Buffer): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
  return createHmac('sha256', key).update(text).digest('base64');
}
