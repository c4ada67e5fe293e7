import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Json, JsonObject } from '@clarion/contracts/core';
import type { composeEmail } from './compose-email';
import type { composeInApp } from './in-app';
import type { SchemaChecks } from './payload-schema';
import type { readEmailOutline } from './read-email-outline';
import { readOutline } from './read-outline';
import { authoringFault, reasonOf, renderText, tooLong, variablesOfText } from './templates';
import {
  type Composition,
  type EmailOutlineData,
  type JobKind,
  type JobResults,
  OTHERS_WAIT,
  PART,
  READY,
  type RenderData,
  type ThreadAnswer,
  type ThreadBatch,
  type ThreadData,
} from './thread-protocol';

/** Entry point of a render thread: processes everything that tenants write (templates, contents and schemas). */

/** Answers are posted at this size, so that a batch of long texts does not fill the heap of the thread. */
const ANSWER_CHARACTERS = 256 * 1024;

/** After this time the thread returns the rest of its batch when jobs of another environment wait. */
const TIME_SLICE_MS = 20;

const { shared, outputCharacters, loadSchemas, slowNice } = workerData as ThreadData;

async function work(message: string): Promise<void> {
  // If the thread fails from here on, the batch is the cause.
  startPart(1);
  const begin = performance.now();
  const { texts, jobs, stopAfterMs, isSlow } = JSON.parse(message) as ThreadBatch;
  if (isSlow) lowerPriority();
  let answers: string[] = [];
  let ms: number[] = [];
  let characters = 0;
  let part = 1;
  let answered = 0;
  const post = (done: boolean): void => {
    parentPort!.postMessage(`{"answers":[${answers.join()}],"ms":[${ms.join()}],"done":${done}}`);
    answers = [];
    ms = [];
    characters = 0;
  };
  let last = begin;
  for (const [kind, indexes, data] of jobs) {
    if (answered > 0 && mustStop(last - begin, stopAfterMs)) break;
    answered += 1;
    startPart(part);
    const given = indexes.map((index) => texts[index]!);
    const answer = JSON.stringify(await JOBS[kind](given, data, part));
    part += Math.max(indexes.length, 1);
    answers.push(answer);
    characters += answer.length;
    const now = performance.now();
    ms.push(Number((now - last - loadingMs).toFixed(3)));
    last = now;
    loadingMs = 0;
    if (characters > ANSWER_CHARACTERS) post(false);
  }
  startPart(0);
  post(true);
}

let hasLowPriority = false;

/**
 * Lowers the priority of this thread, so that the event loop and threads of other environments run first. On Linux a
 * priority belongs to a thread; on other systems it would apply to the process. It cannot be undone: raising the
 * priority needs a privilege.
 */
function lowerPriority(): void {
  if (slowNice === null || hasLowPriority || process.platform !== 'linux') return;
  hasLowPriority = true;
  try {
    setPriority(0, slowNice);
  } catch {
    // A sandbox may forbid this; the thread then keeps the normal priority.
  }
}

function mustStop(elapsedMs: number, stopAfterMs: number | null): boolean {
  if (stopAfterMs !== null && elapsedMs > stopAfterMs) return true;
  return elapsedMs > TIME_SLICE_MS && Atomics.load(shared, OTHERS_WAIT) === 1;
}

/**
 * Parts are the texts of the jobs (or a job without texts), counted from 1. `RenderThreads` reads the current part to
 * find out which text exceeds its limits; 0 means none.
 */
function startPart(part: number): void {
  Atomics.store(shared, PART, part);
}

type Work = (texts: string[], data: Json, firstPart: number) => ThreadAnswer | Promise<ThreadAnswer>;

const JOBS: Record<JobKind, Work> = {
  render(texts, data, firstPart) {
    const { variables, modes } = data as RenderData;
    let charactersLeft = outputCharacters;
    return eachText(texts, firstPart, (text, index) => {
      const output = renderText(text, variables, modes[index]);
      charactersLeft -= output.length;
      if (charactersLeft < 0) throw new Error(tooLong(outputCharacters));
      return output;
    });
  },
  faults: (texts, _data, firstPart) => eachText(texts, firstPart, (text) => authoringFault(text) ?? null),
  variables: (texts, _data, firstPart) => eachText(texts, firstPart, variablesOfText),
  outline: (_texts, text) => answerOf(() => readOutline(text as string)),
  async email_outline(_texts, data, part) {
    composers ??= await load(part, importComposers);
    const { empty, ...template } = data as EmailOutlineData;
    const { readEmailOutline } = composers;
    return answerOf(() => readEmailOutline(template, empty));
  },
  async compose(_texts, data, part) {
    composers ??= await load(part, importComposers);
    const { as, controls, layoutHtml } = data as Composition;
    const { composeEmail, composeInApp } = composers;
    return answerOf(() => (as === 'email' ? composeEmail(controls, { layoutHtml }) : composeInApp(controls)));
  },
  async schema([schema], _data, part) {
    schemas ??= await load(part, importSchemas);
    const checks = schemas;
    return answerOf(() => checks.schemaFault(schema!) ?? null);
  },
  async payload([schema], data, part) {
    schemas ??= await load(part, importSchemas);
    const checks = schemas;
    return answerOf(() => checks.checkPayload(schema!, data as JsonObject));
  },
};

function eachText<T extends string | string[][] | null>(
  texts: string[],
  firstPart: number,
  work: (text: string, index: number) => T,
): ThreadAnswer {
  const result: T[] = [];
  for (const [index, text] of texts.entries()) {
    startPart(firstPart + index);
    try {
      result.push(work(text, index));
    } catch (error) {
      return { text: index, message: reasonOf(error) };
    }
  }
  return { result: result as JobResults[JobKind] };
}

function answerOf(work: () => JobResults[JobKind]): ThreadAnswer {
  try {
    return { result: work() };
  } catch (error) {
    return { text: 0, message: reasonOf(error) };
  }
}

/**
 * Loaded on first use, unless `loadSchemas` is set: a thread that only renders starts several times faster without
 * them.
 */
let composers: Composers | undefined;
let schemas: SchemaChecks | undefined;

type Composers = {
  composeEmail: typeof composeEmail;
  composeInApp: typeof composeInApp;
  readEmailOutline: typeof readEmailOutline;
};

const importComposers = async (): Promise<Composers> => ({
  ...(await import('./compose-email.js')),
  ...(await import('./in-app.js')),
  ...(await import('./read-email-outline.js')),
});

const importSchemas = async (): Promise<SchemaChecks> => new (await import('./payload-schema.js')).SchemaChecks();

let loadingMs = 0;

/** Time and failures of loading are not charged to the job. */
async function load<T>(part: number, loading: () => Promise<T>): Promise<T> {
  startPart(0);
  const begin = performance.now();
  const loaded = await loading();
  loadingMs = performance.now() - begin;
  startPart(part);
  return loaded;
}

async function start(): Promise<void> {
  if (loadSchemas) schemas = await importSchemas();
  parentPort!.on('message', (message: string) => void work(message));
  parentPort!.postMessage(READY);
}

void start();
