import type { Json } from '@clarion/contracts/core';
import type { EnvironmentQueue } from './fair-queue';
import { isLonger } from './json-size';
import type { JobKind, JobResults, Place } from './render-protocol';
import { type PlacedText, type TemplateFault, tooCostly } from './templates';

/** One piece of work for a process, on behalf of one environment. */
export type Job<K extends JobKind = JobKind> = { kind: K; environmentId: string; texts: PlacedText[]; data: Json };
export type Outcome<K extends JobKind> = { ok: true; result: JobResults[K] } | { ok: false; fault: TemplateFault };

/** The limit for the texts and the data of one job. */
export const JOB_CHARACTERS = 8 * 1024 * 1024;

/** The location of a fault in a job without texts. */
export const COMPOSED: PlacedText = { path: 'body', text: '' };

/** The text, under the path of the part that is meant. */
export function placed({ texts }: Job, { text, path }: Place): PlacedText {
  const whole = texts[text] ?? COMPOSED;
  return path === undefined ? whole : { ...whole, path };
}

/** The jobs of one call share its time limit. */
export type Call = { leftMs: number };

export type Task = Job & {
  queue: EnvironmentQueue<Task>;
  call: Call;
  /** The data as JSON, serialized when first needed. */
  json?: string;
  /** True when a process ended while this task may have been running. */
  isSuspect?: boolean;
  resolve(outcome: Outcome<JobKind>): void;
  reject(error: Error): void;
};

export const queuesOf = (tasks: Task[]): Set<EnvironmentQueue<Task>> => new Set(tasks.map(({ queue }) => queue));

export function charge({ queue, call }: Task, ms: number): void {
  queue.charge(ms);
  call.leftMs -= ms;
}

/** Why a task is too long for a process. Measured before the JSON is written; a task that is not keeps the JSON. */
export function lengthFault(task: Task): string | undefined {
  const left = task.texts.reduce((characters, { text }) => characters - text.length, JOB_CHARACTERS);
  const isFit = left >= 0 && (task.json !== undefined || !isLonger(task.data, left));
  if (isFit && (task.json ??= JSON.stringify(task.data)).length <= left) return undefined;
  return `its texts and variables are longer than ${JOB_CHARACTERS} characters`;
}

export const refusal = ({ path }: PlacedText, message: string): Outcome<JobKind> => ({
  ok: false,
  fault: { path, message },
});

export const costly = (text: PlacedText, reason: string): Outcome<JobKind> => refusal(text, tooCostly(reason));
