import type { JsonObject } from '@clarion/contracts/words';
import type { Composition } from './render-thread';
import { type Outcome, RenderThreads, type ThreadLimits } from './render-threads';
import { isTemplate, mapTexts, type PlacedText, type Rendering, templatesOf, tooLong } from './templates';

export type RenderItem = { controls: JsonObject; variables: JsonObject };

/**
 * Renders the templates in control values, and composes messages of the result, in threads of its own: no content of a tenant
 * holds the event loop, and neither its time nor its memory nor its output is without end. One that takes too much gets a
 * fault; its neighbours go through.
 */
export class TemplateRenderer {
  private readonly threads: RenderThreads;
  private readonly outputCharacters: number;

  constructor({
    threads = 1,
    timeLimitMs = 500,
    heapMb = 64,
    outputCharacters = 512 * 1024,
  }: Partial<ThreadLimits> = {}) {
    this.threads = new RenderThreads({ threads, timeLimitMs, heapMb, outputCharacters });
    this.outputCharacters = outputCharacters;
  }

  async render(item: RenderItem): Promise<Rendering> {
    return (await this.renderMany([item]))[0]!;
  }

  /** The controls of each item with every text rendered, or the first text that could not be. */
  async renderMany(items: RenderItem[]): Promise<Rendering[]> {
    // The items of a batch mostly share their controls.
    const known = new Map<JsonObject, PlacedText[]>();
    const templates = items.map(({ controls }) => {
      let texts = known.get(controls);
      if (!texts) known.set(controls, (texts = templatesOf(controls)));
      return texts;
    });
    const jobs = items.flatMap(({ variables }, index) => {
      const texts = templates[index]!;
      return texts.length > 0 ? [{ texts, data: variables }] : [];
    });
    const outcomes = (await this.threads.run(jobs)).values();
    return items.map(({ controls }, index) => {
      const outcome = templates[index]!.length > 0 ? outcomes.next().value! : { ok: true as const, result: [] };
      return outcome.ok ? this.fill(controls, outcome.result as string[]) : outcome;
    });
  }

  /** `renderEmails` and `renderInApps` are what to call. */
  compose(compositions: Composition[]): Promise<Outcome[]> {
    return this.threads.run(compositions.map((data) => ({ texts: [], data })));
  }

  /** What is not rendered yet is rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }

  /** The controls with what their templates became, in their order. */
  private fill(controls: JsonObject, rendered: string[]): Rendering {
    let next = 0;
    let room = this.outputCharacters;
    let overflow: string | undefined;
    const filled = mapTexts(controls, (text, path) => {
      const output = isTemplate(text) ? rendered[next++]! : text;
      room -= output.length;
      if (room < 0) overflow ??= path;
      return output;
    });
    return overflow === undefined
      ? { ok: true, controls: filled }
      : { ok: false, fault: { path: overflow, message: tooLong(this.outputCharacters) } };
  }
}
