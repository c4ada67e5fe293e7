import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@clarion/contracts/core';
import { isAbsent } from './comparing';
import { namedValue, type Variables } from './variables';

/** `keyName` is the control as the author wrote it; absent when all events share one key. */
export type GroupKey = { key: string; keyName?: string } | { missing: string };

/** The key of steps without a key control: all events share it. */
const NO_GROUP_KEY = 'No-Value-Provided';

const KEY_CHARACTERS = 256;

/**
 * The key by which a digest or throttle step groups events. `digestKey` and `throttleKey` name a value of the payload
 * by its path, or are templates whose text is the value. A missing value is reported and not replaced by a common
 * key, because that would mix unrelated events.
 */
export function groupKeyOf(raw: Json | undefined, rendered: Json | undefined, variables: Variables): GroupKey {
  const keyName = isAbsent(raw) ? '' : textOf(raw).trim();
  if (keyName === '') return { key: NO_GROUP_KEY };
  const isTemplate = keyName.includes('{{') || keyName.includes('{%');
  const value = isTemplate ? emptyAsAbsent(rendered) : namedValue(variables, keyName);
  return value === undefined ? { missing: keyName } : { key: fitted(textOf(value)), keyName };
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));

const emptyAsAbsent = (value: Json | undefined): Json | undefined =>
  isAbsent(value) || textOf(value).trim() === '' ? undefined : value;

/** A key is part of an index, so a long key is stored as its hash. */
function fitted(key: string): string {
  return key.length <= KEY_CHARACTERS ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
