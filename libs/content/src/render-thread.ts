import { parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '@clarion/contracts/words';
import type { composeEmail, ComposedEmail } from './email';
import type { composeInApp, ComposedInApp } from './in-app';
import { reasonOf, renderText, tooLong } from './templates';

/**
 * The thread in which the contents of tenants are worked on; `RenderThreads` starts and ends it. A batch comes as one message
 * and goes back as few, all of them JSON text: that costs less than cloning the objects.
 */
export type ThreadBatch = { texts: string[]; jobs: ThreadJob[] };
/** With texts: they are rendered with the data as variables. Without: the data is something to compose. */
export type ThreadJob = [texts: number[], data: JsonObject | Composition];
export type Composition = { as: 'email' | 'in_app'; controls: JsonObject; layoutHtml?: string };
export type ThreadResult = string[] | ComposedEmail | ComposedInApp;
/** What became of a job, or which of its texts failed and why. */
export type ThreadAnswer = { result: ThreadResult } | { text: number; message: string };
export type ThreadData = { position: Int32Array<SharedArrayBuffer>; outputCharacters: number };

/** Answers are handed over when there is this much, so that a batch of long texts does not fill the heap of the thread. */
const ANSWER_CHARACTERS = 256 * 1024;

const { position, outputCharacters } = workerData as ThreadData;

parentPort!.on('message', (message: string) => void work(message));

async function work(message: string): Promise<void> {
  // From here on, whatever ends the thread is the doing of the batch.
  startPart(1);
  const { texts, jobs } = JSON.parse(message) as ThreadBatch;
  let answers: string[] = [];
  let characters = 0;
  let part = 1;
  for (const [indexes, data] of jobs) {
    startPart(part);
    const answer = JSON.stringify(
      indexes.length > 0
        ? render(
            indexes.map((index) => texts[index]!),
            data as JsonObject,
            part,
          )
        : await compose(data as Composition, part),
    );
    part += Math.max(indexes.length, 1);
    answers.push(answer);
    characters += answer.length;
    if (characters > ANSWER_CHARACTERS) {
      parentPort!.postMessage(`[${answers.join()}]`);
      answers = [];
      characters = 0;
    }
  }
  startPart(0);
  parentPort!.postMessage(`[${answers.join()}]`);
}

/** Parts are the texts and compositions of a batch, counted from 1. Read from outside to know whom to blame. */
function startPart(part: number): void {
  Atomics.store(position, 0, part);
}

function render(texts: string[], variables: JsonObject, firstPart: number): ThreadAnswer {
  const result: string[] = [];
  let room = outputCharacters;
  for (const [index, text] of texts.entries()) {
    startPart(firstPart + index);
    try {
      const output = renderText(text, variables);
      room -= output.length;
      if (room < 0) throw new Error(tooLong(outputCharacters));
      result.push(output);
    } catch (error) {
      return { text: index, message: reasonOf(error) };
    }
  }
  return { result };
}

/** Loaded when they are needed: a thread that only renders starts several times as fast without them. */
let composers: { composeEmail: typeof composeEmail; composeInApp: typeof composeInApp } | undefined;

async function compose({ as, controls, layoutHtml }: Composition, part: number): Promise<ThreadAnswer> {
  if (!composers) {
    startPart(0);
    composers = { ...(await import('./email.js')), ...(await import('./in-app.js')) };
    startPart(part);
  }
  try {
    return {
      result: as === 'email' ? composers.composeEmail(controls, { layoutHtml }) : composers.composeInApp(controls),
    };
  } catch (error) {
    return { text: 0, message: reasonOf(error) };
  }
}
