import { type EnvironmentQueue, FairQueue, type OrganizationOf, type TimeBudget } from './fair-queue';
import { newProcess, onAnswered, onProgress, type Process, type RunningText } from './pooled-process';
import { RenderChild } from './render-child';
import { type Answers, type JobKind, LOADING, OTHERS_WAIT, type Progress, READY, writeBatch } from './render-protocol';
import {
  type Call,
  charge,
  COMPOSED,
  costly,
  type Job,
  lengthFault,
  type RenderResult,
  placed,
  queuesOf,
  refusal,
  type Task,
} from './render-tasks';

export type RenderLimits = {
  processes: number;
  timeLimitMs: number;
  heapMb: number;
  outputCharacters: number;
  /** Render time for all jobs of one call together; when it is used up, the remaining jobs get a fault. */
  callLimitMs?: number;
  /** Render time for tenants; without it an environment may use all the time that others leave. */
  budget?: TimeBudget;
  /** The environments of an organization take turns as one. Without it, each counts as a separate organization. */
  organizationOf?: OrganizationOf;
  /** For a process that serves requests: its render processes load all at start, and one is started ahead of need. */
  keepReady?: boolean;
  /** The nice value of a process that has run jobs of a slow environment. */
  slowNice?: number;
};

/** Limits of one batch: large enough to amortize the message, small compared to the heap of a process. */
const BATCH_JOBS = 200;
const BATCH_CHARACTERS = 1024 * 1024;
/** A batch of a slow environment holds no more jobs than take about this long. */
const BATCH_MS = 40;
const BATCH_JOBS_UNKNOWN = 20;

/** Writing batches blocks the event loop, so it stops after this time and goes on after a pause of equal length. */
const WRITE_MS = 20;

const CHECKS_PER_LIMIT = 10;

/** A job is over time once its process has used this share of the limit as processor time, or after so many limits. */
const OWN_SHARE = 0.7;
const STARVED_LIMITS = 20;

/** An idle process ends after this time, unless it is one of those that are kept. */
const IDLE_MS = 30_000;

/**
 * A pool of processes. A job that exceeds its time or memory limit ends its process and gets a fault; the other jobs of
 * the batch continue in another process. Processes start when they are needed and keep this process alive only while
 * they work.
 *
 * A process reports which text it works on, unless all jobs of its batch are known to be fast. When it ends without
 * such a report, the jobs that may have been running are run again, with reports.
 *
 * Environments take turns by the render time that they have used. A process works for one environment at a time, unless
 * all jobs of the batch are known to be fast, and returns the rest of its batch after a time slice when other
 * environments wait. Slow environments get the newest process; the older ones, which have everything loaded, stay free
 * for the rest.
 */
export class RenderProcesses {
  private readonly processes = new Set<Process>();
  private readonly fairQueue: FairQueue<Task>;
  private timer?: NodeJS.Timeout;
  private pause?: NodeJS.Timeout;
  private closed = false;

  constructor(private readonly limits: RenderLimits) {
    this.fairQueue = new FairQueue(limits.budget, limits.organizationOf);
  }

  /** Resolves with the outcomes in the order of the jobs. Rejects when an environment has used up its budget. */
  async run<K extends JobKind>(jobs: Job<K>[]): Promise<RenderResult<K>[]> {
    if (this.closed) throw new Error('The renderer is closed');
    const call: Call = { leftMs: this.limits.callLimitMs ?? Infinity, written: new Map() };
    const queues = jobs.map(({ environmentId }) => this.fairQueue.of(environmentId));
    const outcomes = jobs.map((job, index) => {
      const queue = queues[index]!;
      return new Promise<RenderResult<JobKind>>((resolve, reject) => {
        this.fairQueue.add(queue, { ...job, queue, call, resolve, reject });
      });
    });
    this.dispatch();
    return (await Promise.all(outcomes)) as RenderResult<K>[];
  }

  setBudgets(budgets: ReadonlyMap<string, number>): void {
    this.fairQueue.budgets = budgets;
  }

  queueOf(environmentId: string): Pick<EnvironmentQueue<Task>, 'budgetError' | 'debit' | 'overBudget'> {
    return this.fairQueue.of(environmentId);
  }

  /** Rejects everything that is not done yet. */
  async close(): Promise<void> {
    this.closed = true;
    const processes = [...this.processes];
    for (const task of [...this.fairQueue.takeAll(), ...processes.flatMap(({ tasks }) => tasks)]) {
      task.reject(new Error('The renderer is closed'));
    }
    await Promise.all(processes.map((process) => this.end(process)));
    this.dispatch();
  }

