import { isJsonObject, type Json, type JsonObject, LIMITS, RecipientDto, TopicRecipientDto } from '@clarion/contracts';
import { checkElement } from '../http/check-element';

/**
 * `to` in all its shapes becomes one list: subscribers as objects, topics as objects. The engine reads this list from the
 * trigger's row and never sees the shapes that callers use.
 */
export type Recipients = {
  recipients: JsonObject[];
  /** Ids outside the usual alphabet: fine if such a subscriber exists, which the caller of this function finds out. */
  unusualIds: string[];
  /** What is wrong with the entries that cannot be anybody, by path. */
  faults: string[];
};

/** Letters, digits and `_ : . -`, or the form of an email address. */
const USUAL_ID = /^(?:[a-zA-Z0-9_:.-]+|[^\s@]+@[^\s@]+\.[^\s@]+)$/;

export function readRecipients(to: Json): Recipients | { tooMany: string } {
  const entries = Array.isArray(to) ? to : [to];
  if (entries.length > LIMITS.recipients)
    return { tooMany: `to must contain no more than ${LIMITS.recipients} elements` };
  const found: Recipients = { recipients: [], unusualIds: [], faults: [] };
  const subscribers = new Map<string, JsonObject>();
  const topics: JsonObject[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = Array.isArray(to) ? `to.${index}` : 'to';
    if (isTopic(entry)) addTopic(entry, path, topics, found.faults);
    else addSubscriber(entry, path, subscribers, found);
  }
  found.recipients = [...subscribers.values(), ...topics];
  return found;
}

function isTopic(entry: Json): entry is JsonObject {
  return (
    isJsonObject(entry) &&
    (entry['type'] === 'Topic' || (entry['topicKey'] !== undefined && entry['subscriberId'] === undefined))
  );
}

function addTopic(entry: JsonObject, path: string, topics: JsonObject[], faults: string[]): void {
  const checked = checkElement(TopicRecipientDto, { type: 'Topic', ...entry });
  if (checked.valid) topics.push({ ...checked.value } as JsonObject);
  else faults.push(`${path}: ${checked.message}`);
}

/** Duplicate subscriberIds collapse, the last one wins. */
function addSubscriber(entry: Json, path: string, subscribers: Map<string, JsonObject>, found: Recipients): void {
  const subscriber =
    typeof entry === 'string' ? { subscriberId: entry.trim() } : readSubscriber(entry, path, found.faults);
  if (!subscriber) return;
  const id = subscriber['subscriberId'] as string;
  if (id === '') return void found.faults.push(`${path}: subscriberId must not be empty`);
  if (id.length > 512)
    return void found.faults.push(`${path}: subscriberId must be shorter than or equal to 512 characters`);
  if (!USUAL_ID.test(id)) found.unusualIds.push(id);
  subscribers.delete(id);
  subscribers.set(id, subscriber);
}

function readSubscriber(entry: Json, path: string, faults: string[]): JsonObject | undefined {
  if (!isJsonObject(entry)) {
    faults.push(`${path}: must be a subscriberId, a subscriber or a topic`);
    return undefined;
  }
  const checked = checkElement(RecipientDto, entry);
  if (checked.valid) return { ...checked.value } as unknown as JsonObject;
  faults.push(`${path}: ${checked.message}`);
  return undefined;
}
