import { FairTurns } from '@clarion/claims';
import { isPathSegment, LIMITS, type MirrorFigure, REDACTED } from '@clarion/contracts/core';
import { waitAfter } from '@clarion/delivery';
import type { CopyResult, DueCopy, LeasedMirror, MirrorSendingRepository, NewDifference } from '@clarion/persistence';
import { type Egress, openMirrorCopy, openMirrorKey, type SecretBox } from '@clarion/platform';
import type { ReceiverCall } from '../receivers/receiver-calls';
import { compareSteps } from './compare';
import { type CopyAnswer, type OtherSystem, postCancellation, postCopies, postCopy, readSteps } from './other-system';

/** Comparisons of one trigger: each wait is twice the one before it. */
const COMPARISONS = 7;

/** Attempts to cancel what does not wait at the other system, each after twice the wait before it. */
const CANCELLATIONS = 4;
const CANCEL_AGAIN_MS = 1_000;

const PATHS = { trigger: '/v1/events/trigger', broadcast: '/v1/events/trigger/broadcast' } as const;

export type MirrorCallParts = {
  egress: Pick<Egress, 'request'>;
  secrets: SecretBox;
  steps: Pick<MirrorSendingRepository, 'stepsOf'>;
  random(): number;
  now(): Date;
};

/** What a call did: the next states of its copies, and what it adds to the figures and the differences. */
export type MirrorCall = ReceiverCall & {
  results: CopyResult[];
  figures: Partial<Record<MirrorFigure, number>>;
  differences: NewDifference[];
};

type Failure = Extract<CopyAnswer, { kind: 'failed' }>;
type Refusal = Extract<CopyAnswer, { kind: 'refused' }>;

/** Characters of the events in one call: a body may have a megabyte here, and the other system may allow less. */
const TOGETHER_CHARACTERS = 256 * 1024;

/** Which copies are sent in one call. Copies that failed before are sent alone: one of them may be the reason. */
export function groupsOf(copies: DueCopy[]): DueCopy[][] {
  const groups: DueCopy[][] = [];
  let open: { copies: DueCopy[]; characters: number } | undefined;
  for (const copy of copies) {
    const { state, kind, attempt } = copy;
    const characters = copy.body?.length ?? 0;
    if (state !== 'waiting' || kind !== 'trigger' || attempt > 0 || characters > TOGETHER_CHARACTERS) {
      groups.push([copy]);
    } else if (open && open.copies.length < LIMITS.bulkEvents && open.characters + characters <= TOGETHER_CHARACTERS) {
      open.copies.push(copy);
      open.characters += characters;
    } else {
      open = { copies: [copy], characters };
      groups.push(open.copies);
    }
  }
  return groups;
}

/** Whose large page is read, by the object that one round of calls has. */
const turns = new WeakMap<LeasedMirror, FairTurns>();

function largeOf(mirror: LeasedMirror): FairTurns {
  let large = turns.get(mirror);
  if (!large) turns.set(mirror, (large = new FairTurns(1)));
  return large;
}

/** Sends copies, or compares the results of one in both systems. */
export async function callMirror(parts: MirrorCallParts, mirror: LeasedMirror, copies: DueCopy[]): Promise<MirrorCall> {
  const { egress, secrets, now } = parts;
  const [copy] = copies as [DueCopy, ...DueCopy[]];
  let system: OtherSystem;
  let bodies: string[];
  try {
    const key = openMirrorKey(secrets, mirror.environmentId, mirror.key);
    system = { egress, now, url: mirror.url, key, large: largeOf(mirror) };
    bodies = copies.map(({ id, body }) =>
      body === null ? '' : openMirrorCopy(secrets, mirror.environmentId, id, body),
    );
  } catch {
    return failedSend(parts, copies, { kind: 'failed', error: 'CLARION_ENCRYPTION_KEY does not open what is stored' });
  }
  if (copies.length > 1) return sendTogether(parts, mirror, copies, system, bodies);
  return copy.state === 'waiting'
    ? sendCopy(parts, mirror, copy, system, bodies[0]!)
    : compareCopy(parts, mirror, copy, system);
}

async function sendTogether(
  parts: MirrorCallParts,
  mirror: LeasedMirror,
  copies: DueCopy[],
  system: OtherSystem,
  bodies: string[],
): Promise<MirrorCall> {
  const answer = await postCopies(system, bodies);
  if (answer.kind === 'failed') return failedSend(parts, copies, answer);
  if (answer.kind === 'refused') {
    // The other system does not say which event it does not accept: each is sent alone.
    const results = copies.map(({ id, attempt }) => ({
      ...{ id, state: 'waiting' as const, attempt: attempt + 1, dueInMs: 0 },
    }));
    return { hasSucceeded: true, results, figures: {}, differences: [] };
  }
  return together(copies.map((copy, index) => taken(mirror, copy, answer.refusals[index])));
}

async function sendCopy(
  parts: MirrorCallParts,
  mirror: LeasedMirror,
  copy: DueCopy,
  system: OtherSystem,
  body: string,
): Promise<MirrorCall> {
  const { id, kind, transactionId, attempt, isCompared } = copy;
  if (kind === 'cancel' && !isPathSegment(transactionId)) {
    const reason = 'The cancellation cannot be sent: the transactionId cannot be part of a URL';
    return { ...ended(id, { failed: 1 }), isSkipped: true, differences: [{ kind: 'failed', transactionId, reason }] };
  }
  const answer =
    kind === 'cancel' ? await postCancellation(system, transactionId) : await postCopy(system, PATHS[kind], body);
  if (answer.kind === 'failed') return failedSend(parts, [copy], answer);
  if (answer.kind === 'nothing waits' && isCompared && attempt + 1 < CANCELLATIONS) {
    // The other system accepts a trigger before it has steps that can be canceled. Without `isCompared` nothing was
    // canceled here either: then a repeated call could only cancel what is sent here.
    const again = { id, state: 'waiting' as const, attempt: attempt + 1, dueInMs: CANCEL_AGAIN_MS * 2 ** attempt };
    return { hasSucceeded: true, results: [again], figures: {}, differences: [] };
  }
  return taken(mirror, copy, answer.kind === 'refused' ? answer : undefined);
}

