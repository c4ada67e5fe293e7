/** How the built-in demo providers deliver: into the outbox of the environment, however many messages at once. */
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { type ReadyItem, type RequestContext } from './adapter';
import { refused } from './outcome';
import { type OutboxEntry, type SendContext, type SendResult } from './provider';

/** One statement takes so many. */
const BATCH = 100;

/** What people see of a message; empty members of `more` are left out. */
type Shown = Omit<OutboxEntry, 'messageId' | 'more'> & { more: Readonly<Record<string, Json | undefined>> };

/** What all adapters of demo providers have in common; `show` says what there is to see. */
export function intoOutbox<M extends { id: string }>(show: (message: M) => Shown) {
  const deliver = async (
    items: readonly ReadyItem<M>[],
    { outbox, now }: Pick<SendContext, 'outbox' | 'now'>,
  ): Promise<SendResult[]> => {
    try {
      await outbox.put(items.map((item) => entryOf(item, show(item.message))));
    } catch (error) {
      // Putting it in once more does no harm, so there is nothing to be in doubt about.
      const reason = error instanceof Error ? error.message : String(error);
      return items.map(() => refused(`The outbox could not be reached: ${reason}`, 'transient'));
    }
    return items.map(({ message: { id } }) => ({ ok: true, id, date: now() }));
  };
  return {
    required: [],
    evidence: 'official' as const,
    idempotency: 'a message is in the outbox once',
    // It stands in for any provider, so whatever was meant for one is shown.
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
