import { availableParallelism, totalmem } from 'node:os';
import { isJsonObject } from '@clarion/contracts/json';
import { type JsonObject, mapInSlices, TimeSlices } from '@clarion/contracts/core';
import type { ComposedEmail } from './composed-messages';
import { EmailOutlines } from './email-outlines';
import type { OverBudget } from './fair-queue';
import { FILLED_CHARACTERS, fillText, isAtMost, type Outline } from './outline';
import { Outlines } from './outlines';
import { type PayloadCheck, TOO_COSTLY } from './payload-check';
import { type RenderLimits, RenderProcesses } from './render-processes';
import { type Job, JOB_CHARACTERS, type RenderResult } from './render-tasks';
import {
  hasTags,
  type PlacedText,
  type Rendering,
  surplusTemplate,
  type TemplateFault,
  templatesOf,
  type TextModes,
  withRendered,
} from './templates';
import type { TextMode } from './template-html';
import type { EmailData, EmailOutlineData, JobResults, RenderData } from './render-protocol';
import type { EndlessData, NamesData, Template } from './translation-jobs';

export type RenderItem = {
  environmentId: string;
  controls: JsonObject;
  variables: JsonObject;
  /** Without it all texts are rendered in mode `text`. */
  modes?: TextModes;
};

export type EmailItem = Omit<RenderItem, 'modes'> & {
  /** The body of the layout, or its control values. */
  layout?: JsonObject | string | null;
  /** Default true: values in HTML are escaped. */
  escapeHtml?: boolean;
};

/** A template, and the JSON of the contents that give its texts, the best first. */
export type TranslatedTemplate = Template & { environmentId: string; contents: string[] };

export type ControlVariables = { path: string; variables: string[][] };

/** The share of the memory that all render processes together may use at their maximum. */
const MEMORY_SHARE = 0.25;
const MOST_PROCESSES = 4;
/** Work on the event loop delays every environment and cannot be terminated, so it costs more than render time. */
const LOOP_WEIGHT = 10;

/** Longer variables are left to render processes, which refuse those that are too long with the templates. */
const VARIABLES_CHARACTERS = JOB_CHARACTERS / 2;

/** The memory for outlines of texts, and of emails. */
const OUTLINE_BYTES = 8 * 1024 * 1024;

/** More texts than this are left to render processes: the time that they take there is charged, and can be ended. */
const MOST_FILLED_TEXTS = 100;

type KnownTexts = {
  environmentId: string;
  modesOf?: TextModes;
  texts: PlacedText[];
  modes: TextMode[];
  uses: number;
  outlines?: Outline[];
};

/** One process fewer than processors, at least two: a slow job of one environment would delay all the others. */
function defaultProcesses(heapMb: number): number {
  const mostByMemory = Math.floor((MEMORY_SHARE * (process.constrainedMemory() || totalmem())) / (heapMb * 2 ** 20));
  return Math.max(2, Math.min(availableParallelism() - 1, MOST_PROCESSES, mostByMemory));
}

/**
 * Processes everything that tenants write, in render processes: renders the templates in control values, composes
 * messages, analyses templates and checks payloads. Tenant content never blocks the event loop, and its time, memory
 * and output are limited. An item that exceeds a limit gets a fault; the other items of the batch are not affected.
 */
export class TemplateRenderer {
  private readonly processes: RenderProcesses;
  private readonly outputCharacters: number;
  private readonly outlines: Outlines<Outline>;
  private readonly emails: EmailOutlines;

  constructor({
    timeLimitMs = 500,
    heapMb = 64,
    processes = defaultProcesses(heapMb),
    outputCharacters = 512 * 1024,
    outlineBytes = OUTLINE_BYTES,
    ...limits
  }: Partial<RenderLimits & { outlineBytes: number }> = {}) {
    this.processes = new RenderProcesses({ processes, timeLimitMs, heapMb, outputCharacters, ...limits });
    this.outputCharacters = outputCharacters;
    const { organizationOf } = limits;
    this.outlines = new Outlines(outlineBytes, (outline) => 2 * JSON.stringify(outline).length, organizationOf);
    this.emails = new EmailOutlines(
      (environmentId, template, empty) =>
        this.readOutline({
          kind: 'email_outline',
          environmentId,
          texts: [],
          data: { ...template, empty } satisfies EmailOutlineData,
        }),
      { bytes: outlineBytes, outputCharacters, variablesCharacters: VARIABLES_CHARACTERS },
      organizationOf,
    );
  }

