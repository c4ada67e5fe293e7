/** Writes rows as CSV by RFC 4180: each column has its name and what it shows of a row. */
export function csvOf<T>(columns: Record<string, (row: T) => string | null | undefined>): {
  head: string;
  line(row: T): string;
} {
  const reads = Object.values(columns);
  return { head: csvLine(Object.keys(columns)), line: (row) => csvLine(reads.map((read) => read(row) ?? '')) };
}

/**
 * What a spreadsheet reads as a formula at the beginning of a cell, also in full width. A cell may begin after any
 * separator and quote in the text, because a spreadsheet may split a line at other characters than the comma.
 */
const FORMULA = /((?:^|[,;|\t\r\n"]) *)([=+\-@＝＋－＠])/g;

/** An apostrophe before a formula makes it a text. */
const csvLine = (texts: string[]): string =>
  `${texts.map((text) => `"${text.replace(FORMULA, `$1'$2`).replaceAll('"', '""')}"`).join(',')}\r\n`;
