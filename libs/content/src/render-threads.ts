import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadData, ThreadJob, ThreadResult } from './render-thread';
import { type PlacedText, type TemplateFault, tooCostly } from './templates';

export type ThreadLimits = {
  threads: number;
  /** For one job. */
  timeLimitMs: number;
  /** Of one thread. */
  heapMb: number;
  /** Of one job. */
  outputCharacters: number;
};

/** What a thread is asked to do: texts to render with the data, or data to compose. */
export type Job = { texts: PlacedText[]; data: ThreadJob[1] };
export type Outcome = { ok: true; result: ThreadResult } | { ok: false; fault: TemplateFault };

/** The compiled file, also when this one is read from `src` (in specs). */
const THREAD_FILE = join(__dirname, '..', 'dist', 'render-thread.js');

/** What is sent at once: enough to make the hop cheap, and little beside the heap of a thread. */
const BATCH_JOBS = 200;
const BATCH_CHARACTERS = 1024 * 1024;

/** Of the data of one job: a thread that is sent more would not even get to reading it. */
const DATA_CHARACTERS = 8 * 1024 * 1024;

/** How often a running job is looked at within its time limit. */
const LOOKS = 10;

/** A text that was too costly this often in a row is refused for a while: it must not take the threads from the rest. */
const STRIKES = 3;
const REFUSE_MS = 5_000;
const STRUCK_TEXTS = 1_000;

/** Where a fault is when a job has no texts of its own. */
const COMPOSED: PlacedText = { path: 'body', text: '' };

type Task = Job & {
  /** The data as JSON, once it was needed. */
  json?: string;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
};

type Thread = {
  worker: Worker;
  position: Int32Array;
  /** What it works on, and how many of these tasks are answered. */
  tasks: Task[];
  answered: number;
  /** The task that was running at the last look, and how many looks have seen it. */
  seen?: Task;
  looks: number;
};

/**
 * Threads that can be ended: a job that takes too much time or memory ends its thread and gets a fault, the others go on in a
 * fresh one. Threads start when they are needed and keep the process alive only while they work.
 */
export class RenderThreads {
  private readonly threads = new Set<Thread>();
  private readonly waiting: Task[] = [];
  private readonly struck = new Map<string, { strikes: number; refusedUntil: number }>();
  private timer?: NodeJS.Timeout;
  private closed = false;

  constructor(private readonly limits: ThreadLimits) {}

  async run(jobs: Job[]): Promise<Outcome[]> {
    if (this.closed) throw new Error('The renderer is closed');
    const outcomes = jobs.map(
      ({ texts, data }) =>
        new Promise<Outcome>((resolve, reject) => {
          this.waiting.push({ texts, data, resolve, reject });
        }),
    );
    this.dispatch();
    return Promise.all(outcomes);
  }

  /** What is not done yet is rejected. */
  async close(): Promise<void> {
    this.closed = true;
    const threads = [...this.threads];
    for (const task of [...this.waiting.splice(0), ...threads.flatMap(({ tasks }) => tasks)]) {
      task.reject(new Error('The renderer is closed'));
    }
    await Promise.all(threads.map((thread) => this.end(thread)));
    this.dispatch();
  }