  async render(item: RenderItem): Promise<Rendering> {
    return (await this.renderMany([item]))[0]!;
  }

  /** The controls of each item with every text rendered, or the fault of the first text that failed. */
  async renderMany(items: RenderItem[]): Promise<Rendering[]> {
    const slices = new TimeSlices();
    const known = await this.knownTexts(items, slices);
    const filled = await mapInSlices(
      items,
      ({ controls, variables }, index): Rendering | undefined => {
        const fault = surplusTemplate(controls);
        if (fault) return { ok: false, fault };
        const texts = this.fillTexts(known[index]!, variables);
        return texts && withRendered(controls, texts, this.outputCharacters);
      },
      slices,
    );
    const jobs = items.flatMap(({ environmentId, variables }, index) => {
      const { texts, modes } = known[index]!;
      const data = { variables, modes } satisfies RenderData;
      return filled[index] ? [] : [{ kind: 'render' as const, environmentId, texts, data }];
    });
    const outcomes = (await this.processes.run(jobs)).values();
    return mapInSlices(
      items,
      ({ controls }, index) => {
        const outcome = filled[index] ?? outcomes.next().value!;
        if (!('result' in outcome)) return outcome;
        return withRendered(controls, outcome.result, this.outputCharacters);
      },
      slices,
    );
  }

  /** The emails that need no render process; undefined for the others. Used by `renderEmails`; call that instead. */
  async fillEmails(items: EmailItem[]): Promise<(ComposedEmail | undefined)[]> {
    // Rejects when the renderer is closed.
    await this.processes.run([]);
    for (const environmentId of new Set(items.map((item) => item.environmentId))) this.checkBudget(environmentId);
    return this.emails.fill(
      items.map(({ layout = null, escapeHtml = true, ...item }) => ({ layout, escapeHtml, ...item })),
    );
  }

  /** The emails, rendered and composed one by one. Used by `renderEmails`; call that instead. */
  composeEmails(items: EmailItem[]): Promise<RenderResult<'email'>[]> {
    // Most items of a batch share their templates: the JSON of each is written once.
    const written = new Map<JsonObject | string, string>();
    const json = (source: JsonObject | string): string => {
      let text = written.get(source);
      if (text === undefined) written.set(source, (text = JSON.stringify(source)));
      return text;
    };
    return this.processes.run(
      items.map(({ environmentId, controls, layout, variables, escapeHtml = true }) => ({
        kind: 'email',
        environmentId,
        texts: [
          { path: 'body', text: json(controls) },
          ...(layout === null || layout === undefined ? [] : [{ path: 'layout', text: json(layout) }]),
        ],
        data: { variables, escapeHtml } satisfies EmailData,
      })),
    );
  }

  /** The controls of each template with its translations: the same object when it names none. */
  async translate(templates: TranslatedTemplate[]): Promise<Rendering[]> {
    const outcomes = await this.processes.run(
      templates.map(({ environmentId, controls, isEmail, contents }) => ({
        kind: 'translate',
        environmentId,
        texts: asTexts(JSON.stringify({ controls, isEmail } satisfies Template), ...contents),
        data: null,
      })),
    );
    return outcomes.map((outcome, index) =>
      outcome.ok ? { ok: true, controls: outcome.result ?? templates[index]!.controls } : outcome,
    );
  }

  async namesIn(
    environmentId: string,
    templates: Template[],
    contents: string[],
    data: NamesData,
  ): Promise<RenderResult<'names'>> {
    const texts = asTexts(JSON.stringify(templates), ...contents);
    const [outcome] = await this.processes.run([{ kind: 'names', environmentId, texts, data: { ...data } }]);
    return outcome!;
  }

