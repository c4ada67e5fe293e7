import type { Json } from '@clarion/contracts/core';
import type { EnvironmentQueue } from './fair-queue';
import { writeWithin, type WrittenJson } from './json-size';
import type { JobKind, JobResults, Place } from './render-protocol';
import { type PlacedText, reasonOf, type TemplateFault, tooCostly } from './templates';

/** One piece of work for a process, on behalf of one environment. */
export type Job<K extends JobKind = JobKind> = { kind: K; environmentId: string; texts: PlacedText[]; data: Json };
export type RenderResult<K extends JobKind> = { ok: true; result: JobResults[K] } | { ok: false; fault: TemplateFault };

/** The limit for the texts and the data of one job. */
export const JOB_CHARACTERS = 8 * 1024 * 1024;

/** The location of a fault in a job without texts. */
export const COMPOSED: PlacedText = { path: 'body', text: '' };

/** The text, under the path of the part that is meant. */
export function placed({ texts }: Job, { text, path }: Place): PlacedText {
  const whole = texts[text] ?? COMPOSED;
  return path === undefined ? whole : { ...whole, path };
}

/** The jobs of one call share its time limit, and the JSON of the data that they have in common. */
export type Call = { leftMs: number; written: WrittenJson };

export type Task = Job & {
  queue: EnvironmentQueue<Task>;
  call: Call;
  /** The data as JSON, serialized when first needed. */
  json?: string;
  /** How long that took. */
  writeMs?: number;
  /** True when a process ended while this task may have been running. */
  isSuspect?: boolean;
  resolve(outcome: RenderResult<JobKind>): void;
  reject(error: Error): void;
};

export const queuesOf = (tasks: Task[]): Set<EnvironmentQueue<Task>> => new Set(tasks.map(({ queue }) => queue));

/** Charges the render time of a task, and the time that writing its data took on the event loop. */
export function charge({ queue, call, writeMs = 0 }: Task, ms: number): void {
  queue.charge(ms + writeMs);
  call.leftMs -= ms;
}

/** Why a task cannot be sent to a process. A task that can be keeps the JSON. */
export function lengthFault(task: Task): string | undefined {
  if (task.json !== undefined) return undefined;
  const start = performance.now();
  const left = task.texts.reduce((characters, { text }) => characters - text.length, JOB_CHARACTERS);
  try {
    task.json = writeWithin(task.data, left, task.call.written);
  } catch (error) {
    // Too deep for the stack. Thrown here, it would stop the jobs of all environments.
    return `its variables cannot be written as JSON: ${reasonOf(error)}`;
  } finally {
    task.writeMs = performance.now() - start;
  }
  if (task.json === undefined) return `its texts and variables are longer than ${JOB_CHARACTERS} characters`;
  return undefined;
}

export const refusal = ({ path }: PlacedText, message: string): RenderResult<JobKind> => ({
  ok: false,
  fault: { path, message },
});

export const costly = (text: PlacedText, reason: string): RenderResult<JobKind> => refusal(text, tooCostly(reason));
