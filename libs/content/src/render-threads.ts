import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Json } from '@clarion/contracts/core';
import { type EnvironmentQueue, FairQueue, type TimeBudget } from './fair-queue';
import { type PlacedText, type TemplateFault, tooCostly } from './templates';
import {
  type JobKind,
  type JobResults,
  OTHERS_WAIT,
  PART,
  READY,
  type ThreadAnswers,
  type ThreadData,
  writeBatch,
} from './thread-protocol';

export type ThreadLimits = {
  threads: number;
  /** The time limit of one job. */
  timeLimitMs: number;
  /** The heap limit of one thread. */
  heapMb: number;
  /** The output limit of one job. */
  outputCharacters: number;
  /** Thread time for all jobs of one call together; when it is used up, the remaining jobs get a fault. */
  callLimitMs?: number;
  /** Thread time for each environment; without it an environment may use all the time that others leave. */
  budget?: TimeBudget;
  /** For a process that serves requests: threads load everything at start, and one is always started ahead of need. */
  keepReady?: boolean;
  /** The nice value (Linux) of a thread that has run jobs of a slow environment. */
  slowNice?: number;
};

/** One piece of work for a thread, on behalf of one environment. */
export type Job<K extends JobKind = JobKind> = { kind: K; environmentId: string; texts: PlacedText[]; data: Json };
export type Outcome<K extends JobKind> = { ok: true; result: JobResults[K] } | { ok: false; fault: TemplateFault };

/** Always the compiled file, also when this module is loaded from `src` (in specs). */
const THREAD_FILE = join(__dirname, '..', 'dist', 'render-thread.js');

/** Limits of one batch: large enough to amortize the message, small compared to the heap of a thread. */
const BATCH_JOBS = 200;
const BATCH_CHARACTERS = 1024 * 1024;
/** A batch of a slow environment holds no more jobs than take about this long. */
const BATCH_MS = 40;
const BATCH_JOBS_UNKNOWN = 20;

/** The limit for the data of one job. A thread that receives more could run out of memory while parsing it. */
export const DATA_CHARACTERS = 8 * 1024 * 1024;

/** How often a running job is checked within its time limit. */
const CHECKS_PER_LIMIT = 10;

/** An idle thread ends after this time, unless it is one of those that are kept. */
const IDLE_MS = 30_000;

/** The location of a fault in a job without texts. */
const COMPOSED: PlacedText = { path: 'body', text: '' };

/** The jobs of one call share its time limit. */
type Call = { leftMs: number };

type Task = Job & {
  queue: EnvironmentQueue<Task>;
  call: Call;
  /** The data as JSON, serialized when first needed. */
  json?: string;
  resolve(outcome: Outcome<JobKind>): void;
  reject(error: Error): void;
};

type Thread = {
  worker: Worker;
  shared: Int32Array;
  /** False until the thread has loaded its code; it gets no jobs before. */
  isReady: boolean;
  /** True once the thread has run a job of a slow environment. */
  hasBeenSlow: boolean;
  /** The batch in progress, how many of its tasks are answered, and when the thread started on the next one. */
  tasks: Task[];
  answered: number;
  since: number;
  /** The task that was running at the last check, and how many checks in a row have seen it. */
  seen?: Task;
  checks: number;
  idle?: NodeJS.Timeout;
};

/**
 * A pool of threads that can be terminated. A job that exceeds its time or memory limit ends its thread and gets a
 * fault; the other jobs of the batch continue in another thread. Threads start when they are needed and keep the
 * process alive only while they work.
 *
 * Environments take turns by the thread time that they have used. A thread works for one environment at a time, unless
 * all jobs of the batch are known to be fast, and returns the rest of its batch after a time slice when other
 * environments wait. Slow environments get the newest thread; the older threads, which have everything loaded, stay
 * free for the rest.
 */
export class RenderThreads {
  private readonly threads = new Set<Thread>();
  private readonly fairQueue: FairQueue<Task>;
  private timer?: NodeJS.Timeout;
  private closed = false;

  constructor(private readonly limits: ThreadLimits) {
    this.fairQueue = new FairQueue(limits.budget);
  }

  /** Resolves with the outcomes in the order of the jobs. Rejects when an environment has used up its budget. */
  async run<K extends JobKind>(jobs: Job<K>[]): Promise<Outcome<K>[]> {
    if (this.closed) throw new Error('The renderer is closed');
    const call: Call = { leftMs: this.limits.callLimitMs ?? Infinity };
    const queues = jobs.map(({ environmentId }) => this.fairQueue.of(environmentId));
    const outcomes = jobs.map((job, index) => {
      const queue = queues[index]!;
      return new Promise<Outcome<JobKind>>((resolve, reject) => {
        this.fairQueue.add(queue, { ...job, queue, call, resolve, reject });
      });
    });
    this.dispatch();
    return (await Promise.all(outcomes)) as Outcome<K>[];
  }

  /** Replaces the budgets, in milliseconds a second, of single environments. */
  setBudgets(budgets: ReadonlyMap<string, number>): void {
    this.fairQueue.budgets = budgets;
  }

