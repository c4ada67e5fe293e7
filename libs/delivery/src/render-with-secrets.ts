import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { readsEnvironment } from '@clarion/content';
import type { Prepared } from './channel';

type Item = {
  controls: JsonObject;
  variables: JsonObject;
  layout?: JsonObject | null;
  /** The values of the secrets of the environment. */
  secrets?: Record<string, string>;
};

/** The content that is stored as the record of a message, and the content that a provider gets. */
type TwoContents<R> = { recorded: R; sent: R };

/**
 * Renders messages with masks in place of secrets. Where templates may read a secret, it renders them once more with
 * the values: only the provider gets these.
 */
export async function renderWithSecrets<I extends Item, R>(
  items: I[],
  render: (items: I[]) => Promise<R[]>,
): Promise<TwoContents<R>[]> {
  const recorded = await render(items);
  const withValues = items.map((item): I | undefined => {
    const { secrets, controls, layout, variables } = item;
    if (!secrets || !(readsEnvironment(controls) || (layout && readsEnvironment(layout)))) return undefined;
    const { env } = variables;
    return { ...item, variables: { ...variables, env: { ...(isJsonObject(env) ? env : {}), ...secrets } } };
  });
  const open = withValues.filter((item) => item !== undefined);
  const sent = (open.length > 0 ? await render(open) : []).values();
  return recorded.map((content, index) => ({
    recorded: content,
    sent: withValues[index] ? sent.next().value! : content,
  }));
}

/** What is sent from the first, what is stored from the second. */
export function withRecord(sent: Prepared, recorded: Prepared): Prepared {
  if (recorded.kind !== 'deliveries') return recorded;
  if (sent.kind !== 'deliveries') return sent;
  const deliveries = sent.deliveries.map((delivery, index) => ({ ...delivery, row: recorded.deliveries[index]!.row }));
  return { ...sent, deliveries };
}
