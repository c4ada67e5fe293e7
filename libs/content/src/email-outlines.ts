import { type JsonObject, TimeSlices } from '@clarion/contracts/core';
import type { ComposedEmail } from './composed-messages';
import { type EmailOutlineAnswer, type EmailTemplate, fillEmail, outlineSize } from './email-outline';
import type { OrganizationOf } from './fair-queue';
import { FILLED_CHARACTERS, isAtMost, type OutlineValue, textAt } from './outline';
import { Outlines, type Reading } from './outlines';
import { hasTags } from './templates';

export type FilledItem = EmailTemplate & { environmentId: string; variables: JsonObject };

export type ReadEmail = (
  environmentId: string,
  template: EmailTemplate,
  empty: number[],
) => Reading<EmailOutlineAnswer>;

type Known = EmailOutlineAnswer & { number: number };
type Group = { template: EmailTemplate; environmentId: string; members: number[] };

/** Bytes of an outline for each character of its JSON, measured. */
const BYTES_PER_CHARACTER = 2;

/**
 * Fills emails whose templates only insert values: the email is composed and sanitized once, with placeholders, and
 * each message gets its values in place while all of them are inert. The result equals the composed email byte by byte.
 */
export class EmailOutlines {
  private readonly outlines: Outlines<Known>;
  private numbers = 0;

  constructor(
    private readonly read: ReadEmail,
    private readonly limits: { bytes: number; outputCharacters: number; variablesCharacters: number },
    organizationOf?: OrganizationOf,
  ) {
    this.outlines = new Outlines(limits.bytes, (known) => BYTES_PER_CHARACTER * outlineSize(known), organizationOf);
  }

  /** The emails that could be filled; undefined for those that have to be composed. */
  async fill(items: FilledItem[]): Promise<(ComposedEmail | undefined)[]> {
    const emails = new Array<ComposedEmail | undefined>(items.length).fill(undefined);
    if (this.limits.bytes === 0) return emails;
    const slices = new TimeSlices();
    const groups = [...(await groupsOf(items, slices))].map(([key, group]) =>
      this.fillGroup(key, group, items, emails, slices),
    );
    await Promise.all(groups);
    return emails;
  }

  private async fillGroup(
    key: string,
    { template, environmentId, members }: Group,
    items: FilledItem[],
    emails: (ComposedEmail | undefined)[],
    slices: TimeSlices,
  ): Promise<void> {
    const find = (name: string, uses: number, empty: number[]): Known | null | Promise<Known | null> =>
      this.outlines.find(environmentId, name, uses, () => this.readNumbered(environmentId, template, empty));
    const known = hasTags(key) ? null : await find(key, members.length, []);
    if (!known) return;
    const most = Math.min(FILLED_CHARACTERS, this.limits.outputCharacters);
    const variants = new Map<string, { texts: string[]; index: number }[]>();
    for (const index of members) {
      if (slices.isOver) await slices.pause();
      const { variables } = items[index]!;
      const texts = textsOf(known.values, variables);
      if (!texts || !isAtMost(variables, this.limits.variablesCharacters)) continue;
      const empty = emptyIn(texts);
      const variant = variants.get(empty);
      if (variant) variant.push({ texts, index });
      else variants.set(empty, [{ texts, index }]);
    }
    for (const [empty, filled] of variants) {
      const indexes = empty === '' ? [] : empty.split(',').map(Number);
      const variant = empty === '' ? known : await find(`${known.number}:${empty}`, filled.length, indexes);
      if (!variant?.outline) continue;
      for (const { texts, index } of filled) {
        emails[index] = fillEmail(variant.outline, texts, most);
        if (slices.isOver) await slices.pause();
      }
    }
  }

  private async readNumbered(
    environmentId: string,
    template: EmailTemplate,
    empty: number[],
  ): Promise<Known | null | undefined> {
    const answer = await this.read(environmentId, template, empty);
    return answer && { ...answer, number: (this.numbers += 1) };
  }
}

/** The items that share a template, by the JSON of the template. Most items of a batch share the objects of one. */
async function groupsOf(items: FilledItem[], slices: TimeSlices): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>();
  const byControls = new Map<JsonObject, { template: FilledItem; group: Group }[]>();
  for (const [index, item] of items.entries()) {
    const { environmentId, controls, layout, escapeHtml } = item;
    const written = byControls.get(controls) ?? [];
    byControls.set(controls, written);
    let known = written.find(({ template }) => isSameTemplate(template, item));
    if (!known) {
      const template: EmailTemplate = { controls, layout, escapeHtml };
      const key = JSON.stringify([environmentId, template]);
      const group = groups.get(key) ?? { template, environmentId, members: [] };
      groups.set(key, group);
      written.push((known = { template: item, group }));
      await slices.rest();
    }
    known.group.members.push(index);
  }
  return groups;
}

const isSameTemplate = (one: FilledItem, other: FilledItem): boolean =>
  one.environmentId === other.environmentId &&
  one.controls === other.controls &&
  one.layout === other.layout &&
  one.escapeHtml === other.escapeHtml;

function textsOf(values: OutlineValue[], variables: JsonObject): string[] | undefined {
  const texts: string[] = [];
  for (const { path, fallback } of values) {
    const text = textAt(variables, path, fallback);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

function emptyIn(texts: string[]): string {
  let empty = '';
  for (let index = 0; index < texts.length; index += 1) {
    if (texts[index] === '') empty += empty === '' ? String(index) : `,${index}`;
  }
  return empty;
}
