import { Inject, Injectable } from '@nestjs/common';
import { EnvironmentCache, type EnvironmentId, memoryOf } from '@clarion/contracts/core';
import { type Layout, LayoutRepository } from '@clarion/persistence';

/** Memory of all cached layouts; those of one environment have a quarter of it. */
const CACHED_BYTES = 32 * 1024 * 1024;
/** What an entry takes beside its layout. */
const ENTRY_BYTES = 200;

type Known = { layout: Layout | undefined };

/**
 * Caches the layouts that steps use. Every claimed step carries a stamp that changes with the layouts of its
 * environment, so that a change applies from the next step on and no query is needed in between. A trigger can name any
 * number of layouts, also of layouts that do not exist, in texts of any length: so what is kept is limited in size.
 */
@Injectable()
export class LayoutDirectory {
  private readonly cache = new EnvironmentCache<Known>(CACHED_BYTES);

  constructor(@Inject(LayoutRepository) private readonly layouts: Pick<LayoutRepository, 'findMany' | 'findDefault'>) {}

  /** Layouts by id; the key `undefined` is the default layout. A missing layout has the value `undefined`. */
  async find(
    environmentId: EnvironmentId,
    stamp: string | null,
    wanted: Set<string | undefined>,
  ): Promise<Map<string | undefined, Layout | undefined>> {
    const keyOf = (id: string | undefined): string => JSON.stringify([stamp, id ?? null]);
    const found = new Map<string | undefined, Layout | undefined>();
    const unknown = [...wanted].filter((id) => {
      const known = this.cache.get(environmentId, keyOf(id));
      found.set(id, known?.layout);
      return !known;
    });
    const ids = unknown.filter((id) => id !== undefined);
    const rows = ids.length > 0 ? await this.layouts.findMany(environmentId, ids) : [];
    for (const id of unknown) {
      const layout =
        id === undefined ? await this.layouts.findDefault(environmentId) : rows.find(({ layoutId }) => layoutId === id);
      found.set(id, layout);
      const key = keyOf(id);
      this.cache.set(environmentId, key, { layout }, key.length + memoryOf(layout) + ENTRY_BYTES);
    }
    return found;
  }
}
