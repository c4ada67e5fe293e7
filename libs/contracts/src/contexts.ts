import { isJsonObject, type JsonObject } from './json';

/** What a notification or a subscription is about, such as a workspace or a region of the caller's product. */
export type ContextEntry = { type: string; id: string; data?: JsonObject };

/** How types and ids of contexts are spelled. */
export const CONTEXT_NAME = /^[a-zA-Z0-9_-]{1,100}$/;

/** How a context is written in lists. */
export const contextKey = ({ type, id }: Pick<ContextEntry, 'type' | 'id'>): string => `${type}:${id}`;

/** A checked `context` of a request, type to id or type to {id, data}, in the order of the keys. */
export function contextEntries(context: JsonObject): ContextEntry[] {
  return Object.entries(context)
    .map(([type, value]): ContextEntry => {
      if (!isJsonObject(value)) return { type, id: String(value) };
      const { id, data } = value;
      return { type, id: String(id), ...(isJsonObject(data) && { data }) };
    })
    .sort((one, other) => (contextKey(one) < contextKey(other) ? -1 : 1));
}
