import { tableLines } from './table';

type Cell = string | number | boolean | readonly string[] | null | undefined;
export type Row = Readonly<Record<string, Cell>>;

/** A bar, or lines when stderr is no terminal. */
export type Progress = { update(done: number, total?: number): void; end(): void };

type Stream = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number; rows?: number };

/** C0 with line breaks, DEL and C1. */
const CONTROL = /\p{Cc}/gu;

/** Some terminals say that they have no rows and no columns. */
const UNKNOWN_SIZE = { columns: 80, rows: 24 };

const LINE_INTERVAL_MS = 2_000;
const BAR_WIDTH = 30;
const CLEARED_LINE = '\r\u001b[K';

/** Writes the results of a command to stdout: tables for people, or JSON with `--json`. */
export class Output {
  private frame: string[] | undefined;
  /** What the last line of the terminal shows while a bar is there. */
  private bar = '';

  constructor(
    private readonly isJson: boolean,
    private readonly stdout: Stream = process.stdout,
    private readonly stderr: Stream = process.stderr,
  ) {}

  show(rows: readonly Row[], whenEmpty = 'None.'): void {
    if (this.isJson) return this.json(rows);
    this.table(rows, whenEmpty);
  }

  /** Prints a table, also with `--json`: for commands that print several tables and one JSON value. */
  table(rows: readonly Row[], whenEmpty = 'None.'): void {
    if (rows.length === 0) return this.line(whenEmpty);
    const names = Object.keys(rows[0]!);
    const cells = rows.map((row) => names.map((name) => String(row[name] ?? '-')));
    for (const line of tableLines(names, cells, this.width)) this.line(line);
  }

  json(value: unknown): void {
    this.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Control characters become spaces: names and the words of providers must not move the cursor of a terminal. */
  line(text = ''): void {
    this.write(`${text.replace(CONTROL, ' ')}\n`);
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
      this.stdout.write(this.stdout.isTTY ? `\u001b[H\u001b[2J${this.onScreen(text)}` : text);
    }
  }

  /** The first lines that a terminal has room for: it would scroll to the last ones. */
  private onScreen(text: string): string {
    const rows = this.stdout.rows || UNKNOWN_SIZE.rows;
    const heightOf = (line: string): number => Math.max(1, Math.ceil(line.length / this.width));
    const lines = text.trimEnd().split('\n');
    let height = 1;
    const shown = lines.findIndex((line) => (height += heightOf(line)) > rows - 1);
    if (shown === -1) return text;
    return `${lines.slice(0, shown).join('\n')}\n(${lines.length - shown} more lines; without --watch all are shown)\n`;
  }

  /** The columns of a terminal; a file or a pipe has no limit. */
  private get width(): number {
    const { isTTY, columns } = this.stdout;
    return isTTY === true ? columns || UNKNOWN_SIZE.columns : Number.POSITIVE_INFINITY;
  }

  /** A line for the person who waits; it is no part of the result. */
  note(text: string): void {
    const { bar } = this;
    const line = text.replace(CONTROL, ' ');
    // The line takes the place of the bar, which goes on below it.
    this.stderr.write(bar === '' ? `${line}\n` : `${CLEARED_LINE}${line}\n${bar}`);
  }

  /** Shows on stderr how far the command is. Without a total there is only the count. */
  progress(label: string): Progress {
    const { stderr } = this;
    const isTerminal = stderr.isTTY === true;
    const draw = (bar: string): void => {
      this.bar = bar;
      stderr.write(bar === '' ? '\n' : `${CLEARED_LINE}${bar}`);
    };
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
          draw(`${label}: ${bar}${figures(done, total)}`);
        } else if (performance.now() - shownAt >= LINE_INTERVAL_MS || shownAt === 0) {
          shownAt = performance.now();
          stderr.write(`${last}\n`);
          last = '';
        }
      },
      end() {
        if (isTerminal) draw('');
        else if (last !== '') stderr.write(`${last}\n`);
      },
    };
  }
}
