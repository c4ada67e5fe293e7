import { Inject, Injectable } from '@nestjs/common';
import { type AttachmentReference, type EnvironmentId, LIMITS, type TriggerId } from '@clarion/contracts/core';
import { type Attachment, AttachmentRepository, type ClaimedStep, untilAvailable } from '@clarion/persistence';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes of files that are in memory at a time, of all environments and of one. A call takes a few times of it. */
const MOST_BYTES = 3 * LIMITS.attachmentBytes;
const OWN_BYTES = LIMITS.attachmentBytes;

type Waiting = { environmentId: EnvironmentId; bytes: number; start: () => void };

/**
 * The files of events. They are read when their message is sent and forgotten afterwards, because the files of all
 * steps that a worker holds do not fit into its memory. No environment keeps the others waiting: each has its share.
 */
@Injectable()
export class AttachedFiles {
  private readonly bytesOf = new Map<EnvironmentId, number>();
  private bytes = 0;
  private waiting: Waiting[] = [];

  constructor(@Inject(AttachmentRepository) private readonly store: Pick<AttachmentRepository, 'findByTrigger'>) {}

  /** Runs the work with the files of the event of a step, when they may be in memory. */
  async with<T>(step: FileOwner, work: (files: Attachment[]) => Promise<T>): Promise<T> {
    const bytes = sizeOf(step);
    if (bytes === undefined) return work([]);
    const { environmentId, notification } = step;
    await this.enter(environmentId, bytes);
    try {
      const files = await untilAvailable(() => this.store.findByTrigger(environmentId, [notification.triggerId]), {
        pause,
      });
      return await work(files);
    } finally {
      this.leave(environmentId, bytes);
    }
  }

  private async enter(environmentId: EnvironmentId, bytes: number): Promise<void> {
    if (!this.fits({ environmentId, bytes })) {
      await new Promise<void>((start) => this.waiting.push({ environmentId, bytes, start }));
      return;
    }
    this.count(environmentId, bytes);
  }

  private leave(environmentId: EnvironmentId, bytes: number): void {
    this.count(environmentId, -bytes);
    const left: Waiting[] = [];
    for (const next of this.waiting) {
      if (!this.fits(next)) {
        left.push(next);
        continue;
      }
      this.count(next.environmentId, next.bytes);
      next.start();
    }
    this.waiting = left;
  }

  private fits({ environmentId, bytes }: Pick<Waiting, 'environmentId' | 'bytes'>): boolean {
    const own = this.bytesOf.get(environmentId) ?? 0;
    return (own === 0 || own + bytes <= OWN_BYTES) && (this.bytes === 0 || this.bytes + bytes <= MOST_BYTES);
  }

  private count(environmentId: EnvironmentId, bytes: number): void {
    const own = (this.bytesOf.get(environmentId) ?? 0) + bytes;
    this.bytes += bytes;
    if (own === 0) this.bytesOf.delete(environmentId);
    else this.bytesOf.set(environmentId, own);
  }
}

type FileOwner = Pick<ClaimedStep, 'environmentId'> & {
  notification: { triggerId: TriggerId; payload: ClaimedStep['notification']['payload'] };
};

/** Undefined if the payload shows no files. A list that is none of files is counted as the largest event. */
function sizeOf({ notification: { payload } }: FileOwner): number | undefined {
  const references = payload['attachments'];
  if (!Array.isArray(references)) return undefined;
  const bytes = (references as Partial<AttachmentReference>[]).reduce((sum, file) => sum + Number(file?.size), 1);
  return bytes >= 1 && bytes <= LIMITS.attachmentBytes ? bytes : LIMITS.attachmentBytes;
}
