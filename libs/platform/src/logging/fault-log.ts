import { isNativeError } from 'node:util/types';

/** A fault that repeats is logged this often. */
const EVERY_MS = 10_000;

/** A fault that is being reported: when its last line was written, and the reports since then. */
type Reported = { at: number; more: number };

/** A line when a fault begins, one for each interval with the number of the others, and one at its end. */
export class FaultLog {
  private readonly reported = new Map<string, Reported>();

  constructor(
    private readonly log: { warn(fields: object, text: string): void; info(fields: object, text: string): void },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The reason of the error is enough: its stack says where the fault was met, not where it is. */
  report(text: string, error: unknown, fields: object = {}): void {
    const before = this.reported.get(text);
    if (before && this.now() - before.at < EVERY_MS) {
      before.more += 1;
      return;
    }
    const reason = isNativeError(error) ? error.message : String(error);
    this.log.warn({ ...fields, reason, ...(before && { more: before.more }) }, text);
    this.reported.set(text, { at: this.now(), more: 0 });
  }

  /** What was reported under the first text works again. */
  over(text: string, isOver: string): void {
    const before = this.reported.get(text);
    if (!before) return;
    this.reported.delete(text);
    this.log.info({ more: before.more }, isOver);
  }
}
