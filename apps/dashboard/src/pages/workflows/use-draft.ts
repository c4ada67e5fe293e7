import { useState } from 'react';
import { type Draft, draftOf, type Workflow } from './draft';

/** Changes of the same fields within this time are undone together. */
const TOGETHER_MS = 1_000;
const MOST_UNDONE = 100;

type History = { draft: Draft; past: Draft[]; changed: string; at: number };

/** The draft of a workflow with what it was before. `resets` counts the drafts that came from elsewhere than typing. */
export function useDraft(loaded: Workflow) {
  const [{ draft, past }, setHistory] = useState<History>(() => ({
    draft: draftOf(loaded),
    past: [],
    changed: '',
    at: 0,
  }));
  const [resets, setResets] = useState(0);
  return {
    draft,
    resets,
    change(changes: Partial<Draft>): void {
      const changed = changedIn(changes);
      setHistory((before) => {
        const isTogether = before.changed === changed && Date.now() - before.at < TOGETHER_MS;
        return {
          draft: { ...before.draft, ...changes },
          past: isTogether ? before.past : [...before.past, before.draft].slice(-MOST_UNDONE),
          changed,
          at: Date.now(),
        };
      });
    },
    undo:
      past.length === 0
        ? undefined
        : (): void => {
            setHistory(({ past: drafts }) => ({
              draft: drafts.at(-1)!,
              past: drafts.slice(0, -1),
              changed: '',
              at: 0,
            }));
            setResets((count) => count + 1);
          },
    /** Takes over what the gateway has. What was typed since `sent` stays, and its new steps get their ids. */
    accept(workflow: Workflow, sent?: Draft): void {
      const saved = draftOf(workflow);
      setHistory(({ draft: now }) => ({
        draft: sent === undefined || now === sent ? saved : withIds(now, sent, saved),
        past: [],
        changed: '',
        at: 0,
      }));
      if (sent === undefined) setResets((count) => count + 1);
    },
  };
}

/** The names of the changed fields; of steps, the number of them too, so that a new step is undone alone. */
const changedIn = (changes: Partial<Draft>): string =>
  [...Object.keys(changes), changes.steps?.map(({ key }) => key).join(' ')].join(',');

const withIds = (now: Draft, sent: Draft, saved: Draft): Draft => ({
  ...now,
  steps: now.steps.map((step) => {
    const place = sent.steps.findIndex(({ key }) => key === step.key);
    return step._id === undefined && place >= 0 ? { ...step, _id: saved.steps[place]?._id } : step;
  }),
});
