type Closer = () => Promise<unknown> | void;

/** What was opened, to be closed in the opposite order: what comes later may depend on what came before. */
export class Closers {
  private closers: Closer[] = [];

  add(closer: Closer): void {
    this.closers.push(closer);
  }

  readonly close = async (): Promise<void> => {
    for (const closer of this.closers.splice(0).reverse()) await closer();
  };
}
