import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@clarion/contracts/core';
import { type Adapter, provider } from '../adapter';
import { refused } from '../outcome';
import { type Provider, type ProviderError, type PushMessage } from '../provider';

/** Rules shared by all push providers. */
export function pushProvider(adapter: Adapter<PushMessage>): Provider<'push'> {
  // For providers with topics, a topic of the trigger may replace the device.
  const hasTopics = adapter.overrides?.names.includes('topic') ?? false;
  return provider(adapter, {
    channel: 'push',
    ready: (message, _, { topic }) =>
      message.token !== '' || (hasTopics && typeof topic === 'string') ? message : NO_DEVICE,
  });
}

const NO_DEVICE: ProviderError = refused('The subscriber has no device token', 'recipient');

/**
 * An idempotency key in the form of a UUID for messages that each go to one device. The message id alone is not enough,
 * because a message has the same id for each device.
 */
export function deviceKey(...messages: readonly PushMessage[]): string {
  const names = messages.map(({ id, token }) => `${id}:${token}`).sort();
  const hex = createHash('sha256').update(names.join('\n')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Messages with the same key have the same text, payload and overrides, and differ only in the device. */
export const contentKey = ({ title, content, payload }: PushMessage, fields: JsonObject): string =>
  canonicalJson([title, content, payload, fields]);
