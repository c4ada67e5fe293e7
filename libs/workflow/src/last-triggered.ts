import type { FanOutStore } from './ports';

/** `lastTriggeredAt` is exact to a minute, so that a busy workflow is not written with every batch. */
const MARK_INTERVAL_MS = 60_000;
const MAX_REMEMBERED = 10_000;

export class LastTriggered {
  /** By workflow id: when this process last wrote it. */
  private readonly written = new Map<string, number>();

  constructor(
    private readonly store: Pick<FanOutStore, 'markTriggered'>,
    private readonly now: () => Date,
  ) {}

  async mark(workflowIds: Iterable<string>): Promise<void> {
    const now = this.now().getTime();
    const due = [...new Set(workflowIds)].filter((id) => now - (this.written.get(id) ?? 0) >= MARK_INTERVAL_MS);
    if (due.length === 0) return;
    if (this.written.size > MAX_REMEMBERED) this.written.clear();
    for (const id of due) this.written.set(id, now);
    await this.store.markTriggered(due);
  }
}
