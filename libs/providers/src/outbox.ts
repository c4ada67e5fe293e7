/** The delivery of the built-in demo providers: messages are stored in the outbox of the environment. */
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { type ReadyItem, type RequestContext } from './adapter';
import { refused } from './outcome';
import { type OutboxEntry, type SendContext, type SendResult } from './provider';

/** The maximum number of messages in one statement. */
const BATCH = 100;

/** What the outbox shows of a message. Empty members of `more` are left out. */
type Shown = Omit<OutboxEntry, 'messageId' | 'more'> & { more: Readonly<Record<string, Json | undefined>> };

/** The part that all demo providers share. `show` selects what the outbox shows of a message. */
export function intoOutbox<M extends { id: string }>(show: (message: M) => Shown) {
  const deliver = async (
    items: readonly ReadyItem<M>[],
    { outbox, now }: Pick<SendContext, 'outbox' | 'now'>,
  ): Promise<SendResult[]> => {
    try {
      await outbox.put(items.map((item) => entryOf(item, show(item.message))));
    } catch (error) {
      // Storing a message twice has no effect, so the outcome is never in doubt.
      const reason = error instanceof Error ? error.message : String(error);
      return items.map(() => refused(`The outbox could not be reached: ${reason}`, 'transient'));
    }
    return items.map(({ message: { id } }) => ({ ok: true, id, date: now() }));
  };
  return {
    required: [],
    evidence: 'official' as const,
    idempotency: 'a message is in the outbox once',
    // A demo provider replaces any provider, so it shows all overrides.
    overrides: { names: 'any' as const },
    send: async (message: M, _credentials: CredentialsDto, context: RequestContext): Promise<SendResult> =>
      (await deliver([{ message, fields: context.fields }], context))[0]!,
    batch: {
      size: BATCH,
      send: (items: readonly ReadyItem<M>[], _credentials: CredentialsDto, context: SendContext) =>
        deliver(items, context),
    },
  };
}

function entryOf<M extends { id: string }>({ message, fields }: ReadyItem<M>, { more, ...shown }: Shown): OutboxEntry {
  const all = Object.entries({ ...more, overrides: fields }).filter(([, value]) => !isNothing(value));
  return { messageId: message.id, ...shown, more: Object.fromEntries(all) as JsonObject };
}

const isNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