  /** The queue of the environment, for its budget. */
  queueOf(
    environmentId: string,
  ): Pick<EnvironmentQueue<Task>, 'budgetError' | 'debit' | 'msPerSecond' | 'overBudgetMs'> {
    return this.fairQueue.of(environmentId);
  }

  /** Rejects everything that is not done yet. */
  async close(): Promise<void> {
    this.closed = true;
    const threads = [...this.threads];
    for (const task of [...this.fairQueue.takeAll(), ...threads.flatMap(({ tasks }) => tasks)]) {
      task.reject(new Error('The renderer is closed'));
    }
    await Promise.all(threads.map((thread) => this.end(thread)));
    this.dispatch();
  }

  /** Sends waiting tasks to idle threads. */
  private dispatch(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { queue, thread } = next;
      const tasks = this.takeBatch(queue);
      if (tasks.length === 0) continue;
      clearTimeout(thread.idle);
      Object.assign(thread, { tasks, answered: 0, since: performance.now(), seen: undefined, checks: 0 });
      for (const used of queuesOf(tasks)) used.running += 1;
      thread.worker.ref();
      const isSlow = tasks.some((task) => task.queue.isSlow);
      thread.worker.postMessage(writeBatch(tasks, Math.min(...tasks.map(({ call }) => call.leftMs)), isSlow));
      thread.hasBeenSlow ||= isSlow;
    }
    if (this.limits.keepReady && this.threads.size > 0 && this.idle().length === 0) this.startAnother();
    const working = [...this.threads].filter(({ tasks }) => tasks.length > 0);
    for (const { tasks, shared } of working) {
      const own = queuesOf(tasks);
      Atomics.store(shared, OTHERS_WAIT, this.fairQueue.inTurn().some((queue) => !own.has(queue)) ? 1 : 0);
    }
    if (working.length > 0) {
      this.timer ??= setInterval(() => this.checkRunning(), this.limits.timeLimitMs / CHECKS_PER_LIMIT);
    } else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  /**
   * The next environment queue and its thread, if a thread is free. With several threads, the last free one is not
   * given to a slow environment, nor to one that already has a thread and is not known to be fast.
   */
  private next(): { queue: EnvironmentQueue<Task>; thread: Thread } | undefined {
    if (this.fairQueue.isEmpty) return undefined;
    let free = this.limits.threads;
    for (const { tasks } of this.threads) if (tasks.length > 0) free -= 1;
    if (free === 0) return undefined;
    const mayUseLastThread = (queue: EnvironmentQueue<Task>): boolean =>
      !queue.isSlow && (queue.running === 0 || queue.isFast);
    for (const queue of this.fairQueue.inTurn()) {
      const thread =
        free > 1 || this.limits.threads === 1 || mayUseLastThread(queue) ? this.threadFor(queue) : undefined;
      if (thread) return { queue, thread };
    }
    return undefined;
  }

  /** An idle thread. When there is none (or, for a slow environment, only one), another thread is started for later. */
  private threadFor(queue: EnvironmentQueue<Task>): Thread | undefined {
    const idle = this.idle();
    const enough = queue.isSlow ? 2 : 1;
    if (idle.length < enough && this.startAnother()) return undefined;
    return queue.isFast ? idle[0] : idle.at(-1);
  }

  private idle(): Thread[] {
    return [...this.threads].filter(({ isReady, tasks }) => isReady && tasks.length === 0);
  }

  /** Starts one thread at a time. Returns false when the maximum number is running. */
  private startAnother(): boolean {
    const isStarting = [...this.threads].some(({ isReady }) => !isReady);
    if (!isStarting && this.threads.size >= this.limits.threads) return false;
    if (!isStarting) this.start();
    return true;
  }

  /** The jobs of the queue, filled up with jobs of other environments when all of them are fast. */
  private takeBatch(first: EnvironmentQueue<Task>): Task[] {
    const batch = { tasks: [] as Task[], characters: 0 };
    this.takeFrom(first, batch);
    if (first.isFast && first.waiting.length === 0) {
      for (const queue of this.fairQueue.inTurn()) {
        if (batch.tasks.length >= BATCH_JOBS || batch.characters > BATCH_CHARACTERS) break;
        if (queue.isFast) this.takeFrom(queue, batch);
      }
    }
    return batch.tasks;
  }

  private takeFrom(queue: EnvironmentQueue<Task>, batch: { tasks: Task[]; characters: number }): void {
    const most = batch.tasks.length + queue.jobsWithin(BATCH_MS, BATCH_JOBS_UNKNOWN);
    let taken = 0;
    for (const task of queue.waiting) {
      if (batch.tasks.length >= Math.min(most, BATCH_JOBS)) break;
      if (!this.isRefused(task)) {
        batch.characters += task.json!.length;
        if (batch.tasks.length > 0 && batch.characters > BATCH_CHARACTERS) break;
        batch.tasks.push(task);
      }
      taken += 1;
    }
    queue.waiting.splice(0, taken);
    this.fairQueue.onTaken(queue);
  }

