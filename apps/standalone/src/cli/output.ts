type Cell = string | number | boolean | readonly string[] | null | undefined;
export type Row = Readonly<Record<string, Cell>>;

/** A bar, or lines when stderr is no terminal. */
export type Progress = { update(done: number, total?: number): void; end(): void };

type Stream = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

const LINE_INTERVAL_MS = 2_000;
const BAR_WIDTH = 30;

/** Writes the results of a command to stdout: tables for people, or JSON with `--json`. */
export class Output {
  private frame: string[] | undefined;

  constructor(
    private readonly isJson: boolean,
    private readonly stdout: Stream = process.stdout,
    private readonly stderr: Stream = process.stderr,
  ) {}

  /** Prints a table, or its rows as JSON. */
  show(rows: readonly Row[], whenEmpty = 'None.'): void {
    if (this.isJson) return this.json(rows);
    this.table(rows, whenEmpty);
  }

  /** Prints a table, also with `--json`: for commands that print several tables and one JSON value. */
  table(rows: readonly Row[], whenEmpty = 'None.'): void {
    if (rows.length === 0) return this.line(whenEmpty);
    const names = Object.keys(rows[0]!);
    const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
    const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    for (const row of cells) {
      this.line(
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd(),
      );
    }
  }

  json(value: unknown): void {
    this.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** One line, cut at the width of a terminal. A file or a pipe gets the whole line. */
  line(text = ''): void {
    const { isTTY, columns } = this.stdout;
    const isCut = isTTY === true && columns !== undefined && columns > 1 && text.length > columns;
    this.write(`${isCut ? `${text.slice(0, columns - 1)}…` : text}\n`);
  }

  write(text: string): void {
    if (this.frame) this.frame.push(text);
    else this.stdout.write(text);
  }

  /** Collects what `draw` prints. A terminal then shows only that; a file or a pipe gets it as one piece. */
  async redraw<T>(draw: () => Promise<T>): Promise<T> {
    this.frame = [];
    try {
      return await draw();
    } finally {
      const text = this.frame.join('');
      this.frame = undefined;
      this.stdout.write(this.stdout.isTTY ? `\u001b[H\u001b[2J${text}` : text);
    }
  }

  /** A line for the person who waits; it is no part of the result. */
  note(text: string): void {
    this.stderr.write(`${text}\n`);
  }

  /** Shows on stderr how far the command is. Without a total there is only the count. */
  progress(label: string): Progress {
    const { stderr } = this;
    const isTerminal = stderr.isTTY === true;
    let shownAt = 0;
    let last = '';
    const figures = (done: number, total?: number): string => {
      if (total === undefined) return `${done}`;
      return `${done} of ${total} (${total === 0 ? 100 : Math.floor((100 * done) / total)} %)`;
    };
    return {
      update(done, total) {
        last = `${label}: ${figures(done, total)}`;
        if (isTerminal) {
          const filled = total ? Math.floor((BAR_WIDTH * Math.min(done, total)) / total) : 0;
          const bar = total === undefined ? '' : `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}] `;
          stderr.write(`\r\u001b[K${label}: ${bar}${figures(done, total)}`);
        } else if (performance.now() - shownAt >= LINE_INTERVAL_MS || shownAt === 0) {
          shownAt = performance.now();
          stderr.write(`${last}\n`);
          last = '';
        }
      },
      end() {
        if (isTerminal) stderr.write('\n');
        else if (last !== '') stderr.write(`${last}\n`);
      },
    };
  }
}
