import { withTimeoutOr } from '@clarion/contracts/core';
import type { Logger } from '../logging/logger';
import type { Metrics } from './metrics';

/** The longest a check may take: whoever asks has other things to do. */
const CHECK_MS = 2_000;
/** How often roles are looked at that may be stuck. */
const LOOK_MS = 5_000;
/** Work is there and nothing happens: after so long a process is not live any more, and then it ends itself. */
export const NOT_LIVE_AFTER_MS = 60_000;
export const STUCK_AFTER_MS = 90_000;

/** `body` is what a probe is answered. */
export type HealthReport = { ok: boolean; body: { status: 'ok' | 'error' } & Record<string, unknown> };

/** Whoever works through rows, judged by whether it gets on. A connection that looks alive may be dead. */
export type Progress = {
  role: string;
  /** When something was last taken or finished, on the clock of `performance.now()`. */
  lastProgressAt(): number;
  /** Whether there is something that it should have taken. */
  hasWork(): Promise<boolean>;
};

type Watched = Progress & {
  /** Since when there is work and nothing happens. */
  idleSince?: number;
  isToldOf?: boolean;
};

/**
 * What probes are told. Ready: started, not draining, and what the process cannot do without answers. Live: whoever has
 * something to do does it; nothing to do is fine.
 */
export class Health {
  private state: 'starting' | 'ready' | 'draining' = 'starting';
  private waitsFor = 'the start';
  private readonly checks = new Map<string, () => Promise<unknown>>();
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;

  get isDraining(): boolean {
    return this.state === 'draining';
  }

  /** What the start waits for, for people who ask why it is not ready. */
  waitFor(what: string): void {
    this.waitsFor = what;
  }

  started(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  /** Not ready from now on, for good; what was begun goes on. */
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
    if (this.state === 'draining') return failed(['draining: stops after what is under way']);
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

  /** Looks at the roles again and again; `end` is for a process that may start anew. */
  watchProgress(logger: Logger, end?: (reason: string) => void): () => void {
    this.timer = setInterval(() => {
      for (const watched of this.watched) {
        void this.look(watched, logger).then(() => {
          if (end && stuckFor(watched) >= STUCK_AFTER_MS) end(describeStuck(watched));
        });
      }
    }, LOOK_MS);
    this.timer.unref();
    return () => clearInterval(this.timer);
  }

  private async look(watched: Watched, logger: Logger): Promise<void> {
    if (stuckFor(watched) === 0) watched.idleSince = undefined;
    if (performance.now() - watched.lastProgressAt() < LOOK_MS) return;
    // Without an answer nobody can say that there is work; whether the database answers is told by `ready`.
    const hasWork = await watched.hasWork().catch(() => false);
    if (!hasWork) watched.idleSince = undefined;
    else watched.idleSince ??= performance.now();
    const isStuck = stuckFor(watched) >= NOT_LIVE_AFTER_MS;
    if (isStuck && !watched.isToldOf) logger.error(describeStuck(watched));
    watched.isToldOf = isStuck;
  }
}

/** A role whose progress both the probes and the metrics look at, until the returned function is called. */
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

/** Undefined when all is well, else what is not. */
async function faultOf(check: () => Promise<unknown>): Promise<string | undefined> {
  const late = `no answer within ${CHECK_MS} ms`;
  const answer = check().then(
    () => undefined,
    (error: unknown) => (error instanceof Error && error.message !== '' ? error.message : 'down'),
  );
  return withTimeoutOr(answer, CHECK_MS, late);
}