  /** For each group of translations, the keys without an end in the contents that are to be added to it. */
  endlessKeys(environmentId: string, groups: EndlessData[]): Promise<RenderResult<'endless'>[]> {
    return this.processes.run(
      groups.map((group) => ({ kind: 'endless', environmentId, texts: [], data: { ...group } })),
    );
  }

  /** The in-app messages of rendered controls. Used by `renderInApps`; call that instead. */
  composeInApps(items: Pick<RenderItem, 'environmentId' | 'controls'>[]): Promise<RenderResult<'in_app'>[]> {
    return this.processes.run(
      items.map(({ environmentId, controls }) => ({ kind: 'in_app', environmentId, texts: [], data: controls })),
    );
  }

  /** The templates of each item. Most items of a batch share their controls. */
  private async knownTexts(items: RenderItem[], slices: TimeSlices): Promise<KnownTexts[]> {
    const known = new Map<JsonObject, KnownTexts>();
    const all = new Set<KnownTexts>();
    const entries = await mapInSlices(
      items,
      ({ environmentId, controls, modes: modesOf }) => {
        let entry = known.get(controls);
        if (!entry || entry.modesOf !== modesOf || entry.environmentId !== environmentId) {
          const texts = templatesOf(controls, modesOf);
          entry = { environmentId, modesOf, texts, modes: texts.map(({ mode = 'text' }) => mode), uses: 0 };
          known.set(controls, entry);
          all.add(entry);
        }
        entry.uses += 1;
        return entry;
      },
      slices,
    );
    await Promise.all([...all].map((entry) => this.findOutlines(entry)));
    return entries;
  }

  private async findOutlines(entry: KnownTexts): Promise<void> {
    const { environmentId, texts, uses } = entry;
    if (texts.length > 0) this.checkBudget(environmentId);
    if (texts.length > MOST_FILLED_TEXTS) return;
    const outlines = await Promise.all(
      texts.map(async ({ text }) => await this.findOutline(environmentId, text, uses)),
    );
    if (outlines.every((outline) => outline !== null)) entry.outlines = outlines;
  }

  private findOutline(environmentId: string, text: string, uses: number): Outline | null | Promise<Outline | null> {
    if (hasTags(text)) return null;
    return this.outlines.find(environmentId, text, uses, () =>
      // The text is data: reading it says nothing about the cost of rendering it, for which texts are refused.
      this.readOutline({ kind: 'outline', environmentId, texts: [], data: text }),
    );
  }

  private async readOutline<K extends 'outline' | 'email_outline'>(job: Job<K>): Promise<JobResults[K] | undefined> {
    const [outcome] = await this.processes.run([job]);
    return outcome!.ok ? outcome!.result : undefined;
  }

  /** The texts with their values when no text needs Liquid; otherwise undefined. */
  private fillTexts({ texts, outlines }: KnownTexts, variables: JsonObject): string[] | undefined {
    if (!outlines || (texts.length > 0 && !isAtMost(variables, VARIABLES_CHARACTERS))) return undefined;
    let charactersLeft = Math.min(FILLED_CHARACTERS, this.outputCharacters);
    const filled: string[] = [];
    for (let index = 0; index < texts.length; index += 1) {
      const text = fillText(outlines[index]!, variables, texts[index]!.mode ?? 'text', charactersLeft);
      if (text === undefined) return undefined;
      charactersLeft -= text.length;
      filled.push(text);
    }
    return filled;
  }

  /** The templates that do not compile, and one more than a step may have, for each of the control values. */
  async templateFaults(environmentId: string, controls: JsonObject[]): Promise<TemplateFault[][]> {
    const templates = await mapInSlices(controls, (values) => templatesOf(values));
    const jobs = templates
      .filter((texts) => texts.length > 0)
      .map((texts) => ({ kind: 'faults' as const, environmentId, texts, data: null }));
    const outcomes = (await this.processes.run(jobs)).values();
    return templates.map((texts, index) => {
      if (texts.length === 0) return [];
      const outcome = outcomes.next().value!;
      const surplus = surplusTemplate(controls[index]!) ?? [];
      if (!outcome.ok) return [outcome.fault].concat(surplus);
      return outcome.result
        .flatMap((message, at) => (message === null ? [] : [{ path: texts[at]!.path, message }]))
        .concat(surplus);
    });
  }

