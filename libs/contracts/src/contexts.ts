import { isJsonObject, type JsonObject } from './json';

/** What a notification or a subscription is about, such as a workspace or a region of the caller's product. */
export type ContextEntry = { type: string; id: string; data?: JsonObject };

/** The allowed characters of context types and ids. */
export const CONTEXT_NAME = /^[a-zA-Z0-9_-]{1,100}$/;

/** The text form of a context in lists: `type:id`. */
export const contextKey = ({ type, id }: Pick<ContextEntry, 'type' | 'id'>): string => `${type}:${id}`;

/** The entries of a checked `context` of a request (type to id, or type to {id, data}), sorted by key. */
export function contextEntries(context: JsonObject): ContextEntry[] {
  return Object.entries(context)
    .map(([type, value]): ContextEntry => {
      if (!isJsonObject(value)) return { type, id: String(value) };
      const { id, data } = value;
      return { type, id: String(id), ...(isJsonObject(data) && { data }) };
    })
    .sort((one, other) => (contextKey(one) < contextKey(other) ? -1 : 1));
}
