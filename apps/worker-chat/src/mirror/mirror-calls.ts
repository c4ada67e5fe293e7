import { Inject, Injectable } from '@nestjs/common';
import { LIMITS, MIRROR_FIGURES } from '@clarion/contracts/core';
import { type DueCopy, type LeasedMirror, MirrorSendingRepository } from '@clarion/persistence';
import { Egress, type Logger, Metrics, SecretBox } from '@clarion/platform';
import { LOGGER } from '@clarion/runtime';
import { ReceiverCalls } from '../receivers/receiver-calls';
import { callMirror, groupsOf, type MirrorCall } from './mirror-call';

/** Copies that one round sends, in calls of many. */
const COPIES_AT_ONCE = 500;
const CALLS_IN_ROUND = 20;
const LOOK_FOR_FULL_MS = 10_000;
const ENDED = 'A mirror has ended. Triggers of its environment are no longer copied.';

/** Sends copies of triggers to other systems and compares the results. */
@Injectable()
export class MirrorCalls extends ReceiverCalls<LeasedMirror, DueCopy[], MirrorCall> {
  constructor(
    rows: MirrorSendingRepository,
    egress: Egress,
    secrets: SecretBox,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const parts = { egress, secrets, steps: rows, random: Math.random, now: () => new Date() };
    let lookedForFullAt = -Infinity;
    const endFull = async (): Promise<void> => {
      if (performance.now() - lookedForFullAt < LOOK_FOR_FULL_MS) return;
      lookedForFullAt = performance.now();
      for (const ended of await rows.endFull()) logger.warn(ended, ENDED);
    };
    super(
      {
        async look() {
          await endFull();
          return rows.look();
        },
        claim: (leaseId, leaseMs, limit) => rows.claim(leaseId, leaseMs, limit),
        async fill(leased, leaseMs) {
          const receiver = await rows.renew(leased, leaseMs);
          return receiver && { receiver, hasMore: false };
        },
        roundSize: CALLS_IN_ROUND,
        async due(mirror, limit) {
          // A single call tests a system that failed.
          const copies = await rows.due(mirror, limit === 1 ? 1 : COPIES_AT_ONCE, limit);
          return groupsOf(copies).slice(0, limit);
        },
        call: (mirror, copies) => callMirror(parts, mirror, copies),
        record(mirror, calls, health, failingDays) {
          countCopies(metrics, calls);
          const found = calls.flatMap((call) => call.differences);
          const differences = found.slice(0, Math.max(LIMITS.mirrorDifferences - mirror.differences, 0));
          const lastError = health.hasSucceeded ? undefined : calls.findLast(({ error }) => error)?.error;
          const progress = {
            ...health,
            ...(lastError !== undefined && { lastError }),
            figures: addUp(mirror, calls),
            differences: mirror.differences + differences.length,
          };
          const results = calls.flatMap((call) => call.results);
          return rows.record(mirror, results, differences, progress, failingDays);
        },
        disable: (mirror, reason) => rows.disable(mirror, reason),
        release: (mirror) => rows.release(mirror),
      },
      {
        failed: 'Copies of triggers cannot be sent to other systems.',
        works: 'Copies of triggers are sent again.',
        disabled: ENDED,
      },
      logger,
      Math.random,
    );
  }
}

const COUNTED = ['sent', 'refused', 'failed', 'same', 'different', 'notCompared'] as const;

function countCopies({ mirrors }: Metrics, calls: MirrorCall[]): void {
  for (const { figures, hasSucceeded, results } of calls) {
    const retried = hasSucceeded ? 0 : results.filter(({ state }) => state === 'waiting').length;
    if (retried > 0) mirrors.count('retried', retried);
    for (const outcome of COUNTED) if (figures[outcome]) mirrors.count(outcome, figures[outcome]);
  }
}

/** The figures of the mirror with those of the calls. Only the holder of its lease writes them. */
function addUp({ figures }: LeasedMirror, calls: MirrorCall[]): LeasedMirror['figures'] {
  const sums = { ...figures };
  for (const name of MIRROR_FIGURES) {
    for (const call of calls) sums[name] = (sums[name] ?? 0) + (call.figures[name] ?? 0);
  }
  return sums;
}
