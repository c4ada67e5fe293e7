import { useState } from 'react';
import { type Draft, draftOf, type Workflow } from './draft';

/** Changes of the same fields within this time are undone together. */
const TOGETHER_MS = 1_000;
const MOST_UNDONE = 100;

type History = { draft: Draft; past: Draft[]; future: Draft[]; changed: string; at: number };

const first = (draft: Draft): History => ({ draft, past: [], future: [], changed: '', at: 0 });

/** The draft of a workflow with what it was before. `resets` counts the drafts that came from elsewhere than typing. */
export function useDraft(loaded: Workflow) {
  const [{ draft, past, future }, setHistory] = useState(() => first(draftOf(loaded)));
  const [resets, setResets] = useState(0);
  const go = (move: (history: History) => History): void => {
    setHistory(move);
    setResets((count) => count + 1);
  };
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
          future: [],
          changed,
          at: Date.now(),
        };
      });
    },
    undo: past.length === 0 ? undefined : () => go(stepBack),
    redo: future.length === 0 ? undefined : () => go(stepForward),
    /** Takes over what the gateway has. What was typed since `sent` stays, and its new steps get their ids. */
    accept(workflow: Workflow, sent?: Draft): void {
      const saved = draftOf(workflow);
      setHistory(({ draft: now }) => first(sent === undefined || now === sent ? saved : withIds(now, sent, saved)));
      if (sent === undefined) setResets((count) => count + 1);
    },
  };
}

const stepBack = ({ draft, past, future }: History): History => ({
  ...first(past.at(-1)!),
  past: past.slice(0, -1),
  future: [draft, ...future],
});

const stepForward = ({ draft, past, future: [next, ...future] }: History): History => ({
  ...first(next!),
  past: [...past, draft],
  future,
});

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