/** The other system has answered. */
function taken({ settleSeconds }: LeasedMirror, copy: DueCopy, refusal: Refusal | undefined): MirrorCall {
  const { id, kind, transactionId, isCompared, isSensitive } = copy;
  if (refusal) {
    const reason = `${refusal.answer}: ${isSensitive ? REDACTED : refusal.words}`;
    const difference = { kind: 'refused' as const, transactionId, reason };
    return { ...ended(id, { refused: 1 }), differences: [difference] };
  }
  if (kind === 'cancel') return ended(id, { sent: 1 });
  if (!isCompared) return ended(id, { sent: 1, notCompared: 1 });
  const result = { id, state: 'settling' as const, attempt: 0, dueInMs: settleSeconds * 1_000 };
  return { hasSucceeded: true, results: [result], figures: { sent: 1 }, differences: [] };
}

/** The same plan as for messages and webhooks. */
function failedSend({ random }: MirrorCallParts, copies: DueCopy[], { error, pauseMs }: Failure): MirrorCall {
  const calls = copies.map(({ id, state, transactionId, attempt: before }): MirrorCall => {
    const attempt = before + 1;
    const wait = waitAfter(attempt, random);
    const call = { hasSucceeded: false };
    if (wait === undefined) {
      const difference = { kind: 'failed' as const, transactionId, reason: error };
      return { ...call, results: [{ id, state: 'ended' }], figures: { failed: 1 }, differences: [difference] };
    }
    const result = { id, state, attempt, dueInMs: Math.max(wait, pauseMs ?? 0) };
    return { ...call, results: [result], figures: {}, differences: [] };
  });
  return { ...together(calls), hasSucceeded: false, error, ...(pauseMs && { pauseMs }) };
}

/** One call with what these add up to. */
function together(calls: MirrorCall[]): MirrorCall {
  const figures: MirrorCall['figures'] = {};
  for (const call of calls) {
    for (const [name, count] of Object.entries(call.figures) as [MirrorFigure, number][]) {
      figures[name] = (figures[name] ?? 0) + count;
    }
  }
  return {
    hasSucceeded: true,
    results: calls.flatMap((call) => call.results),
    figures,
    differences: calls.flatMap((call) => call.differences),
  };
}

async function compareCopy(
  { steps, random }: MirrorCallParts,
  { environmentId, settleSeconds }: LeasedMirror,
  { id, transactionId, attempt, isSensitive }: DueCopy,
  system: OtherSystem,
): Promise<MirrorCall> {
  const isLast = attempt + 1 >= COMPARISONS;
  const again = { id, state: 'settling' as const, attempt: attempt + 1, dueInMs: settleSeconds * 1_000 * 2 ** attempt };
  // One more than may be compared shows that there are too many.
  const own = await steps.stepsOf(environmentId, id, LIMITS.mirrorRecipients + 1);
  const skipped = { hasSucceeded: true, isSkipped: true };
  if (own.isExpanding && !isLast) return { ...skipped, results: [again], figures: {}, differences: [] };
  if (new Set(own.steps.map((step) => step.notificationId)).size > LIMITS.mirrorRecipients) {
    return { ...ended(id, { notCompared: 1 }), ...skipped };
  }
  const read = await readSteps(system, transactionId, LIMITS.mirrorRecipients + 1);
  if (read.kind === 'unreadable') return ended(id, { notCompared: 1 });
  if (read.kind === 'failed') {
    const { error, pauseMs } = read;
    const call = { hasSucceeded: false, error, ...(pauseMs && { pauseMs }), differences: [] };
    if (isLast) return { ...call, results: [{ id, state: 'ended' }], figures: { notCompared: 1 } };
    const dueInMs = Math.max(waitAfter(attempt + 1, random) ?? 0, pauseMs ?? 0);
    return { ...call, results: [{ ...again, dueInMs }], figures: {} };
  }
  const shown = isSensitive ? read.steps.map((step) => ({ ...step, detail: step.detail && REDACTED })) : read.steps;
  const { same, differences, isEarly } = compareSteps(own.steps, shown);
  if (differences.length > 0 && isEarly && !isLast) {
    return { hasSucceeded: true, results: [again], figures: {}, differences: [] };
  }
  const count = (kind: string): number => differences.filter((difference) => difference.kind === kind).length;
  return {
    ...ended(id, {
      [differences.length > 0 ? 'different' : 'same']: 1,
      outcomesSame: same,
      outcomesDifferent: count('outcome'),
      outcomesMissing: count('missing'),
      outcomesExtra: count('extra'),
    }),
    differences: differences
      .slice(0, LIMITS.mirrorDifferencesOfOne)
      .map((difference) => ({ ...difference, transactionId })),
  };
}

const ended = (id: string, figures: MirrorCall['figures']): MirrorCall => ({
  hasSucceeded: true,
  results: [{ id, state: 'ended' }],
  figures,
  differences: [],
});
