import { EnvironmentCache } from '@clarion/contracts/core';
import type { OrganizationOf } from './fair-queue';

/** A template is read when it is used this often: previews of drafts are rendered once. */
const WORTH_READING = 2;
/** A template that exceeded a limit of its process is tried again after this many uses. */
const RETRY_AFTER = 1_000;

const ENTRY_BYTES = 200;

/** `outline` is null when the template has none, and undefined while it is unknown. */
type Entry<T> = { uses: number; outline?: T | null; reading?: Promise<T | null> };

/** What a process answered: the outline, null when there is none, or undefined when reading exceeded a limit. */
export type Reading<T> = Promise<T | null | undefined>;

/** Outlines of templates, each read once in a render process. */
export class Outlines<T> {
  private readonly cache: EnvironmentCache<Entry<T>>;

  /** `bytesOf` is the memory that an outline takes. Without bytes no outline is ever read. */
  constructor(
    private readonly bytes: number,
    private readonly bytesOf: (outline: T) => number,
    organizationOf?: OrganizationOf,
  ) {
    this.cache = new EnvironmentCache(bytes, organizationOf);
  }

  /** The outline of a template that is about to be used so often; null when the template has to be rendered. */
  find(environmentId: string, key: string, uses: number, read: () => Reading<T>): T | null | Promise<T | null> {
    if (this.bytes === 0) return null;
    const entry = this.cache.get(environmentId, key) ?? { uses: 0 };
    if (entry.outline !== undefined) return entry.outline;
    entry.uses += uses;
    if (entry.uses >= WORTH_READING) entry.reading ??= this.read(environmentId, key, entry, read);
    this.cache.set(environmentId, key, entry, ENTRY_BYTES + 2 * key.length);
    return entry.reading ?? null;
  }

  /** Rendering reports the errors: it meets the same ones. */
  private async read(environmentId: string, key: string, entry: Entry<T>, read: () => Reading<T>): Promise<T | null> {
    const outline = await read().catch(() => undefined);
    entry.reading = undefined;
    entry.outline = outline;
    if (outline === undefined) entry.uses = -RETRY_AFTER;
    const bytes = outline ? this.bytesOf(outline) : 0;
    this.cache.set(environmentId, key, entry, ENTRY_BYTES + 2 * key.length + bytes);
    return outline ?? null;
  }
}
