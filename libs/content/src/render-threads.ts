import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Json } from '@clarion/contracts/core';
import { type Lane, Lanes, type TimeBudget } from './lanes';
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
  /** For one job. */
  timeLimitMs: number;
  /** Of one thread. */
  heapMb: number;
  /** Of one job. */
  outputCharacters: number;
  /** Thread time for the jobs of one call together; the jobs that are left then get a fault. */
  callLimitMs?: number;
  /** Thread time for each environment; without it an environment may take what others leave. */
  budget?: TimeBudget;
  /** For a process that requests wait for: a thread loads everything when it starts, and one is started before it is needed. */
  keepReady?: boolean;
  /** The nice value (Linux) of a thread that has worked for an environment whose jobs are slow. */
  slowNice?: number;
};

/** What a thread is asked to do with the texts, for one environment. */
export type Job<K extends JobKind = JobKind> = { kind: K; environmentId: string; texts: PlacedText[]; data: Json };
export type Outcome<K extends JobKind> = { ok: true; result: JobResults[K] } | { ok: false; fault: TemplateFault };

/** The compiled file, also when this one is read from `src` (in specs). */
const THREAD_FILE = join(__dirname, '..', 'dist', 'render-thread.js');

/** What is sent at once: enough to make the hop cheap, and little beside the heap of a thread. */
const BATCH_JOBS = 200;
const BATCH_CHARACTERS = 1024 * 1024;
/** Of an environment whose jobs are slow, no more jobs are sent at once than take about this long. */
const BATCH_MS = 40;
const BATCH_JOBS_UNKNOWN = 20;

/** Of the data of one job: a thread that is sent more would not even get to reading it. */
const DATA_CHARACTERS = 8 * 1024 * 1024;

/** How often a running job is looked at within its time limit. */
const LOOKS = 10;

/** When a thread that has nothing to do ends, unless it is one of those that are kept. */
const IDLE_MS = 30_000;

/** Where a fault is when a job has no texts of its own. */
const COMPOSED: PlacedText = { path: 'body', text: '' };

/** The jobs of one call share its time. */
type Call = { leftMs: number };

type Task = Job & {
  lane: Lane<Task>;
  call: Call;
  /** The data as JSON, once it was needed. */
  json?: string;
  resolve(outcome: Outcome<JobKind>): void;
  reject(error: Error): void;
};

type Thread = {
  worker: Worker;
  shared: Int32Array;
  /** It gets its first jobs when everything is loaded; until then they are better off with any other thread. */
  isReady: boolean;
  /** Whether it has worked for an environment whose jobs are slow. */
  hasBeenSlow: boolean;
  /** What it works on, how many of these tasks are answered, and since when it works on the next. */
  tasks: Task[];
  answered: number;
  since: number;
  /** The task that was running at the last look, and how many looks have seen it. */
  seen?: Task;
  looks: number;
  idle?: NodeJS.Timeout;
};

/**
 * Threads that can be ended: a job that takes too much time or memory ends its thread and gets a fault, the others go on in a
 * fresh one. Threads start when they are needed and keep the process alive only while they work.
 *
 * Environments take turns by the thread time that they have had. A thread works for one environment at a time, unless the
 * jobs of all of them are known to be fast, and one that others wait for goes back after a turn. Environments with slow jobs
 * get the newest thread, so that the older ones, which have everything loaded, are there for the rest.
 */
export class RenderThreads {
  private readonly threads = new Set<Thread>();
  private readonly lanes: Lanes<Task>;
  private timer?: NodeJS.Timeout;
  private closed = false;

  constructor(private readonly limits: ThreadLimits) {
    this.lanes = new Lanes(limits.budget);
  }

  /** Outcomes in the order of the jobs. Rejected with a DomainError when an environment has used up its budget. */
  async run<K extends JobKind>(jobs: Job<K>[]): Promise<Outcome<K>[]> {
    if (this.closed) throw new Error('The renderer is closed');
    const call: Call = { leftMs: this.limits.callLimitMs ?? Infinity };
    const lanes = jobs.map(({ environmentId }) => this.lanes.of(environmentId));
    const outcomes = jobs.map((job, index) => {
      const lane = lanes[index]!;
      return new Promise<Outcome<JobKind>>((resolve, reject) => {
        this.lanes.add(lane, { ...job, lane, call, resolve, reject });
      });
    });
    this.dispatch();
    return (await Promise.all(outcomes)) as Outcome<K>[];
  }

