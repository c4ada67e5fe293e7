import { Inject, Injectable } from '@nestjs/common';
import type { EnvironmentId } from '@clarion/contracts/core';
import { type Layout, LayoutRepository } from '@clarion/persistence';

type Known = { stamp: string | null; byId: Map<string, Layout | undefined>; standard?: { layout: Layout | undefined } };

const MAX_ENVIRONMENTS = 1_000;

/**
 * Caches the layouts that steps use. Every claimed step carries a stamp that changes with the layouts of its
 * environment, so that a change applies from the next step on and no query is needed in between.
 */
@Injectable()
export class LayoutDirectory {
  private readonly known = new Map<string, Known>();

  constructor(@Inject(LayoutRepository) private readonly layouts: Pick<LayoutRepository, 'findMany' | 'findDefault'>) {}

  /**
   * Layouts by id; the key `undefined` is the default layout. A layout that does not exist has the value `undefined`.
   */
  async find(
    environmentId: EnvironmentId,
    stamp: string | null,
    wanted: Set<string | undefined>,
  ): Promise<Map<string | undefined, Layout | undefined>> {
    const known = this.of(environmentId, stamp);
    const ids = [...wanted].filter((id): id is string => id !== undefined);
    const unknown = ids.filter((id) => !known.byId.has(id));
    if (unknown.length > 0) {
      const found = await this.layouts.findMany(environmentId, unknown);
      for (const id of unknown) {
        known.byId.set(
          id,
          found.find(({ layoutId }) => layoutId === id),
        );
      }
    }
    if (wanted.has(undefined)) known.standard ??= { layout: await this.layouts.findDefault(environmentId) };
    return new Map([...wanted].map((id) => [id, id === undefined ? known.standard!.layout : known.byId.get(id)]));
  }

  private of(environmentId: EnvironmentId, stamp: string | null): Known {
    let known = this.known.get(environmentId);
    if (!known || known.stamp !== stamp) {
      if (this.known.size >= MAX_ENVIRONMENTS) this.known.clear();
      this.known.set(environmentId, (known = { stamp, byId: new Map() }));
    }
    return known;
  }
}
