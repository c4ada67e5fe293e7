import type { Json, JsonObject } from '@clarion/contracts/core';
import type { ComposedEmail } from './email';
import type { ComposedInApp } from './in-app';
import type { PayloadCheck } from './payload-schema';
import type { TextMode } from './template-html';

/**
 * What `RenderThreads` and a render thread say to each other. A batch goes as one message and its answers come back as few,
 * all of them JSON text: that costs less than cloning the objects.
 */
export type ThreadBatch = {
  texts: string[];
  jobs: ThreadJob[];
  /** When the jobs that are left go back in any case; null for never. */
  stopAfterMs: number | null;
  /** Whether the environment is known for slow jobs. */
  isSlow: boolean;
};

/** Texts by their place in the batch. */
export type ThreadJob = [kind: JobKind, texts: number[], data: Json];

export type JobKind = keyof JobResults;
export type JobResults = {
  /** Each text rendered with the data as variables. */
  render: string[];
  /** Why each text does not compile; null for those that do. */
  faults: (string | null)[];
  /** The variables that each text asks for. */
  variables: string[][][];
  /** The data, which is rendered, as what is sent. */
  compose: ComposedEmail | ComposedInApp;
  /** What is wrong with the schema that is the only text; null when nothing is. */
  schema: string | null;
  /** The data checked against the schema that is the only text. */
  payload: PayloadCheck;
};

/** The data of `render`: for each text, what it becomes. */
export type RenderData = { variables: JsonObject; modes: TextMode[] };

export type Composition = {
  as: 'email' | 'in_app';
  controls: JsonObject;
  layoutHtml?: string;
};

/** The result of a job, or which of its texts failed and why. */
export type ThreadAnswer = { result: JobResults[JobKind] } | { text: number; message: string };

/** Answers to the next jobs of the batch, with the time that each took. After the last message some jobs may be unanswered. */
export type ThreadAnswers = { answers: ThreadAnswer[]; ms: number[]; done: boolean };

export type ThreadData = {
  shared: Int32Array<SharedArrayBuffer>;
  outputCharacters: number;
  /** Whether payload schemas are checked by all threads, so that the code for it is loaded at the start. */
  loadSchemas: boolean;
  /** The nice value of a thread that works on slow jobs. */
  slowNice: number | null;
};

type WrittenJob = { kind: JobKind; texts: { text: string }[]; json?: string };

/** The batch as a message. The same text stands in it once, however many jobs use it. */
export function writeBatch(jobs: WrittenJob[], stopAfterMs: number, isSlow: boolean): string {
  const numbers = new Map<string, number>();
  const written = jobs.map(({ kind, texts, json }) => {
    const indexes = texts.map(({ text }) => {
      let number = numbers.get(text);
      if (number === undefined) numbers.set(text, (number = numbers.size));
      return number;
    });
    return `["${kind}",[${indexes.join()}],${json}]`;
  });
  const stop = Number.isFinite(stopAfterMs) ? stopAfterMs : null;
  return `{"texts":${JSON.stringify([...numbers.keys()])},"jobs":[${written.join()}],"stopAfterMs":${stop},"isSlow":${isSlow}}`;
}

/** The first message of a thread: everything is loaded. */
export const READY = 'ready';

/** Places in `ThreadData.shared`: the part of the batch that is running, and whether jobs of another environment wait. */
export const PART = 0;
export const OTHERS_WAIT = 1;

/** The fault of a payload whose check took too much time. */
export const TOO_COSTLY = 'takes too long to check against the schema of the workflow';
