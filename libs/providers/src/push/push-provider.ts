import { createHash } from 'node:crypto';
import { refused } from '../outcome';
import { type Provider, type PushMessage } from '../provider';

type PushAdapter = Omit<Provider<'push'>, 'channel'>;

/** What holds for push whoever carries it. */
export function pushProvider(adapter: PushAdapter): Provider<'push'> {
  return {
    ...adapter,
    channel: 'push',
    send: async (message, context) => {
      // A topic of the trigger's takes the place of a device.
      const isAddressed = message.token !== '' || typeof context.overrides['topic'] === 'string';
      return isAddressed ? adapter.send(message, context) : refused('The subscriber has no device token');
    },
  };
}

/** The key of one message to one device, in the form of a UUID: a message goes to each device under the same id. */
export function deviceKey({ id, token }: PushMessage): string {
  const hex = createHash('sha256').update(`${id}:${token}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