  /** Throws when the environment has used up its budget. */
  checkBudget(environmentId: string): void {
    const overdraft = this.lanes.of(environmentId).overdraft();
    if (overdraft) throw overdraft;
  }

  debit(environmentId: string, ms: number): void {
    this.lanes.of(environmentId).debit(ms);
  }

  /** What is not done yet is rejected. */
  async close(): Promise<void> {
    this.closed = true;
    const threads = [...this.threads];
    for (const task of [...this.lanes.takeAll(), ...threads.flatMap(({ tasks }) => tasks)]) {
      task.reject(new Error('The renderer is closed'));
    }
    await Promise.all(threads.map((thread) => this.end(thread)));
    this.dispatch();
  }

  /** Gives waiting tasks to idle threads. */
  private dispatch(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { lane, thread } = next;
      const tasks = this.takeBatch(lane);
      if (tasks.length === 0) continue;
      clearTimeout(thread.idle);
      Object.assign(thread, { tasks, answered: 0, since: performance.now(), seen: undefined, looks: 0 });
      for (const used of lanesOf(tasks)) used.running += 1;
      thread.worker.ref();
      const isSlow = tasks.some((task) => task.lane.isSlow);
      thread.worker.postMessage(writeBatch(tasks, Math.min(...tasks.map(({ call }) => call.leftMs)), isSlow));
      thread.hasBeenSlow ||= isSlow;
    }
    if (this.limits.keepReady && this.threads.size > 0 && this.idle().length === 0) this.startAnother();
    const working = [...this.threads].filter(({ tasks }) => tasks.length > 0);
    for (const { tasks, shared } of working) {
      const own = lanesOf(tasks);
      Atomics.store(shared, OTHERS_WAIT, this.lanes.inTurn().some((lane) => !own.has(lane)) ? 1 : 0);
    }
    if (working.length > 0) {
      this.timer ??= setInterval(() => this.look(), this.limits.timeLimitMs / LOOKS);
    } else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  /**
   * The lane that is next and its thread, if one is free. Where there are several threads, the last free one is kept from an
   * environment whose jobs are slow, and from one that has a thread already and whose jobs are not known to be fast.
   */
  private next(): { lane: Lane<Task>; thread: Thread } | undefined {
    if (this.lanes.isEmpty) return undefined;
    let free = this.limits.threads;
    for (const { tasks } of this.threads) if (tasks.length > 0) free -= 1;
    if (free === 0) return undefined;
    const mayHaveLast = (lane: Lane<Task>): boolean => !lane.isSlow && (lane.running === 0 || lane.isFast);
    for (const lane of this.lanes.inTurn()) {
      const thread = free > 1 || this.limits.threads === 1 || mayHaveLast(lane) ? this.threadFor(lane) : undefined;
      if (thread) return { lane, thread };
    }
    return undefined;
  }

  /** An idle thread; when there is none, or only one and the jobs are slow, another one is started for later. */
  private threadFor(lane: Lane<Task>): Thread | undefined {
    const idle = this.idle();
    const enough = lane.isSlow ? 2 : 1;
    if (idle.length < enough && this.startAnother()) return undefined;
    return lane.isFast ? idle[0] : idle.at(-1);
  }

  private idle(): Thread[] {
    return [...this.threads].filter(({ isReady, tasks }) => isReady && tasks.length === 0);
  }

  /** One at a time. False when there are as many as there may be. */
  private startAnother(): boolean {
    const isStarting = [...this.threads].some(({ isReady }) => !isReady);
    if (!isStarting && this.threads.size >= this.limits.threads) return false;
    if (!isStarting) this.start();
    return true;
  }

  /** The jobs of the lane; with those of others when all of them are fast. */
  private takeBatch(first: Lane<Task>): Task[] {
    const batch = { tasks: [] as Task[], characters: 0 };
    this.takeFrom(first, batch);
    if (first.isFast && first.waiting.length === 0) {
      for (const lane of this.lanes.inTurn()) {
        if (batch.tasks.length >= BATCH_JOBS || batch.characters > BATCH_CHARACTERS) break;
        if (lane.isFast) this.takeFrom(lane, batch);
      }
    }
    return batch.tasks;
  }

