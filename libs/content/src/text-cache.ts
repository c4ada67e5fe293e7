export class TextCache<T> {
  private readonly entries = new Map<string, { value: T; bytes: number }>();
  private bytes = 0;

  constructor(
    private readonly limit: number,
    private readonly bytesOf: (text: string) => number,
  ) {}

  get(text: string, make: (text: string) => T): T {
    let entry = this.entries.get(text);
    if (entry) {
      this.entries.delete(text);
    } else {
      entry = { value: make(text), bytes: this.bytesOf(text) };
      this.bytes += entry.bytes;
    }
    this.entries.set(text, entry);
    for (const [oldest, { bytes }] of this.entries) {
      if (this.bytes <= this.limit) break;
      this.entries.delete(oldest);
      this.bytes -= bytes;
    }
    return entry.value;
  }
}
