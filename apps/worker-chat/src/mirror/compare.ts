import { type MirrorDifferenceKind, readJson } from '@clarion/contracts/core';
import type { OtherStep } from './other-system';

/** The result of a channel step, as far as a person who switches between systems cares. */
type ComparedOutcome = 'sent' | 'skipped' | 'failed' | 'open';

/** No object, because the other system may send any status, such as `constructor`. */
const OUTCOMES = new Map<string, ComparedOutcome>([
  ['completed', 'sent'],
  ['failed', 'failed'],
  ['canceled', 'skipped'],
  ['skipped', 'skipped'],
  ['merged', 'skipped'],
]);

/** Of a stored difference: the other system decides how many steps it shows. */
const TEXT_CHARACTERS = 1_000;

export type FoundDifference = {
  kind: Extract<MirrorDifferenceKind, 'outcome' | 'missing' | 'extra'>;
  subscriberId: string;
  channel: string;
  here?: string;
  other?: string;
  reason?: string;
};

export type Comparison = {
  same: number;
  differences: FoundDifference[];
  /** A later comparison may have another result: steps are open, or the other system has not shown all of them. */
  isEarly: boolean;
};

type Side = { outcomes: string[]; details: Set<string>; isCanceled: boolean };

function bySubscriberAndChannel(steps: OtherStep[]): Map<string, Side> {
  const sides = new Map<string, Side>();
  for (const { subscriberId, channel, status, detail } of steps) {
    const key = JSON.stringify([subscriberId, channel]);
    const side = sides.get(key) ?? { outcomes: [], details: new Set(), isCanceled: true };
    side.outcomes.push(OUTCOMES.get(status) ?? 'open');
    side.isCanceled &&= status === 'canceled';
    if (detail) side.details.add(detail);
    sides.set(key, side);
  }
  return sides;
}

const outcomesOf = (side: Side | undefined): string | undefined => side?.outcomes.toSorted().join(', ');

const detailsOf = (who: string, side: Side | undefined): string[] =>
  side && side.details.size > 0 ? [`${who}: ${[...side.details].join('; ')}`] : [];

/** Compares how many steps were sent, skipped and failed. Texts, providers and times differ between any two systems. */
export function compareSteps(here: OtherStep[], other: OtherStep[]): Comparison {
  const own = bySubscriberAndChannel(here);
  const others = bySubscriberAndChannel(other);
  const comparison: Comparison = { same: 0, differences: [], isEarly: false };
  for (const key of new Set([...own.keys(), ...others.keys()])) {
    const [first, second] = [own.get(key), others.get(key)];
    const [ours, theirs] = [outcomesOf(first), outcomesOf(second)];
    // A transaction that is canceled before it has steps shows none.
    if (ours === theirs || (!first && second?.isCanceled) || (!second && first?.isCanceled)) {
      comparison.same += 1;
      continue;
    }
    const [subscriberId, channel] = readJson(key) as [string, string];
    const reason = [...detailsOf('Clarion', first), ...detailsOf('the other system', second)].join(' | ');
    comparison.differences.push({
      kind: theirs === undefined ? 'missing' : ours === undefined ? 'extra' : 'outcome',
      subscriberId,
      channel,
      ...(ours !== undefined && { here: ours }),
      ...(theirs !== undefined && { other: theirs.slice(0, TEXT_CHARACTERS) }),
      ...(reason !== '' && { reason: reason.slice(0, TEXT_CHARACTERS).toWellFormed() }),
    });
    const isOpen = [first, second].some((side) => side?.outcomes.includes('open'));
    comparison.isEarly ||= isOpen || ours === undefined || theirs === undefined;
  }
  return comparison;
}
