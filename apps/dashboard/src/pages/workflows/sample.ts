import { useState } from 'react';

/** What previews and test runs of a workflow use. It stays in this browser. */
export type Sample = {
  /** The typed values as JSON; undefined for the example. */
  text?: string;
  subscriberId?: string;
  locale?: string;
};

const keyOf = (workflow: string): string => `clarion-sample-${workflow}`;

export function readSample(workflow: string): Sample {
  try {
    return JSON.parse(localStorage.getItem(keyOf(workflow)) ?? '{}') as Sample;
  } catch {
    return {};
  }
}

export function useSample(workflow: string): [Sample, (changes: Sample) => void] {
  const [sample, setSample] = useState(() => readSample(workflow));
  return [
    sample,
    (changes) =>
      setSample((before) => {
        const next = { ...before, ...changes };
        localStorage.setItem(keyOf(workflow), JSON.stringify(next));
        return next;
      }),
  ];
}

/** The payload of a sample as text; undefined when it has none. */
export function samplePayload({ text }: Sample): string | undefined {
  try {
    const { payload } = JSON.parse(text ?? '{}') as { payload?: unknown };
    return payload === undefined ? undefined : JSON.stringify(payload, null, 2);
  } catch {
    return undefined;
  }
}
