import { isDemoProvider, isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { readsEnvironment } from '@clarion/content';
import { redactText } from '@clarion/providers';
import { callsProvider } from '@clarion/rules';
import type { Delivery, Prepared } from './channel';
import type { Account } from '../accounts/integration-directory';

type Item = {
  controls: JsonObject;
  variables: JsonObject;
  layout?: JsonObject | null;
  secrets?: Record<string, string>;
};

/** What a text of a provider must not repeat in a record. */
type Secrets = () => readonly string[];

/** The content that is stored as the record of a message, and the content that a provider gets. */
type TwoContents<R> = { recorded: R; sent: R; secrets: Secrets };

/** Renders with masks in place of secrets, and once more with the values where templates may read one. */
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
  const opened = (open.length > 0 ? await render(open) : []).values();
  return recorded.map((content, index) => {
    const sent = withValues[index] ? opened.next().value! : content;
    return { recorded: content, sent, secrets: secretsOf(items[index]!, sent, content) };
  });
}

/** Prepares both contents. The record and the outbox store the second; the first is sent. */
export function prepareWithSecrets<R>(
  { sent, recorded, secrets }: TwoContents<R>,
  prepare: (content: R) => Prepared,
): Prepared {
  const shown = prepare(recorded);
  if (sent === recorded || shown.kind !== 'deliveries') return shown;
  const open = prepare(sent);
  // A fault of the rendering may repeat a value.
  if (open.kind !== 'deliveries') return withoutSecretsIn(open, secrets()) as Prepared;
  const deliveries = open.deliveries.map((delivery, index): Delivery => {
    const record = shown.deliveries[index]!;
    return {
      ...delivery,
      row: record.row,
      textsFor: record.textsFor,
      send: (account, options) =>
        storesInOutbox(account) ? record.send(account, options) : delivery.send(account, { ...options, secrets }),
    };
  });
  return { ...open, deliveries };
}

const storesInOutbox = ({ providerId, sandbox }: Account): boolean =>
  isDemoProvider(providerId) || !callsProvider(sandbox);

/** Words of a message that depend on secrets; more are not looked for. */
const MOST_WORDS = 200;
const WORD = /[\p{L}\p{N}_+/=-]{4,}/gu;

/** The values, and what templates made of them: words of the sent content that the recorded content does not have. */
function secretsOf({ secrets = {} }: Item, sent: unknown, recorded: unknown): Secrets {
  let known: readonly string[] | undefined;
  return () => {
    if (known) return known;
    const shown = new Set(wordsIn(recorded));
    const words = wordsIn(sent).filter((word) => !shown.has(word));
    return (known = [...new Set([...Object.values(secrets), ...words.slice(0, MOST_WORDS)])]);
  };
}

function withoutSecretsIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, {}, secrets);
  if (Array.isArray(value)) return value.map((item) => withoutSecretsIn(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecretsIn(member, secrets)]));
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(WORD) ?? [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}