  private takeFrom(lane: Lane<Task>, batch: { tasks: Task[]; characters: number }): void {
    const most = batch.tasks.length + lane.jobsWithin(BATCH_MS, BATCH_JOBS_UNKNOWN);
    let taken = 0;
    for (const task of lane.waiting) {
      if (batch.tasks.length >= Math.min(most, BATCH_JOBS)) break;
      if (!this.isRefused(task)) {
        batch.characters += task.json!.length;
        if (batch.tasks.length > 0 && batch.characters > BATCH_CHARACTERS) break;
        batch.tasks.push(task);
      }
      taken += 1;
    }
    lane.waiting.splice(0, taken);
    this.lanes.taken(lane);
  }

  /** Ends a task that is not even tried; what the others bring along is written down. */
  private isRefused(task: Task): boolean {
    const { lane, texts, call } = task;
    const overdraft = lane.overdraft();
    if (overdraft) {
      task.reject(overdraft);
      return true;
    }
    const struck = lane.refused(texts);
    const place = struck ?? texts[0] ?? COMPOSED;
    let reason: string | undefined;
    if (struck) reason = 'it took too much time or memory again and again';
    else if (call.leftMs <= 0) reason = `the request took more than ${this.limits.callLimitMs} ms`;
    else if ((task.json ??= JSON.stringify(task.data)).length > DATA_CHARACTERS) {
      reason = `its variables are longer than ${DATA_CHARACTERS} characters`;
    }
    if (reason === undefined) return false;
    task.resolve(costly(place, reason));
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
    const state = { isReady: false, hasBeenSlow: false, tasks: [], answered: 0, since: 0, looks: 0 };
    const thread: Thread = { worker, shared, ...state };
    worker.on('message', (message: string) => {
      if (message === READY) this.rest(thread);
      else this.receive(thread, JSON.parse(message) as ThreadAnswers);
    });
    worker.on('error', (error: Error) => this.fail(thread, error));
    worker.on('exit', () => this.fail(thread, new Error('The render thread ended')));
    this.threads.add(thread);
  }

  /** A thread that has nothing to do is given what waits, or ends after a while. */
  private rest(thread: Thread): void {
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
    for (const lane of lanesOf(thread.tasks)) lane.running -= 1;
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
        task.lane.forgive(task.texts);
        task.resolve({ ok: true, result: answer.result });
      } else {
        task.resolve(refusal(task.texts[answer.text] ?? COMPOSED, answer.message));
      }
    }
    thread.since = performance.now();
    if (!done) return;
    this.putBack(thread.tasks.slice(thread.answered));
    for (const lane of lanesOf(thread.tasks)) lane.running -= 1;
    thread.tasks = [];
    this.rest(thread);
  }

  /**
   * Looks are counted and no clock is read: a process that did not get to run for a while has looked at nothing, so no job is
   * blamed for it.
   */
  private look(): void {
    for (const thread of this.threads) {
      const running = runningPart(thread);
      thread.looks = running && running.task === thread.seen ? thread.looks + 1 : 0;
      thread.seen = running?.task;
      if (running && thread.looks >= LOOKS) {
        this.blame(thread, running, `took longer than ${this.limits.timeLimitMs} ms`);
      }
    }
  }

  private fail(thread: Thread, error: Error): void {
    if (!this.threads.has(thread)) return;
    const running = runningPart(thread);
    if (running && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      this.blame(thread, running, `took more than ${this.limits.heapMb} MB of memory`);
      return;
    }
    for (const task of thread.tasks) task.reject(error);
    void this.end(thread);
    // Where one cannot even start, the next one could not, either: only the threads that there are go on.
    if (thread.isReady) this.dispatch();
    else if (this.threads.size === 0) for (const task of this.lanes.takeAll()) task.reject(error);
  }

  /** Ends the thread because of one task; the others of its batch are next. */
  private blame(thread: Thread, { task, text }: RunningPart, reason: string): void {
    const others = thread.tasks.slice(thread.answered).filter((other) => other !== task);
    charge(task, performance.now() - thread.since);
    void this.end(thread);
    this.putBack(others);
    task.lane.strike(text.text);
    task.resolve(costly(text, reason));
    this.dispatch();
  }

  private putBack(tasks: Task[]): void {
    for (const lane of lanesOf(tasks)) {
      this.lanes.putBack(
        lane,
        tasks.filter((task) => task.lane === lane),
      );
    }
  }
}

const lanesOf = (tasks: Task[]): Set<Lane<Task>> => new Set(tasks.map(({ lane }) => lane));

function charge({ lane, call }: Task, ms: number): void {
  lane.charge(ms);
  call.leftMs -= ms;
}

type RunningPart = { task: Task; text: PlacedText };

/** The place of the thread in its batch, as task and text. */
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
