import { jsonBytes, LIMITS } from '@clarion/contracts';

/** What many rows of a page repeat. When the page is full, rows have a short form that says what it leaves out. */
export class Repeated<T extends object> {
  private left: number = LIMITS.pageBytes;
  private readonly known = new Map<T, { bytes: number; short: T }>();

  constructor(
    private readonly largeFieldsOf: (whole: T) => unknown,
    private readonly shorten: (whole: T) => T,
  ) {}

  show(whole: T): T {
    const known = this.known.get(whole) ?? { bytes: jsonBytes(this.largeFieldsOf(whole)), short: this.shorten(whole) };
    this.known.set(whole, known);
    if (known.bytes > this.left) return known.short;
    this.left -= known.bytes;
    return whole;
  }
}
