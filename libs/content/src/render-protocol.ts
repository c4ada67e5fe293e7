import type { Json, JsonObject } from '@clarion/contracts/core';
import type { ComposedEmail, ComposedInApp } from './composed-messages';
import type { EmailTemplate, EmailOutlineAnswer } from './email-outline';
import type { Outline } from './outline';
import type { PayloadCheck } from './payload-check';
import type { TextMode } from './template-html';
import type { KeyFault, TemplateNames } from './translation-jobs';

/** Messages of a render process, one on each line of a pipe. A batch is answered with a few. */
export type Batch = {
  texts: string[];
  jobs: WrittenJob[];
  /** After this time the process returns the remaining jobs undone; null for no limit. */
  stopAfterMs: number | null;
  /** True when the process reports each text before it works on it. */
  reports: boolean;
};

/** `texts` holds indexes into the texts of the batch. */
type WrittenJob = [kind: JobKind, texts: number[], data: Json];

export type JobKind = keyof JobResults;
export type JobResults = {
  render: string[];
  /** For each text, why it does not compile, or null. */
  faults: (string | null)[];
  /** For each text, the variables that it reads. */
  variables: string[][][];
  /** The outline of the data, a text; null when it needs Liquid. */
  outline: Outline | null;
  /** The outline of an email, or null when each message has to be composed. */
  email_outline: EmailOutlineAnswer | null;
  /** The email of the control values (the first text, JSON) in the layout (the second one, if there is one). */
  email: ComposedEmail;
  /** The message that the data, rendered controls, are composed into. */
  in_app: ComposedInApp;
  /** For each text, a body, the variables that the nodes of its document name. */
  block_variables: string[][][];
  /** The translated controls of a template (the first text) with contents (the others); null when it names no key. */
  translate: JsonObject | null;
  /** What templates (the first text, a list) name, with contents (the others). */
  names: TemplateNames[];
  /** For each content of the data that is to be added, the key that has no end, or null. */
  endless: (KeyFault | null)[];
  /** Why the schema (the only text) does not compile, or null. */
  schema: string | null;
  /** The result of checking the data against the schema (the only text). */
  payload: PayloadCheck;
};

/** The data of a `render` job: the variables, and one mode per text. */
export type RenderData = { variables: JsonObject; modes: TextMode[] };

export type EmailData = { variables: JsonObject; escapeHtml: boolean };

/** The data of an `email_outline` job: the template, and the indexes of the values that are empty. */
export type EmailOutlineData = EmailTemplate & { empty: number[] };

/** A text of a job by its index, and the path of the part of it that is meant. */
export type Place = { text: number; path?: string };

/** The result of a job, or the text that failed and the reason. */
export type Answer = { result: JobResults[JobKind] } | (Place & { message: string });

/** Answers to the next jobs of the batch. After the last message (`done`), unanswered jobs have to be run again. */
export type Answers = { answers: Answer[]; ms: number[]; done: boolean };

/** The job of the batch, and the text of the job, that the process works on from now on. */
export type Progress = Place & { job: number };

export type ProcessOptions = {
  outputCharacters: number;
  /** True when the process loads the JSON Schema validator at start instead of at the first schema job. */
  loadSchemas: boolean;
};

type SentJob = { kind: JobKind; texts: { text: string }[]; json?: string };

/** Serializes a batch. A text that several jobs use is included once. */
export function writeBatch(jobs: SentJob[], stopAfterMs: number, reports: boolean): string {
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
  return `{"texts":${texts},"jobs":[${written.join()}],"stopAfterMs":${stop},"reports":${reports}}`;
}

/** Of a process: it has loaded what it needs, at start or for a batch. */
export const READY = 'ready';
/** Of a process: it loads code, which takes longer than a job may take. */
export const LOADING = 'loading';
/** To a process: jobs of other environments wait. */
export const OTHERS_WAIT = 'others wait';

export function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    for (const line of lines) onLine(line);
  });
}
