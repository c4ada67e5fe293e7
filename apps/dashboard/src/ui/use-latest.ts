import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * The value of the last drawing, for what outlives a drawing, such as a timer or an editor. Layout effects run before
 * the next key is handled; after a later effect, a key would meet the value before.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
