import { setTimeout as delay } from 'node:timers/promises';
import { SEALED_TABLES, type SealedPage, type SealedRowRepository, type SealedTable } from '@clarion/persistence';
import { OperatorError, resealRow, type SecretBox } from '@clarion/platform';

export type ResealReport = {
  kind: SealedTable;
  resealed: number;
  unreadable: number;
  unreadableIds: string[];
};

const PAGE = 500;
const NAMED_IDS = 100;
const REPORT_INTERVAL_MS = 2_000;
const PAUSE_MS = 100;
const LOCK_TIMEOUT_MS = 30_000;

/** Each page is one statement, so this can be interrupted; the next run skips what already uses the newest key. */
export async function resealAll(
  secrets: SecretBox,
  store: Pick<SealedRowRepository, 'page' | 'replace'>,
  log: (line: string) => void,
): Promise<ResealReport[]> {
  const reports: ResealReport[] = [];
  for (const kind of SEALED_TABLES) reports.push(await resealTable(kind));
  return reports;

  async function resealTable(kind: SealedTable): Promise<ResealReport> {
    const report: ResealReport = { kind, resealed: 0, unreadable: 0, unreadableIds: [] };
    let seen = 0;
    let reportAt = Date.now() + REPORT_INTERVAL_MS;
    for (let after: string[] | undefined; ;) {
      const page = await resealPage(kind, after);
      seen += page.seen;
      report.resealed += page.resealed;
      report.unreadable += page.unreadable.length;
      report.unreadableIds.push(...page.unreadable.slice(0, NAMED_IDS - report.unreadableIds.length));
      after = page.next;
      if (after && Date.now() < reportAt) continue;
      log(`${kind}: ${seen} rows seen, ${report.resealed} resealed`);
      reportAt = Date.now() + REPORT_INTERVAL_MS;
      if (!after) return report;
    }
  }

  /** Repeats the page while another transaction holds its rows, which may write secrets with the old key. */
  async function resealPage(
    kind: SealedTable,
    after: string[] | undefined,
  ): Promise<Pick<SealedPage, 'seen' | 'next'> & { resealed: number; unreadable: string[] }> {
    let resealed = 0;
    for (let waited = 0; ; waited += PAUSE_MS) {
      const { rows, seen, next } = await store.page(kind, after, secrets.newestPrefix, PAGE);
      const results = rows.map((row) => ({ row, ...resealRow(secrets, kind, row) }));
      const changes = results.filter(({ isChanged }) => isChanged);
      const replaced = changes.length === 0 ? 0 : await store.replace(kind, changes);
      resealed += replaced;
      if (replaced === changes.length) {
        const unreadable = results.filter(({ hasUnreadable }) => hasUnreadable).map(({ row }) => row.key.join(' '));
        return { seen, next, resealed, unreadable };
      }
      if (waited >= LOCK_TIMEOUT_MS) {
        const ids = changes.map(({ row }) => row.key.join(' ')).slice(0, NAMED_IDS);
        throw new OperatorError(
          `Some of these rows of ${kind} stay locked, so they are still under an older key: ${ids.join(', ')}. ` +
            'Run this again when no other transaction holds them',
        );
      }
      await delay(PAUSE_MS);
    }
  }
}

/** Names the unreadable rows, never their contents; undefined when all could be read. */
export function describeUnreadable(reports: ResealReport[]): string | undefined {
  const lines = reports
    .filter(({ unreadable }) => unreadable > 0)
    .map(({ kind, unreadable, unreadableIds }) => {
      const more = unreadable - unreadableIds.length;
      return `  - ${kind}: ${unreadableIds.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    });
  if (lines.length === 0) return undefined;
  const advice = 'add the key that they were written with and run this again, or write them anew';
  return [
    `No key of CLARION_ENCRYPTION_KEY opens the secrets of these rows. They stay as they are; ${advice}:`,
    ...lines,
  ].join('\n');
}
