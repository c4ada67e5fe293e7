import type { HttpResponse } from '@clarion/contracts/core';
import { waitAfter } from '@clarion/delivery';
import type { AttemptResult, DueDelivery, LeasedEndpoint } from '@clarion/persistence';
import { type Egress, EgressError, openWebhookSecret, type SecretBox } from '@clarion/platform';
import { retryAfter, signature } from '@clarion/providers';
import type { ReceiverCall } from '../receivers/receiver-calls';

/** Characters of a response that are kept. */
const RESPONSE_CHARACTERS = 500;
const GONE = 410;

type CallParts = {
  egress: Pick<Egress, 'request'>;
  secrets: SecretBox;
  random(): number;
  now(): Date;
};

export type CallResult = AttemptResult & ReceiverCall;

/** The body of a call: the entry as the event log shows it. */
const bodyOf = ({ entryId, type, createdAt, sequence, data }: DueDelivery): string =>
  JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    id: entryId,
    ...(sequence !== null && { sequence }),
    data,
  });

/** The secrets of an endpoint that is called again and again, by the object that one round of calls has. */
const opened = new WeakMap<LeasedEndpoint, string[]>();

function secretsOf(secrets: SecretBox, endpoint: LeasedEndpoint): string[] {
  const known = opened.get(endpoint);
  if (known) return known;
  const { id, environmentId, secret, previousSecret } = endpoint;
  const keys = [secret, ...(previousSecret === null ? [] : [previousSecret])].map((sealed) =>
    openWebhookSecret(secrets, environmentId, id, sealed),
  );
  opened.set(endpoint, keys);
  return keys;
}

/** Signed as Standard Webhooks specifies. After a change of the secret there is a signature of the old one too. */
export async function callEndpoint(
  { egress, secrets, random, now }: CallParts,
  endpoint: LeasedEndpoint,
  delivery: DueDelivery,
): Promise<CallResult> {
  const { id, entryId, attempt } = delivery;
  const hasSucceeded = false;
  if (delivery.data === null) {
    return { id, state: 'failed', hasSucceeded, error: 'The entry is no longer in the event log' };
  }
  const failed = (result: Omit<CallResult, 'id' | 'state' | 'hasSucceeded'>): CallResult => {
    const wait = waitAfter(attempt + 1, random);
    return wait === undefined
      ? { id, state: 'failed', hasSucceeded, ...result }
      : { id, state: 'waiting', hasSucceeded, dueInMs: Math.max(wait, result.pauseMs ?? 0), ...result };
  };
  try {
    const body = bodyOf(delivery);
    const timestamp = String(Math.floor(now().getTime() / 1000));
    const signatures = secretsOf(secrets, endpoint).map(
      (key) => `v1,${signature(key, `${entryId}.${timestamp}.${body}`)}`,
    );
    const response = await egress.request({
      method: 'POST',
      url: endpoint.url,
      origin: 'tenant',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Clarion-Webhooks',
        'webhook-id': entryId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body,
    });
    const { status } = response;
    const text = textOf(response);
    if (status >= 200 && status < 300) return { id, state: 'delivered', hasSucceeded: true, status, text };
    const pauseMs = status === 429 || status >= 500 ? retryAfter(response.headers['retry-after'], now()) : undefined;
    return failed({
      status,
      text,
      error: `The endpoint answered ${status}`,
      ...(status === GONE && { isGone: true }),
      ...(pauseMs && { pauseMs }),
    });
  } catch (error) {
    // The answer was cut off, but its status is known.
    if (error instanceof EgressError && error.status !== undefined && error.status < 300 && error.status >= 200) {
      return { id, state: 'delivered', hasSucceeded: true, status: error.status };
    }
    return failed({ error: (error as Error).message.slice(0, RESPONSE_CHARACTERS) });
  }
}

/** Postgres stores no NUL character and no half of a surrogate pair. */
const textOf = ({ body }: HttpResponse): string =>
  body
    .toString('utf8', 0, 4 * RESPONSE_CHARACTERS)
    .slice(0, RESPONSE_CHARACTERS)
    .replaceAll('\0', '\ufffd')
    .toWellFormed();