  /** Settles a task that must not be sent to a thread. Otherwise serializes its data. */
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
    else if ((task.json ??= JSON.stringify(task.data)).length > DATA_CHARACTERS) {
      reason = `its variables are longer than ${DATA_CHARACTERS} characters`;
    }
    if (reason === undefined) return false;
    task.resolve(costly(location, reason));
    return true;
  }

  private start(): void {
    const { heapMb, outputCharacters, keepReady = false, slowNice = null } = this.limits;
    const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(THREAD_FILE, {
      workerData: { shared, outputCharacters, loadSchemas: keepReady, slowNice } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      execArgv: [],
    });
    const state = { isReady: false, hasBeenSlow: false, tasks: [], answered: 0, since: 0, checks: 0 };
    const thread: Thread = { worker, shared, ...state };
    worker.on('message', (message: string) => {
      if (message === READY) this.becomeIdle(thread);
      else this.receive(thread, JSON.parse(message) as ThreadAnswers);
    });
    worker.on('error', (error: Error) => this.fail(thread, error));
    worker.on('exit', () => this.fail(thread, new Error('The render thread ended')));
    this.threads.add(thread);
  }

  /** Marks the thread as idle: it gets waiting tasks, or ends after a while. */
  private becomeIdle(thread: Thread): void {
    if (!this.threads.has(thread)) return;
    thread.isReady = true;
    thread.worker.unref();
    const kept = this.limits.keepReady ? 2 : 1;
    const mayEnd = (): boolean => this.threads.size > kept || thread.hasBeenSlow;
    thread.idle = setTimeout(() => mayEnd() && void this.end(thread), IDLE_MS).unref();
    this.dispatch();
  }

  private end(thread: Thread): Promise<number> {
    clearTimeout(thread.idle);
    for (const queue of queuesOf(thread.tasks)) queue.running -= 1;
    thread.tasks = [];
    this.threads.delete(thread);
    return thread.worker.terminate();
  }

  private receive(thread: Thread, { answers, ms, done }: ThreadAnswers): void {
    if (!this.threads.has(thread)) return;
    for (const [index, answer] of answers.entries()) {
      const task = thread.tasks[thread.answered]!;
      thread.answered += 1;
      charge(task, ms[index]!);
      if ('result' in answer) {
        task.queue.clearStrikes(task.texts);
        task.resolve({ ok: true, result: answer.result });
      } else {
        task.resolve(refusal(task.texts[answer.text] ?? COMPOSED, answer.message));
      }
    }
    thread.since = performance.now();
    if (!done) return;
    this.putBack(thread.tasks.slice(thread.answered));
    for (const queue of queuesOf(thread.tasks)) queue.running -= 1;
    thread.tasks = [];
    this.becomeIdle(thread);
  }

  /**
   * Counts checks instead of reading a clock: when the process was suspended, no check ran, so no job is ended for it.
   */
  private checkRunning(): void {
    for (const thread of this.threads) {
      const running = runningPart(thread);
      thread.checks = running && running.task === thread.seen ? thread.checks + 1 : 0;
      thread.seen = running?.task;
      if (running && thread.checks >= CHECKS_PER_LIMIT) {
        this.endFor(thread, running, `took longer than ${this.limits.timeLimitMs} ms`);
      }
    }
  }

  private fail(thread: Thread, error: Error): void {
    if (!this.threads.has(thread)) return;
    const running = runningPart(thread);
    if (running && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      this.endFor(thread, running, `took more than ${this.limits.heapMb} MB of memory`);
      return;
    }
    for (const task of thread.tasks) task.reject(error);
    void this.end(thread);
    // A thread that cannot start means that the next one could not start either: only the existing threads go on.
    if (thread.isReady) this.dispatch();
    else if (this.threads.size === 0) for (const task of this.fairQueue.takeAll()) task.reject(error);
  }

  /** Ends the thread because of one task; the other tasks of its batch go back to the front of their queues. */
  private endFor(thread: Thread, { task, text }: RunningPart, reason: string): void {
    const others = thread.tasks.slice(thread.answered).filter((other) => other !== task);
    charge(task, performance.now() - thread.since);
    void this.end(thread);
    this.putBack(others);
    task.queue.strike(text.text);
    task.resolve(costly(text, reason));
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

const queuesOf = (tasks: Task[]): Set<EnvironmentQueue<Task>> => new Set(tasks.map(({ queue }) => queue));

function charge({ queue, call }: Task, ms: number): void {
  queue.charge(ms);
  call.leftMs -= ms;
}

type RunningPart = { task: Task; text: PlacedText };

/** The task and text that the thread is working on. */
function runningPart({ tasks, shared }: Thread): RunningPart | undefined {
  let part = Atomics.load(shared, PART);
  if (part === 0) return undefined;
  for (const task of tasks) {
    const parts = Math.max(task.texts.length, 1);
    if (part <= parts) return { task, text: task.texts[part - 1] ?? COMPOSED };
    part -= parts;
  }
  return undefined;
}

const refusal = ({ path }: PlacedText, message: string): Outcome<JobKind> => ({ ok: false, fault: { path, message } });

const costly = (text: PlacedText, reason: string): Outcome<JobKind> => refusal(text, tooCostly(reason));
