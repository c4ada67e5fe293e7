import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The last value, for what outlives a drawing. Layout effects run before the next key is handled. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
