import type { Json, JsonObject } from '@clarion/contracts/core';
import type { ComposedEmail, ComposedInApp } from './composed-messages';
import type { EmailTemplate, EmailOutlineAnswer } from './email-outline';
import type { Outline } from './outline';
import type { PayloadCheck } from './payload-check';
import type { TextMode } from './template-html';

/**
 * Messages between `RenderThreads` and a render thread. A batch is sent as one message and answered with a few, all of
 * them JSON text, because that is cheaper than the structured clone of the objects.
 */
export type ThreadBatch = {
  texts: string[];
  jobs: ThreadJob[];
  /** After this time the thread returns the remaining jobs undone; null for no limit. */
  stopAfterMs: number | null;
  /** True when recent jobs of the environment were slow. */
  isSlow: boolean;
};

/** `texts` holds indexes into the texts of the batch. */
export type ThreadJob = [kind: JobKind, texts: number[], data: Json];

export type JobKind = keyof JobResults;
export type JobResults = {
  /** The rendered texts. */
  render: string[];
  /** For each text, why it does not compile, or null. */
  faults: (string | null)[];
  /** For each text, the variables that it reads. */
  variables: string[][][];
  /** The outline of the data, a text; null when it needs Liquid. */
  outline: Outline | null;
  /** The outline of an email, or null when each message has to be composed. */
  email_outline: EmailOutlineAnswer | null;
  /** The rendered controls, composed into a message. */
  compose: ComposedEmail | ComposedInApp;
  /** Why the schema (the only text) does not compile, or null. */
  schema: string | null;
  /** The result of checking the data against the schema (the only text). */
  payload: PayloadCheck;
};

/** The data of a `render` job: the variables, and one mode per text. */
export type RenderData = { variables: JsonObject; modes: TextMode[] };

export type Composition = {
  as: 'email' | 'in_app';
  controls: JsonObject;
  layoutHtml?: string;
};

/** The data of an `email_outline` job: the template, and the indexes of the values that are empty. */
export type EmailOutlineData = EmailTemplate & { empty: number[] };

/** The result of a job, or the index of the text that failed and the reason. */
export type ThreadAnswer = { result: JobResults[JobKind] } | { text: number; message: string };

/**
 * Answers to the next jobs of the batch, with the time that each job took. After the last message (`done`) some jobs
 * may be unanswered; these have to be run again.
 */
export type ThreadAnswers = { answers: ThreadAnswer[]; ms: number[]; done: boolean };

export type ThreadData = {
  shared: Int32Array<SharedArrayBuffer>;
  outputCharacters: number;
  /** True when the thread loads the JSON Schema validator at start instead of at the first schema job. */
  loadSchemas: boolean;
  /** The nice value for a thread that runs slow jobs. */
  slowNice: number | null;
};

type WrittenJob = { kind: JobKind; texts: { text: string }[]; json?: string };

/** Serializes a batch. A text that several jobs use is included once. */
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
  const texts = JSON.stringify([...numbers.keys()]);
  return `{"texts":${texts},"jobs":[${written.join()}],"stopAfterMs":${stop},"isSlow":${isSlow}}`;
}

/** First message of a thread: it has loaded its code. */
export const READY = 'ready';

/**
 * Indexes into `ThreadData.shared`: the part of the batch that is running, and whether jobs of another environment
 * wait.
 */
export const PART = 0;
export const OTHERS_WAIT = 1;
