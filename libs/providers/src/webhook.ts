import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts/core';
import { type Call, merge, passthroughOf } from './call';
import { hmac } from './events';
import { type SendContext } from './provider';

type Webhook = {
  url: string;
  origin: 'provider' | 'tenant';
  /** The message id. It is the same for every attempt, so the receiver can detect duplicates. */
  id: string;
  body: JsonObject;
  secret?: string;
};

/** As Standard Webhooks specifies, so the receiver can reject calls that are old or altered. */
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
      // It covers no timestamp, so it is sent in addition to the other signature, never instead of it.
      'x-novu-signature': secret && dialect === 'novu' ? hmac('sha256', secret, text) : undefined,
    },
  };
}

/** Lets the receiver continue the trace. */
export const traceHeaders = (trace: SendContext['trace']): Record<string, string> => ({
  ...(trace && { traceparent: trace.traceparent }),
  ...(trace?.tracestate && { tracestate: trace.tracestate }),
});

/** A secret with the prefix `whsec_` is base64, as Standard Webhooks specifies. Any other text is used unchanged. */
export function signature(secret: string, text: string | Buffer): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
  return createHmac('sha256', key).update(text).digest('base64');
}
