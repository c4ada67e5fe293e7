import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Script } from 'node:vm';
import type { Json, JsonObject } from '@clarion/contracts/core';
import { ControlFault } from './control-fault';
import type { blockVariables } from './email-body';
import type { composeInApp } from './in-app';
import type { SchemaChecks } from './payload-schema';
import type { readEmailOutline } from './read-email-outline';
import type { renderEmail } from './rendered-email';
import { readOutline } from './read-outline';
import {
  type Answer,
  type Batch,
  eachLine,
  type EmailData,
  type EmailOutlineData,
  type JobKind,
  type JobResults,
  LOADING,
  OTHERS_WAIT,
  type Place,
  type ProcessOptions,
  type Progress,
  READY,
  type RenderData,
} from './render-protocol';
import type { EndlessData, endlessKeys, NamesData, templateNames, translate } from './translation-jobs';
import { authoringFault, reasonOf, renderText, tooLong, variablesOfText } from './templates';

/** Entry point of a render process: processes everything that tenants write (templates, contents and schemas). */

/** Answers are posted at this size, so that a batch of long texts does not fill the heap of the process. */
const ANSWER_CHARACTERS = 256 * 1024;

/** Answers are posted after this time, so that the pool sees that jobs end. */
const ANSWER_MS = 10;

/** No answer is longer: another process has to read it on its event loop. */
const MOST_ANSWER_CHARACTERS = 4 * 1024 * 1024;

/** After this time the process returns the rest of its batch when jobs of another environment wait. */
const TIME_SLICE_MS = 20;

/** The pool ends a process long before. A process whose pool was killed ends itself then. */
const MOST_SLICE_MS = 120_000;

const { outputCharacters, loadSchemas } = JSON.parse(process.argv[2]!) as ProcessOptions;

const STDOUT = 1;

/** Writes at once: what follows may take long or end the process. */
function post(message: string): void {
  const bytes = Buffer.from(`${message}\n`);
  for (let written = 0; written < bytes.length;) written += writeSync(STDOUT, bytes, written);
}

/** What a job costs its environment: on a busy machine it takes longer without costing more. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

let othersWait = false;

async function work(message: string): Promise<void> {
  othersWait = false;
  const { texts, jobs, stopAfterMs, reports } = JSON.parse(message) as Batch;
  await loadFor(jobs.map(([kind]) => kind));
  let answers: string[] = [];
  let ms: number[] = [];
  let characters = 0;
  let next = 0;
  const begin = performance.now();
  let used = usedMs();
  let last = begin;
  let posted = begin;
  const postAnswers = (done: boolean): void => {
    post(`{"answers":[${answers.join()}],"ms":[${ms.join()}],"done":${done}}`);
    answers = [];
    ms = [];
    characters = 0;
    posted = last;
  };
  const runNext = (): void => {
    const [kind, indexes, data] = jobs[next]!;
    const given = indexes.map((index) => texts[index]!);
    const job = next;
    const answer = written(() =>
      JOBS[kind](given, data, (place) => {
        if (reports) post(JSON.stringify({ job, ...place } satisfies Progress));
      }),
    );
    next += 1;
    answers.push(answer);
    characters += answer.length;
    const [now, usedNow] = [performance.now(), usedMs()];
    ms.push(Number(Math.min(now - last, usedNow - used).toFixed(3)));
    [last, used] = [now, usedNow];
    if (characters > ANSWER_CHARACTERS || now - posted > ANSWER_MS) postAnswers(false);
  };
  while (next < jobs.length) {
    const end = last + TIME_SLICE_MS;
    guarded(() => {
      do runNext();
      while (next < jobs.length && last < end);
    });
    if (stopAfterMs !== null && last - begin > stopAfterMs) break;
    if (next < jobs.length) await messagesRead();
    if (othersWait) break;
  }
  postAnswers(true);
}

const running: { slice?: () => void } = {};
const guard = new Script('clarionRunning.slice()');
Object.assign(globalThis, { clarionRunning: running });

/** Runs the function with a time limit. It throws at the limit, which ends the process. */
function guarded(slice: () => void): void {
  running.slice = slice;
  guard.runInThisContext({ timeout: MOST_SLICE_MS });
}

/** The first turn of the event loop may begin after the messages of this one were read. */
async function messagesRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

const placeOf = (path: string, isLayout: boolean): Place => ({ text: isLayout ? 1 : 0, path });

