import { Inject, Injectable } from '@nestjs/common';
import {
  type AttachmentReference,
  type EnvironmentId,
  LIMITS,
  TENANT_LIMITS,
  TenantCounts,
  type TriggerId,
} from '@clarion/contracts/core';
import {
  type Attachment,
  AttachmentRepository,
  type ClaimedStep,
  Database,
  untilAvailable,
} from '@clarion/persistence';
import { setTimeout as pause } from 'node:timers/promises';

const { attachmentBytes: LARGEST } = LIMITS;
const SHARE = TENANT_LIMITS.attachedBytes(LARGEST);

type Waiting = { environmentId: EnvironmentId; bytes: number; start: (leave: () => void) => void };

/**
 * The files of events. They are read when their message is sent and forgotten afterwards, because the files of all
 * steps that a worker holds do not fit into its memory. No organization keeps the others waiting: each has its share.
 */
@Injectable()
export class AttachedFiles {
  private readonly used: TenantCounts;
  private waiting: Waiting[] = [];

  constructor(
    @Inject(AttachmentRepository) private readonly store: Pick<AttachmentRepository, 'findByTrigger'>,
    @Inject(Database) { organizations }: { organizations: Pick<Database['organizations'], 'of'> },
  ) {
    this.used = new TenantCounts(() => SHARE, organizations.of);
  }

  /** Runs the work with the files of the event of a step, when they may be in memory. */
  async with<T>(step: FileOwner, work: (files: Attachment[]) => Promise<T>): Promise<T> {
    const size = sizeOf(step);
    if (size === undefined) return work([]);
    const { environmentId, notification } = step;
    const leave = await this.enter(environmentId, size);
    try {
      const find = () => this.store.findByTrigger(environmentId, [notification.triggerId]);
      return await work(await untilAvailable(find, { pause }));
    } finally {
      leave();
      this.startWaiting();
    }
  }

  private enter(environmentId: EnvironmentId, size: number): Promise<() => void> {
    return new Promise((start) => {
      this.waiting.push({ environmentId, bytes: size, start });
      this.startWaiting();
    });
  }

  private startWaiting(): void {
    this.waiting = this.waiting.filter(({ environmentId, bytes: size, start }) => {
      if (this.used.fullLevel(environmentId, size)) return true;
      start(this.used.take(environmentId, size));
      return false;
    });
  }
}

type FileOwner = Pick<ClaimedStep, 'environmentId'> & {
  notification: { triggerId: TriggerId; payload: ClaimedStep['notification']['payload'] };
};

/** Undefined if the payload shows no files. A list that is none of files is counted as the largest event. */
function sizeOf({ notification: { payload } }: FileOwner): number | undefined {
  const references = payload['attachments'];
  if (!Array.isArray(references)) return undefined;
  const size = (references as Partial<AttachmentReference>[]).reduce((sum, file) => sum + Number(file?.size), 1);
  return size >= 1 && size <= LARGEST ? size : LARGEST;
}
