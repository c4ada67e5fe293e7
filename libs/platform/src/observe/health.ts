import { withTimeoutOr } from '@clarion/contracts/core';
import type { Logger } from '../logging/logger';
import type { Metrics } from './metrics';

/** The time limit of one check. */
const CHECK_MS = 2_000;
/** How often the progress of the roles is checked. */
const PROGRESS_CHECK_MS = 5_000;
/** A role with work and without progress is not live after the first time; the process ends itself after the second. */
export const NOT_LIVE_AFTER_MS = 60_000;
export const STUCK_AFTER_MS = 90_000;

export type HealthReport = { ok: boolean; body: { status: 'ok' | 'error' } & Record<string, unknown> };

/** A role that processes rows, judged by its progress: a connection can look alive and be dead. */
export type Progress = {
  role: string;
  /** When a row was last taken or finished, on the clock of `performance.now()`. */
  lastProgressAt(): number;
  /** Whether there is work that the role should have taken. */
  hasWork(): Promise<boolean>;
};

type Watched = Progress & {
  /** Since when there has been work without progress. */
  idleSince?: number;
  isReported?: boolean;
};

/** Ready: started, not draining, all services answer. Live: every role that has work makes progress. */
export class Health {
  private state: 'starting' | 'ready' | 'draining' = 'starting';
  private waitsFor = 'the start';
  private readonly checks = new Map<string, () => Promise<unknown>>();
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;

  get isDraining(): boolean {
    return this.state === 'draining';
  }

  /** Names what the start waits for, for the answer of the readiness probe. */
  waitFor(what: string): void {
    this.waitsFor = what;
  }

  started(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  /** Not ready from now on, permanently; work in flight continues. */
  drain(): void {
    this.state = 'draining';
  }

  require(name: string, check: () => Promise<unknown>): void {
    this.checks.set(name, check);
  }

  watch(progress: Progress): () => void {
    const watched: Watched = { ...progress };
    this.watched.add(watched);
    return () => void this.watched.delete(watched);
  }

  async ready(): Promise<HealthReport> {
    if (this.state === 'starting') return failed([`starting: waits for ${this.waitsFor}`]);
    if (this.state === 'draining') return failed(['draining: stops after the work in flight']);
    const faults = await Promise.all(
      [...this.checks].map(async ([name, check]) => ({ name, fault: await faultOf(check) })),
    );
    const states = Object.fromEntries(faults.map(({ name, fault }) => [name, fault === undefined ? 'up' : 'down']));
    const missing = faults.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]));
    return missing.length === 0 ? { ok: true, body: { status: 'ok', ...states } } : failed(missing, states);
  }

  live(): HealthReport {
    const stuck = [...this.watched].filter((watched) => stuckFor(watched) >= NOT_LIVE_AFTER_MS);
    if (stuck.length === 0) return { ok: true, body: { status: 'ok' } };
    return { ok: false, body: { status: 'error', stuck: stuck.map(describeStuck) } };
  }

  /** Checks the roles periodically. `end` is called for a stuck process that will be restarted. */
  watchProgress(logger: Logger, end?: (reason: string) => void): () => void {
    // One after the other: roles of one process that ask at the same time would hold a connection each.
    const checkAll = async (): Promise<void> => {
      for (const watched of this.watched) {
        await this.checkProgress(watched, logger);
        if (end && stuckFor(watched) >= STUCK_AFTER_MS) end(describeStuck(watched));
      }
    };
    this.timer = setInterval(() => void checkAll(), PROGRESS_CHECK_MS);
    this.timer.unref();
    return () => clearInterval(this.timer);
  }

  private async checkProgress(watched: Watched, logger: Logger): Promise<void> {
    if (stuckFor(watched) === 0) watched.idleSince = undefined;
    if (performance.now() - watched.lastProgressAt() < PROGRESS_CHECK_MS) return;
    // Without an answer it is unknown whether there is work; `ready` reports that the database does not answer.
    const hasWork = await watched.hasWork().catch(() => false);
    if (!hasWork) watched.idleSince = undefined;
    else watched.idleSince ??= performance.now();
    const isStuck = stuckFor(watched) >= NOT_LIVE_AFTER_MS;
    if (isStuck && !watched.isReported) logger.error(describeStuck(watched));
    watched.isReported = isStuck;
  }
}

/** Lets probes and metrics watch the progress of a role, until the returned function is called. */
export function watch({ health, metrics }: { health: Health; metrics: Metrics }, progress: Progress): () => void {
  const ends = [
    health.watch(progress),
    metrics.watchProgress(progress.role, () => (performance.now() - progress.lastProgressAt()) / 1_000),
  ];
  return () => ends.forEach((end) => end());
}

const stuckFor = ({ idleSince, lastProgressAt }: Watched): number =>
  idleSince === undefined || lastProgressAt() > idleSince ? 0 : performance.now() - idleSince;

const describeStuck = (watched: Watched): string =>
  `${watched.role} has work and has taken none for ${Math.round(stuckFor(watched) / 1_000)} s`;

const failed = (missing: string[], states: object = {}): HealthReport => ({
  ok: false,
  body: { status: 'error', ...states, missing },
});

/** Undefined when the check succeeds, otherwise the reason. */
async function faultOf(check: () => Promise<unknown>): Promise<string | undefined> {
  const late = `no answer within ${CHECK_MS} ms`;
  const answer = check().then(
    () => undefined,
    (error: unknown) => (error instanceof Error && error.message !== '' ? error.message : 'down'),
  );
  return withTimeoutOr(answer, CHECK_MS, late);
}