function written(job: () => Answer): string {
  try {
    const answer = JSON.stringify(job());
    if (answer.length <= MOST_ANSWER_CHARACTERS) return answer;
    return faultOf(new Error(`has a result of more than ${MOST_ANSWER_CHARACTERS} characters`));
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): string {
  const place = error instanceof ControlFault ? placeOf(error.path, error.isLayout) : { text: 0 };
  return JSON.stringify({ ...place, message: reasonOf(error) } satisfies Answer);
}

/** Reports the text that is worked on from now on. */
type Report = (place: Place) => void;
type Work = (texts: string[], data: Json, report: Report) => Answer;

const JOBS: Record<JobKind, Work> = {
  render(texts, data, report) {
    const { variables, modes } = data as RenderData;
    let charactersLeft = outputCharacters;
    return eachText(texts, report, (text, index) => {
      const output = renderText(text, variables, modes[index]);
      charactersLeft -= output.length;
      if (charactersLeft < 0) throw new Error(tooLong(outputCharacters));
      return output;
    });
  },
  faults: (texts, _data, report) => eachText(texts, report, (text) => authoringFault(text) ?? null),
  variables: (texts, _data, report) => eachText(texts, report, variablesOfText),
  outline: (_texts, text, report) => whole(report, () => readOutline(text as string)),
  email_outline(_texts, data, report) {
    const { empty, ...template } = data as EmailOutlineData;
    return whole(report, () => composers!.readEmailOutline(template, empty));
  },
  email([controls, layout], data, report) {
    const sources = { controls: controls!, layout, ...(data as EmailData) };
    const onControl = (path: string, isLayout: boolean): void => report(placeOf(path, isLayout));
    return { result: composers!.renderEmail(sources, outputCharacters, onControl) };
  },
  in_app: (_texts, controls, report) => whole(report, () => composers!.composeInApp(controls as JsonObject)),
  block_variables: (texts, _data, report) => eachText(texts, report, (body) => composers!.blockVariables(body)),
  translate: (texts, _data, report) => whole(report, () => composers!.translate(texts)),
  names: (texts, data, report) => whole(report, () => composers!.templateNames(texts, data as NamesData)),
  endless: (_texts, data, report) => whole(report, () => composers!.endlessKeys(data as unknown as EndlessData)),
  schema: ([schema], _data, report) => whole(report, () => schemas!.schemaFault(schema!) ?? null),
  payload: ([schema], data, report) => whole(report, () => schemas!.checkPayload(schema!, data as JsonObject)),
};

function eachText<T extends string | string[][] | null>(
  texts: string[],
  report: Report,
  apply: (text: string, index: number) => T,
): Answer {
  const result: T[] = [];
  for (const [index, text] of texts.entries()) {
    report({ text: index });
    try {
      result.push(apply(text, index));
    } catch (error) {
      return { text: index, message: reasonOf(error) };
    }
  }
  return { result: result as JobResults[JobKind] };
}

function whole(report: Report, apply: () => JobResults[JobKind]): Answer {
  report({ text: 0 });
  return { result: apply() };
}

/** Loaded on first use, unless `loadSchemas` is set: a process that only renders starts several times faster. */
let composers: Composers | undefined;
let schemas: SchemaChecks | undefined;

type Composers = {
  renderEmail: typeof renderEmail;
  composeInApp: typeof composeInApp;
  readEmailOutline: typeof readEmailOutline;
  blockVariables: typeof blockVariables;
  translate: typeof translate;
  templateNames: typeof templateNames;
  endlessKeys: typeof endlessKeys;
};

const importComposers = async (): Promise<Composers> => ({
  ...(await import('./rendered-email.js')),
  ...(await import('./in-app.js')),
  ...(await import('./read-email-outline.js')),
  ...(await import('./email-body.js')),
  ...(await import('./translation-jobs.js')),
});

const importSchemas = async (): Promise<SchemaChecks> => new (await import('./payload-schema.js')).SchemaChecks();

const COMPOSING = new Set<JobKind>([
  ...(['email', 'email_outline', 'in_app', 'block_variables'] as const),
  ...(['translate', 'names', 'endless'] as const),
]);
const CHECKING = new Set<JobKind>(['schema', 'payload']);

/** Time and failures of loading are not charged to the jobs. */
async function loadFor(kinds: JobKind[]): Promise<void> {
  const needsComposers = !composers && kinds.some((kind) => COMPOSING.has(kind));
  const needsSchemas = !schemas && kinds.some((kind) => CHECKING.has(kind));
  if (!needsComposers && !needsSchemas) return;
  post(LOADING);
  if (needsComposers) composers = await importComposers();
  if (needsSchemas) schemas = await importSchemas();
  post(READY);
}

async function start(): Promise<void> {
  // A terminal and process managers send signals to the whole group. This process ends with its pool.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.stdin.on('end', () => process.exit());
  if (loadSchemas) schemas = await importSchemas();
  eachLine(process.stdin, (message) => {
    if (message === OTHERS_WAIT) othersWait = true;
    else void work(message);
  });
  post(READY);
}

void start();
