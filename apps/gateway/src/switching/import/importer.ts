import type { JsonObject } from '@clarion/contracts';
import type {
  Environment,
  EnvironmentRepository,
  EnvironmentTotals,
  ImportRun,
  ImportRunRepository,
} from '@clarion/persistence';
import type { ImportedKind } from './import-kind';
import {
  advanced,
  halted,
  IMPORT_KINDS,
  type ImportKind,
  type KindProgress,
  newKind,
  NO_PROGRESS,
  type BatchResult,
  type Progress,
} from './import-progress';
import { isLocal, SourceError } from './source-client';

/** Another process imports the same, or the erasure of a subscriber deleted the stored progress, which named it. */
export class ConcurrentImportError extends Error {
  override readonly name = 'ConcurrentImportError';
}

/** The environment was deleted meanwhile; the import cannot go on. */
export class EnvironmentGoneError extends Error {
  override readonly name = 'EnvironmentGoneError';
}

/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {}

export type ImportOptions = {
  environment: Environment;
  source: string;
  kinds: readonly ImportKind[];
  isDryRun: boolean;
  isRestart: boolean;
  onProgress(kind: ImportKind, progress: KindProgress): void;
};

export type ImportLine = { kind: ImportKind; inTarget: number; isComplete: boolean } & Omit<KindProgress, 'cursor'>;

export type ImportReport = Pick<Progress, 'problems' | 'moreProblems' | 'credentials'> & {
  lines: ImportLine[];
  /** Every item of every wanted kind is in the environment. */
  isComplete: boolean;
};

/** Copies the kinds one after the other and stores after each batch how far it is. */
export class Importer {
  private run: ImportRun | undefined;
  private progress: Progress = NO_PROGRESS;

  constructor(
    private readonly runs: ImportRunRepository,
    private readonly environments: EnvironmentRepository,
    private readonly kinds: readonly ImportedKind[],
    private readonly options: ImportOptions,
  ) {}

  /** Whether an earlier run is continued. */
  async begin(): Promise<boolean> {
    const { environment, source, isDryRun, isRestart } = this.options;
    if (isDryRun) return false;
    if (isRestart) await this.runs.delete(environment.id, source);
    const found = await this.runs.find(environment.id, source);
    this.run = found ?? (await this.runs.insert(environment.id, source, NO_PROGRESS as unknown as JsonObject));
    if (!this.run) throw concurrent();
    this.progress = this.run.progress as unknown as Progress;
    return found !== undefined && Object.keys(this.progress.kinds).length > 0;
  }

  /** Imports what is left. Throws when the source cannot be read or the person interrupts; the progress is stored. */
  async finish(): Promise<ImportReport> {
    for (const kind of this.kinds) {
      if (!this.options.kinds.includes(kind.name)) continue;
      await this.copy(kind);
    }
    const report = await this.report();
    if (this.run) await this.runs.end(this.run);
    return report;
  }

  private async copy(kind: ImportedKind): Promise<void> {
    const { onProgress } = this.options;
    try {
      for (;;) {
        const before = this.progress.kinds[kind.name] ?? newKind();
        if (before.isDone) return;
        const batch = await kind.read(before.cursor);
        await this.write(kind, batch.items, (outcome) => advanced(this.progress, kind.name, batch, outcome));
        onProgress(kind.name, this.progress.kinds[kind.name]!);
      }
    } catch (error) {
      if (!(error instanceof SourceError) || !isLocal(error)) throw error;
      this.progress = halted(this.progress, kind.name, error.message);
    }
  }

  /** The progress changes when the transaction has committed: it may run more than once. */
  private async write(
    kind: ImportedKind,
    items: unknown[],
    progressAfter: (outcome: BatchResult) => Progress,
  ): Promise<void> {
    let after: Progress | undefined;
    await this.refuseDeleted();
    try {
      await kind.write(items, async (outcome) => {
        after = progressAfter(outcome);
        if (!this.run) throw new DryRunEnd();
        if (!(await this.runs.save(this.run, after as unknown as JsonObject))) throw concurrent();
      });
    } catch (error) {
      if (!(error instanceof DryRunEnd)) throw error;
    }
    this.progress = after!;
    if (this.run) this.run = { ...this.run, fence: this.run.fence + 1 };
  }

  /** A deleted environment keeps its rows for a while, and would accept what is imported. */
  private async refuseDeleted(): Promise<void> {
    const { id, organizationId, name } = this.options.environment;
    if (await this.environments.find(organizationId, id)) return;
    throw new EnvironmentGoneError(`The environment ${name} was deleted; nothing more is imported into it`);
  }

  private async report(): Promise<ImportReport> {
    const { environment, kinds } = this.options;
    const totals = await this.runs.totals(environment.id);
    const { problems, moreProblems, credentials } = this.progress;
    const lines = IMPORT_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => this.lineOf(kind, totals));
    return { lines, problems, moreProblems, credentials, isComplete: lines.every(({ isComplete }) => isComplete) };
  }

  private lineOf(kind: ImportKind, totals: EnvironmentTotals): ImportLine {
    const { cursor: _, ...line } = this.progress.kinds[kind] ?? newKind();
    const { read, walked, total, created, updated, unchanged, skipped, isDone } = line;
    const inTarget = totals[kind];
    const isComplete =
      isDone &&
      skipped === 0 &&
      read === created + updated + unchanged &&
      (total === null || total === walked) &&
      (this.options.isDryRun || inTarget >= read);
    return { kind, ...line, inTarget, isComplete };
  }
}

const concurrent = (): ConcurrentImportError =>
  new ConcurrentImportError(
    'Another import from the same source into this environment is running, or a subscriber was erased meanwhile',
  );