  /** Gives waiting tasks to idle threads. */
  private dispatch(): void {
    while (this.waiting.length > 0) {
      const thread = this.idleThread();
      if (!thread) break;
      const tasks = this.takeBatch();
      if (tasks.length === 0) break;
      Object.assign(thread, { tasks, answered: 0, seen: undefined, looks: 0 });
      thread.worker.ref();
      thread.worker.postMessage(messageOf(tasks));
    }
    if ([...this.threads].some(({ tasks }) => tasks.length > 0)) {
      this.timer ??= setInterval(() => this.look(), this.limits.timeLimitMs / LOOKS);
    } else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private idleThread(): Thread | undefined {
    for (const thread of this.threads) if (thread.tasks.length === 0) return thread;
    return this.threads.size < this.limits.threads ? this.start() : undefined;
  }

  private takeBatch(): Task[] {
    const tasks: Task[] = [];
    let characters = 0;
    let taken = 0;
    for (const task of this.waiting) {
      if (tasks.length === BATCH_JOBS) break;
      const refused = this.refusedText(task);
      if (refused) {
        task.resolve(costly(refused, 'it took too much time or memory again and again'));
      } else {
        task.json ??= JSON.stringify(task.data);
        characters += task.json.length;
        if (tasks.length > 0 && characters > BATCH_CHARACTERS) break;
        if (task.json.length <= DATA_CHARACTERS) tasks.push(task);
        else
          task.resolve(
            costly(task.texts[0] ?? COMPOSED, `its variables are longer than ${DATA_CHARACTERS} characters`),
          );
      }
      taken += 1;
    }
    this.waiting.splice(0, taken);
    return tasks;
  }

  private start(): Thread {
    const { heapMb, outputCharacters } = this.limits;
    const position = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(THREAD_FILE, {
      workerData: { position, outputCharacters } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      execArgv: [],
    });
    const thread: Thread = { worker, position, tasks: [], answered: 0, looks: 0 };
    worker.on('message', (answers: string) => this.receive(thread, JSON.parse(answers) as ThreadAnswer[]));
    worker.on('error', (error: Error) => this.fail(thread, error));
    worker.on('exit', () => this.fail(thread, new Error('The render thread ended')));
    this.threads.add(thread);
    return thread;
  }

  private end(thread: Thread): Promise<number> {
    this.threads.delete(thread);
    return thread.worker.terminate();
  }

  private receive(thread: Thread, answers: ThreadAnswer[]): void {
    if (!this.threads.has(thread)) return;
    for (const answer of answers) {
      const task = thread.tasks[thread.answered]!;
      thread.answered += 1;
      if ('result' in answer) {
        if (this.struck.size > 0) for (const { text } of task.texts) this.struck.delete(text);
        task.resolve({ ok: true, result: answer.result });
      } else {
        task.resolve(refusal(task.texts[answer.text] ?? COMPOSED, answer.message));
      }
    }
    if (thread.answered < thread.tasks.length) return;
    thread.tasks = [];
    thread.worker.unref();
    this.dispatch();
  }

  /**
   * Looks are counted and no clock is read: a process that did not get to run for a while has looked at nothing, so nobody is
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
    this.dispatch();
  }

  /** Ends the thread because of one task; the others of its batch are next. */
  private blame(thread: Thread, { task, text }: RunningPart, reason: string): void {
    void this.end(thread);
    this.waiting.unshift(...thread.tasks.slice(thread.answered).filter((other) => other !== task));
    this.strike(text.text);
    task.resolve(costly(text, reason));
    this.dispatch();
  }

  private strike(text: string): void {
    if (text === '') return;
    const strikes = (this.struck.get(text)?.strikes ?? 0) + 1;
    this.struck.delete(text);
    this.struck.set(text, { strikes, refusedUntil: strikes >= STRIKES ? performance.now() + REFUSE_MS : 0 });
    if (this.struck.size > STRUCK_TEXTS) this.struck.delete(this.struck.keys().next().value!);
  }

  private refusedText({ texts }: Task): PlacedText | undefined {
    if (this.struck.size === 0) return undefined;
    return texts.find(({ text }) => (this.struck.get(text)?.refusedUntil ?? 0) > performance.now());
  }
}

type RunningPart = { task: Task; text: PlacedText };

/** The place of the thread in its batch, as task and text. */
function runningPart({ tasks, position }: Thread): RunningPart | undefined {
  let part = Atomics.load(position, 0);
  if (part === 0) return undefined;
  for (const task of tasks) {
    const parts = Math.max(task.texts.length, 1);
    if (part <= parts) return { task, text: task.texts[part - 1] ?? COMPOSED };
    part -= parts;
  }
  return undefined;
}

/** The same text stands in the message once, however many tasks use it. */
function messageOf(tasks: Task[]): string {
  const numbers = new Map<string, number>();
  const jobs = tasks.map(({ texts, json }) => {
    const indexes = texts.map(({ text }) => {
      let number = numbers.get(text);
      if (number === undefined) numbers.set(text, (number = numbers.size));
      return number;
    });
    return `[[${indexes.join()}],${json}]`;
  });
  return `{"texts":${JSON.stringify([...numbers.keys()])},"jobs":[${jobs.join()}]}`;
}

const refusal = ({ path }: PlacedText, message: string): Outcome => ({ ok: false, fault: { path, message } });

const costly = (text: PlacedText, reason: string): Outcome => refusal(text, tooCostly(reason));