  /** The variables of each template by the path of its control, as paths: `['payload', 'order', 'id']`. */
  async variablesByControl(environmentId: string, controls: JsonObject[]): Promise<ControlVariables[][]> {
    const jobs = (
      await mapInSlices(controls, (values, index) => [
        { index, kind: 'variables' as const, texts: templatesOf(values) },
        { index, kind: 'block_variables' as const, texts: bodiesOf(values) },
      ])
    )
      .flat()
      .filter(({ texts }) => texts.length > 0);
    const outcomes = await this.processes.run(
      jobs.map(({ kind, texts }) => ({ kind, environmentId, texts, data: null })),
    );
    const found = controls.map((): ControlVariables[] => []);
    for (const [at, { index, texts }] of jobs.entries()) {
      const outcome = outcomes[at]!;
      const variables = outcome.ok ? outcome.result : [];
      found[index]!.push(...variables.map((paths, text) => ({ path: texts[text]!.path, variables: paths })));
    }
    return found;
  }

  /** The variables that the templates, and the blocks of a body, read from outside, each once. */
  async variablesOf(environmentId: string, controls: JsonObject): Promise<string[][]> {
    const [found] = await this.variablesByControl(environmentId, [controls]);
    const paths = found!.flatMap(({ variables }) => variables);
    return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
  }

  /** Undefined when the JSON Schema compiles. */
  async schemaFault(environmentId: string, schema: JsonObject): Promise<string | undefined> {
    const texts = [{ path: 'payloadSchema', text: JSON.stringify(schema) }];
    const [outcome] = await this.processes.run([{ kind: 'schema', environmentId, texts, data: null }]);
    return outcome!.ok ? (outcome!.result ?? undefined) : outcome!.fault.message;
  }

  /** Checks each payload against its JSON Schema. The schema is given as text so that it is serialized once. */
  async checkPayloads(
    environmentId: string,
    items: { schema: string; payload: JsonObject }[],
  ): Promise<PayloadCheck[]> {
    const outcomes = await this.processes.run(
      items.map(({ schema, payload }) => ({
        kind: 'payload',
        environmentId,
        texts: [{ path: 'payload', text: schema }],
        data: payload,
      })),
    );
    return outcomes.map((outcome) =>
      outcome.ok ? outcome.result : { valid: false, errors: [{ field: 'payload', message: TOO_COSTLY }] },
    );
  }

  /** Replaces the budgets of single environments, in milliseconds a second. The others have the default. */
  setBudgets(msPerSecond: ReadonlyMap<string, number>): void {
    this.processes.setBudgets(msPerSecond);
  }

  /** Throws a DomainError when the environment has used up its budget. */
  checkBudget(environmentId: string): void {
    const budgetError = this.processes.queueOf(environmentId).budgetError();
    if (budgetError) throw budgetError;
  }

  /** Undefined while the environment is within its budget. */
  overBudget(environmentId: string): OverBudget | undefined {
    return this.processes.queueOf(environmentId).overBudget();
  }

  /** Charges event-loop time to the budget of an environment. */
  debit(environmentId: string, loopMs: number): void {
    this.processes.queueOf(environmentId).debit(LOOP_WEIGHT * loopMs);
  }

  /** Rejects everything that is not rendered yet. */
  close(): Promise<void> {
    return this.processes.close();
  }
}

const asTexts = (...texts: string[]): PlacedText[] => texts.map((text) => ({ path: 'body', text }));

/** The body, if it may be a document of blocks. */
function bodiesOf({ body }: JsonObject): PlacedText[] {
  if (typeof body === 'string') return /^\s*\{/.test(body) ? [{ path: 'body', text: body }] : [];
  return isJsonObject(body) ? [{ path: 'body', text: JSON.stringify(body) }] : [];
}
