type Closer = () => Promise<unknown> | void;

/** Closes what was opened, in reverse order: later parts may depend on earlier ones. */
export class Closers {
  private closers: Closer[] = [];

  add(closer: Closer): void {
    this.closers.push(closer);
  }

  readonly close = async (): Promise<void> => {
    for (const closer of this.closers.splice(0).reverse()) await closer();
  };
}