  private dispatch(): void {
    if (!this.pause) this.sendWaiting();
    if (this.limits.keepReady && this.processes.size > 0 && this.idle().length === 0) this.startAnother();
    const working = [...this.processes].filter(({ tasks }) => tasks.length > 0);
    for (const process of working.filter(({ mustYield }) => !mustYield)) {
      const own = queuesOf(process.tasks);
      process.mustYield = this.fairQueue.inTurn().some((queue) => !own.has(queue));
      if (process.mustYield) process.child.send(OTHERS_WAIT);
    }
    if (working.length > 0) {
      this.timer ??= setInterval(() => this.checkRunning(), this.limits.timeLimitMs / CHECKS_PER_LIMIT);
    } else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private sendWaiting(): void {
    const start = performance.now();
    const until = start + WRITE_MS;
    for (let next = this.next(); next; next = this.next()) {
      const tasks = this.takeBatch(next.queue, until);
      if (tasks.length > 0) this.send(next.process, tasks);
      const now = performance.now();
      if (now < until) continue;
      this.pause = setTimeout(() => {
        this.pause = undefined;
        this.dispatch();
      }, now - start);
      return;
    }
  }

  private send(process: Process, tasks: Task[]): void {
    clearTimeout(process.idle);
    const reports = tasks.some(({ queue, isSuspect }) => isSuspect || !queue.isFast);
    Object.assign(process, { tasks, answered: 0, reports, mustYield: false });
    onAnswered(process);
    for (const used of queuesOf(tasks)) used.running += 1;
    process.child.ref();
    const isSlow = tasks.some(({ queue }) => queue.isSlow);
    if (isSlow && !process.hasBeenSlow && this.limits.slowNice !== undefined) {
      process.child.lowerPriority(this.limits.slowNice);
    }
    process.hasBeenSlow ||= isSlow;
    process.child.send(writeBatch(tasks, Math.min(...tasks.map(({ call }) => call.leftMs)), reports));
  }

  /** The last free process is not given to a slow environment, nor to one that has one and is not known as fast. */
  private next(): { queue: EnvironmentQueue<Task>; process: Process } | undefined {
    if (this.fairQueue.isEmpty) return undefined;
    let free = this.limits.processes;
    for (const { tasks } of this.processes) if (tasks.length > 0) free -= 1;
    if (free === 0) return undefined;
    const mayUseLast = (queue: EnvironmentQueue<Task>): boolean =>
      !queue.isSlow && (queue.running === 0 || queue.isFast);
    for (const queue of this.fairQueue.inTurn()) {
      const process = free > 1 || this.limits.processes === 1 || mayUseLast(queue) ? this.processFor(queue) : undefined;
      if (process) return { queue, process };
    }
    return undefined;
  }

  /** An idle process. When there is none (or, for a slow environment, only one), another one is started for later. */
  private processFor(queue: EnvironmentQueue<Task>): Process | undefined {
    const idle = this.idle();
    const enough = queue.isSlow ? 2 : 1;
    if (idle.length < enough && this.startAnother()) return undefined;
    return queue.isFast ? idle[0] : idle.at(-1);
  }

  private idle(): Process[] {
    return [...this.processes].filter(({ isReady, tasks }) => isReady && tasks.length === 0);
  }

  /** Starts one process at a time. Returns false when the maximum number is running. */
  private startAnother(): boolean {
    const isStarting = [...this.processes].some(({ isReady }) => !isReady);
    if (!isStarting && this.processes.size >= this.limits.processes) return false;
    if (!isStarting) this.start();
    return true;
  }

  /** The jobs of the queue, filled up with jobs of other environments when all of them are fast. */
  private takeBatch(first: EnvironmentQueue<Task>, until: number): Task[] {
    const batch: OpenBatch = { tasks: [], texts: new Set(), characters: 0, until };
    this.takeFrom(first, batch);
    if (first.isFast && first.waiting.length === 0) {
      for (const queue of this.fairQueue.inTurn()) {
        if (batch.tasks.length >= BATCH_JOBS || batch.characters > BATCH_CHARACTERS) break;
        if (performance.now() > batch.until) break;
        if (queue.isFast) this.takeFrom(queue, batch);
      }
    }
    return batch.tasks;
  }

  private takeFrom(queue: EnvironmentQueue<Task>, batch: OpenBatch): void {
    const most = batch.tasks.length + queue.jobsWithin(BATCH_MS, BATCH_JOBS_UNKNOWN);
    let taken = 0;
    for (const task of queue.waiting) {
      if (batch.tasks.length >= Math.min(most, BATCH_JOBS)) break;
      if (!this.isRefused(task)) {
        batch.characters += task.json!.length;
        for (const { text } of task.texts) {
          if (!batch.texts.has(text)) batch.characters += text.length;
          batch.texts.add(text);
        }
        if (batch.tasks.length > 0 && batch.characters > BATCH_CHARACTERS) break;
        batch.tasks.push(task);
      }
      taken += 1;
      if (performance.now() > batch.until) break;
    }
    queue.waiting.splice(0, taken);
    this.fairQueue.onTaken(queue);
  }

  /** Settles a task that must not be sent to a process. Otherwise serializes its data. */
  private isRefused(task: Task): boolean {
    const { queue, texts, call } = task;
    const budgetError = queue.budgetError();
    if (budgetError) {
      task.reject(budgetError);
      return true;
    }
    const refused = queue.findRefused(texts);
    const location = refused ?? texts[0] ?? COMPOSED;
    let reason: string | undefined;
    if (refused) reason = 'it took too much time or memory again and again';
    else if (call.leftMs <= 0) reason = `the request took more than ${this.limits.callLimitMs} ms`;
    else reason = lengthFault(task);
    if (reason === undefined) return false;
    task.resolve(costly(location, reason));
    return true;
  }

  private start(): void {
    const { heapMb, outputCharacters, keepReady = false } = this.limits;
    const child = new RenderChild(
      { heapMb, outputCharacters, loadSchemas: keepReady },
      { onMessage: (message) => this.receive(process, message), onEnd: (error) => this.fail(process, error) },
    );
    const process = newProcess(child);
    this.processes.add(process);
  }

  private receive(process: Process, message: string): void {
    if (!this.processes.has(process)) return;
    if (message === LOADING) {
      process.isLoading = true;
    } else if (message === READY) {
      process.isLoading = false;
      process.since = performance.now();
      if (process.tasks.length === 0) this.becomeIdle(process);
    } else {
      const parsed = JSON.parse(message) as Answers | Progress;
      if ('job' in parsed) onProgress(process, parsed);
      else this.settle(process, parsed);
    }
  }

  /** Marks the process as idle: it gets waiting tasks, or ends after a while. */
  private becomeIdle(process: Process): void {
    process.isReady = true;
    process.child.unref();
    const kept = this.limits.keepReady ? 2 : 1;
    const mayEnd = (): boolean => this.processes.size > kept || process.hasBeenSlow;
    process.idle = setTimeout(() => mayEnd() && void this.end(process), IDLE_MS).unref();
    this.dispatch();
  }

  private end(process: Process): Promise<void> {
    clearTimeout(process.idle);
    for (const queue of queuesOf(process.tasks)) queue.running -= 1;
    process.tasks = [];
    this.processes.delete(process);
    return process.child.end();
  }

  private settle(process: Process, { answers, ms, done }: Answers): void {
    for (const [index, answer] of answers.entries()) {
      const task = process.tasks[process.answered]!;
      process.answered += 1;
      charge(task, ms[index]!);
      if ('result' in answer) {
        task.queue.clearStrikes(task.texts);
        task.resolve({ ok: true, result: answer.result });
      } else {
        task.resolve(refusal(placed(task, answer), answer.message));
      }
    }
    onAnswered(process);
    if (!done) return;
    this.putBack(process.tasks.slice(process.answered));
    for (const queue of queuesOf(process.tasks)) queue.running -= 1;
    process.tasks = [];
    this.becomeIdle(process);
  }

  /** Counts checks instead of reading a clock: while this process is suspended, no check runs. */
  private checkRunning(): void {
    for (const process of this.processes) {
      const isWorking = process.tasks.length > 0 && !process.isLoading;
      process.checks = isWorking && process.steps === process.seenSteps ? process.checks + 1 : 0;
      process.seenSteps = process.steps;
      if (process.checks === 1) process.usedMs = process.child.processorMs();
      if (process.checks >= CHECKS_PER_LIMIT && this.isOverTime(process)) {
        this.endFor(process, process.running, `took longer than ${this.limits.timeLimitMs} ms`);
      }
    }
  }

  /** On a busy machine a process may get no processor: that is not the fault of its text. */
  private isOverTime({ child, checks, usedMs }: Process): boolean {
    if (usedMs === undefined || checks >= CHECKS_PER_LIMIT * STARVED_LIMITS) return true;
    const now = child.processorMs();
    return now === undefined || now - usedMs >= this.limits.timeLimitMs * OWN_SHARE;
  }

  private fail(process: Process, error: Error): void {
    if (!this.processes.has(process)) return;
    const { running, tasks } = process;
    if (tasks.length > 0 && !process.isLoading) {
      // The first time the system may have ended the process, for lack of memory elsewhere.
      const culprit = running?.task.isSuspect ? running : undefined;
      this.endFor(process, culprit, `took more than ${this.limits.heapMb} MB of memory`);
      return;
    }
    for (const task of tasks) task.reject(error);
    void this.end(process);
    // A process that cannot start means that the next one could not start either: only the existing ones go on.
    if (process.isReady) this.dispatch();
    else if (this.processes.size === 0) for (const task of this.fairQueue.takeAll()) task.reject(error);
  }

  /** Ends the process for the running text; the other tasks of its batch go back to the front of their queues. */
  private endFor(process: Process, running: RunningText | undefined, reason: string): void {
    const open = process.tasks.slice(process.answered);
    const ms = performance.now() - process.since;
    void this.end(process);
    if (process.running) charge(process.running.task, ms);
    if (running) {
      running.task.queue.strike(running.text.text);
      running.task.resolve(costly(running.text, reason));
    } else {
      for (const task of process.running ? [process.running.task] : open) task.isSuspect = true;
    }
    this.putBack(open.filter((task) => task !== running?.task));
    this.dispatch();
  }

  private putBack(tasks: Task[]): void {
    for (const queue of queuesOf(tasks)) {
      this.fairQueue.putBack(
        queue,
        tasks.filter((task) => task.queue === queue),
      );
    }
  }
}

type OpenBatch = { tasks: Task[]; texts: Set<string>; characters: number; until: number };
