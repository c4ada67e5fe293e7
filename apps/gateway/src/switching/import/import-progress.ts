import type { Json } from '@clarion/contracts';

/** What is imported, in this order: a kind comes after those that it refers to. */
export const IMPORT_KINDS = [
  'integrations',
  'layouts',
  'workflows',
  'translations',
  'subscribers',
  'topics',
  'subscriptions',
  'preferences',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** An item of the source that was not imported, or not in full. */
export type Problem = { kind: ImportKind; id: string; reason: string };

/** An integration that cannot send before a person has filled in these credentials. */
export type MissingCredentials = { integration: string; providerId: string; fields: string[] };

export type BatchResult = {
  created: number;
  updated: number;
  unchanged: number;
  /** Items that were not imported; each has a problem. */
  skipped: number;
  /** Also of items of which a part was left out. */
  problems: Problem[];
  /** The items, where those of the batch only contain them. */
  read?: number;
  credentials?: MissingCredentials[];
};

export type KindProgress = Omit<BatchResult, 'problems' | 'credentials'> & {
  isDone: boolean;
  cursor: Json;
  read: number;
  /** Rows of the list that were read, and how many the source says that it has; null when it does not say. */
  walked: number;
  total: number | null;
  /** Why the source cannot be read; the kind is not imported. */
  unavailable?: string;
};

export type Progress = {
  kinds: Partial<Record<ImportKind, KindProgress>>;
  problems: Problem[];
  /** Problems that were left out of the list. */
  moreProblems: number;
  credentials: MissingCredentials[];
};

/** A batch of the source. `next` is the cursor of the next batch, null after the last one. */
export type Batch<T> = { items: T[]; next: Json; total?: number | null };

const LISTED_PROBLEMS = 200;

export const NO_PROGRESS: Progress = { kinds: {}, problems: [], moreProblems: 0, credentials: [] };

export const newKind = (): KindProgress => ({
  isDone: false,
  cursor: null,
  read: 0,
  walked: 0,
  total: null,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
});

/** The progress after one more batch of a kind. */
export function advanced(
  progress: Progress,
  kind: ImportKind,
  { items, next, total }: Batch<unknown>,
  outcome: BatchResult,
): Progress {
  const before = progress.kinds[kind] ?? newKind();
  return {
    ...withProblems(progress, outcome.problems),
    kinds: {
      ...progress.kinds,
      [kind]: {
        isDone: next === null,
        cursor: next,
        read: before.read + (outcome.read ?? items.length),
        walked: before.walked + items.length,
        total: total === undefined ? before.total : total,
        created: before.created + outcome.created,
        updated: before.updated + outcome.updated,
        unchanged: before.unchanged + outcome.unchanged,
        skipped: before.skipped + outcome.skipped,
      },
    },
    credentials: [...progress.credentials, ...(outcome.credentials ?? [])],
  };
}

/** The progress after a kind turned out not to be readable. The cursor stays, so that the next run tries again. */
export const halted = (progress: Progress, kind: ImportKind, reason: string): Progress => ({
  ...progress,
  kinds: { ...progress.kinds, [kind]: { ...(progress.kinds[kind] ?? newKind()), unavailable: reason } },
});

function withProblems(progress: Progress, problems: readonly Problem[]): Progress {
  const listed = [...progress.problems, ...problems].slice(0, LISTED_PROBLEMS);
  const more = progress.problems.length + problems.length - listed.length;
  return { ...progress, problems: listed, moreProblems: progress.moreProblems + more };
}
