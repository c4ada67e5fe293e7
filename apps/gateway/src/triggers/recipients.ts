import { isJsonObject, type Json, type JsonObject, LIMITS, RecipientDto, TopicRecipientDto } from '@clarion/contracts';
import { checkElement, FaultBudget } from '../edge/http/check-element';
import { type DtoClass, type UnknownField, prefixPaths } from '../edge/http/compiled-dto';

/** All forms of `to` become one list, subscribers first, then topics. The engine knows no other form. */
export type Recipients = {
  recipients: JsonObject[];
  /** The faults of invalid entries, each with its path. */
  faults: string[];
  unknown?: UnknownField[];
};

export function readRecipients(to: Json, budget = new FaultBudget()): Recipients | { tooMany: string } {
  const entries = Array.isArray(to) ? to : [to];
  if (entries.length > LIMITS.recipients)
    return { tooMany: `to must contain no more than ${LIMITS.recipients} elements` };
  const channels = entries.reduce<number>((sum, entry) => sum + channelsOf(entry), 0);
  if (channels > LIMITS.recipientChannels)
    return { tooMany: `to must contain no more than ${LIMITS.recipientChannels} channels in all recipients together` };
  const found: Recipients = { recipients: [], faults: [] };
  const subscribers = new Map<string, JsonObject>();
  const topics: JsonObject[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = Array.isArray(to) ? `to.${index}` : 'to';
    if (isTopic(entry)) addTopic(entry, path, topics, found, budget);
    else addSubscriber(entry, path, subscribers, found, budget);
  }
  found.recipients = [...subscribers.values(), ...topics];
  return found;
}

const channelsOf = (entry: Json): number =>
  isJsonObject(entry) && Array.isArray(entry['channels']) ? entry['channels'].length : 0;

function isTopic(entry: Json): entry is JsonObject {
  return (
    isJsonObject(entry) &&
    (entry['type'] === 'Topic' || (entry['topicKey'] !== undefined && entry['subscriberId'] === undefined))
  );
}

function addTopic(entry: JsonObject, path: string, topics: JsonObject[], found: Recipients, budget: FaultBudget): void {
  const topic = readEntry(TopicRecipientDto, { type: 'Topic', ...entry }, path, found, budget);
  if (topic) topics.push(topic);
}

/** Of several entries with one subscriberId the last one counts. */
function addSubscriber(
  entry: Json,
  path: string,
  subscribers: Map<string, JsonObject>,
  found: Recipients,
  budget: FaultBudget,
): void {
  const subscriber =
    typeof entry === 'string' ? { subscriberId: entry.trim() } : readSubscriber(entry, path, found, budget);
  if (!subscriber) return;
  const id = subscriber['subscriberId'] as string;
  if (id === '') return void found.faults.push(`${path}: subscriberId must not be empty`);
  if (id.length > 512)
    return void found.faults.push(`${path}: subscriberId must be shorter than or equal to 512 characters`);
  subscribers.delete(id);
  subscribers.set(id, subscriber);
}

function readSubscriber(entry: Json, path: string, found: Recipients, budget: FaultBudget): JsonObject | undefined {
  if (isJsonObject(entry)) return readEntry(RecipientDto, entry, path, found, budget);
  found.faults.push(`${path}: must be a subscriberId, a subscriber or a topic`);
  return undefined;
}

function readEntry(
  type: DtoClass<object>,
  entry: JsonObject,
  path: string,
  found: Recipients,
  budget: FaultBudget,
): JsonObject | undefined {
  const checked = checkElement(type, entry, budget);
  if (checked.unknown) found.unknown = [...(found.unknown ?? []), ...prefixPaths(path, checked.unknown)!];
  if (checked.valid) return { ...checked.value } as JsonObject;
  found.faults.push(`${path}: ${checked.message}`);
  return undefined;
}
