import { useState } from 'react';
import { objectOf } from '../../ui/typed';

/** What previews and test runs of a workflow use. It stays in this browser. */
export type Sample = {
  /** The typed values as JSON; undefined for the example. */
  text?: string;
  subscriberId?: string;
  locale?: string;
};

export function useSample(workflow: string): [Sample, (changes: Sample) => void] {
  const key = `clarion-sample-${workflow}`;
  const [sample, setSample] = useState(() => (objectOf(localStorage.getItem(key) ?? '').value ?? {}) as Sample);
  return [
    sample,
    (changes) =>
      setSample((before) => {
        const next = { ...before, ...changes };
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
  ];
}

/** The typed payload of a sample, if it has one. */
export const samplePayload = ({ text = '' }: Sample): unknown => objectOf(text).value?.['payload'];
