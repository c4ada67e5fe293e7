import type { MirrorDifferenceDto } from '@clarion/contracts';
import { type EnvironmentId, type StepStatus, timeOfId } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import type { Mirror, MirrorCopy } from '../../entities';
import { smallestIdSince } from '../../sql/pages';
import { CLAIM, DISABLE, DUE, END_FULL, IS_EXPANDING, LOOK, RECORD, RELEASE, RENEW, STEPS } from './mirror.sql';

/** A mirror that this process serves until its lease ends. Its id is that of the environment. */
export type LeasedMirror = Pick<
  Mirror,
  'environmentId' | 'url' | 'key' | 'failures' | 'figures' | 'differences' | 'settleSeconds'
> & { id: string; leaseId: string };

/** `isSensitive`: payload fields of the trigger are marked, so words of the other system about it are not stored. */
export type DueCopy = Pick<
  MirrorCopy,
  'id' | 'kind' | 'state' | 'attempt' | 'transactionId' | 'body' | 'isCompared'
> & { isSensitive: boolean };

/** What is next for a copy: another attempt, a comparison, or nothing. */
export type CopyResult = { id: string } & (NextTurn | { state: 'ended' });
type NextTurn = { state: 'waiting' | 'settling'; attempt: number; dueInMs: number };

export type NewDifference = Omit<MirrorDifferenceDto, '_id' | 'createdAt' | 'channel'> & { channel?: string };

export type MirrorProgress = {
  hasSucceeded: boolean;
  failures: number;
  pauseMs?: number;
  lastError?: string;
  figures: Mirror['figures'];
  /** The number of stored differences, with the new ones. */
  differences: number;
};

/** A channel step of a transaction, as either system shows it. */
export type StepShown = {
  notificationId: string;
  subscriberId: string;
  channel: string;
  status: StepStatus | string;
  /** Why it was not sent. */
  detail: string | null;
};

/** The part of the workers that sends copies of triggers to other systems and reads their results here. */
export class MirrorSendingRepository extends Repository {
  /** Whether a mirror has something to send or to compare. */
  async look(): Promise<boolean> {
    const [row] = await this.database.prepared<{ hasDue: boolean }>('mirrors-look', LOOK, []);
    return row!.hasDue;
  }

  /** Leases mirrors that have something to do, those first that were served longest ago. */
  claim(leaseId: string, leaseMs: number, limit: number): Promise<LeasedMirror[]> {
    return this.database.prepared('mirrors-claim', CLAIM, [leaseId, leaseMs, limit]);
  }

  /** Renews the lease; undefined when another process has it. */
  async renew({ id, leaseId }: LeasedMirror, leaseMs: number): Promise<LeasedMirror | undefined> {
    const [row] = await this.database.prepared<LeasedMirror>('mirrors-renew', RENEW, [id, leaseId, leaseMs]);
    return row;
  }

  /** Copies to be sent, then copies to be compared, at most so many of each. */
  due({ id }: LeasedMirror, waiting: number, settling: number): Promise<DueCopy[]> {
    return this.database.prepared('mirrors-due', DUE, [id, waiting, settling]);
  }

  /** Whether the other system has failed for so many days; undefined when another process has the lease. */
  async record(
    { id, leaseId }: LeasedMirror,
    results: CopyResult[],
    differences: NewDifference[],
    progress: MirrorProgress,
    failingDays: number,
  ): Promise<boolean | undefined> {
    const [row] = await this.database.prepared<{ isFailing: boolean }>('mirrors-record', RECORD, [
      id,
      leaseId,
      JSON.stringify(results),
      progress.hasSucceeded,
      progress.failures,
      progress.pauseMs ?? null,
      failingDays,
      JSON.stringify(differences),
      progress.figures,
      progress.differences,
      progress.lastError ?? null,
    ]);
    return row?.isFailing;
  }

  /** The mirror takes no more copies; the audit log has the reason. */
  async disable({ id, leaseId }: LeasedMirror, reason: string): Promise<void> {
    await this.database.prepared('mirrors-disable', DISABLE, [id, leaseId, reason]);
  }

  /** Ends mirrors with as many waiting copies as there may be. */
  endFull(): Promise<{ environmentId: EnvironmentId; reason: string }[]> {
    return this.database.prepared('mirrors-end-full', END_FULL, []);
  }

  async release({ id, leaseId }: LeasedMirror): Promise<void> {
    await this.database.prepared('mirrors-release', RELEASE, [id, leaseId]);
  }

  /** The steps of a trigger here; `isExpanding` while more notifications may follow. */
  async stepsOf(
    environmentId: EnvironmentId,
    triggerId: string,
    notifications: number,
  ): Promise<{ isExpanding: boolean; steps: StepShown[] }> {
    // First the trigger: notifications that it makes in between belong to the next comparison.
    const [trigger] = await this.database.prepared<{ isExpanding: boolean }>('mirror-trigger', IS_EXPANDING, [
      environmentId,
      triggerId,
    ]);
    const since = smallestIdSince(timeOfId(triggerId));
    const values = [environmentId, triggerId, notifications, since];
    return { ...trigger!, steps: await this.database.prepared<StepShown>('mirror-steps', STEPS, values) };
  }
}
