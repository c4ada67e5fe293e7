import { isJsonObject, type JsonObject } from './json';

/** What a notification or a subscription is about, such as a workspace or a region of the caller's product. */
export type ContextEntry = { type: string; id: string; data?: JsonObject };

/** The text form `type:id`. In a type, `:` and `%` are written as `%3A` and `%25`, so each context differs. */
export const contextKey = ({ type, id }: Pick<ContextEntry, 'type' | 'id'>): string =>
  `${type.replace(/[%:]/g, (sign) => encodeURIComponent(sign))}:${id}`;

export function contextOfKey(key: string): Pick<ContextEntry, 'type' | 'id'> {
  const end = key.indexOf(':');
  const type = key.slice(0, end).replace(/%(?:3A|25)/g, (sign) => decodeURIComponent(sign));
  return { type, id: key.slice(end + 1) };
}

/** Context keys as one text, different for each list. */
export const joinContextKeys = (keys: string[]): string => keys.map((key) => key.replace(/[,\\]/g, '\\$&')).join();

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
