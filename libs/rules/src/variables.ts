import type { Json, JsonObject } from '@clarion/contracts/core';

/** The variables of rules and templates for one notification, by namespace. */
export type Variables = {
  payload: JsonObject;
  subscriber: JsonObject;
  actor?: JsonObject;
  tenant?: JsonObject;
  context?: JsonObject;
  steps?: JsonObject;
  workflow?: JsonObject;
  env?: JsonObject;
};

/** As in `order.lines[0].sku`. Inherited properties are not found; a list also has its `length`. */
export function valueAt(root: Json | undefined, path: string): Json | undefined {
  let value = root;
  for (const key of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** The value at a path that starts with its namespace: `subscriber.data.plan`. */
export const variableAt = (variables: Variables, path: string): Json | undefined =>
  valueAt(variables as JsonObject, path);

/** The value at a path in the payload (`order` or `payload.order`), or else in another namespace. */
export function namedValue(variables: Variables, path: string): Json | undefined {
  const inPayload = valueAt(variables.payload, path.startsWith('payload.') ? path.slice('payload.'.length) : path);
  return inPayload === undefined ? variableAt(variables, path) : inPayload;
}
