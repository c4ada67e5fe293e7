import { DomainError, type JsonObject, TimeSlices } from '@clarion/contracts';
import type { Environment } from '@clarion/persistence';
import { fingerprintOf } from './compare';
import { type Change, changesOf, type Promotion, type Replaced, type Source } from './promotion';
import type { Resource } from './resource-kind';
import { resourcesOf } from './resource-list';

export async function undoOf(
  promotion: Promotion,
  target: Environment,
  publishId: string,
  replaced: JsonObject[],
): Promise<{ source: Source; changes: Change[] }> {
  const all = replaced as unknown as Replaced[];
  const source = resourcesOf(
    `publish ${publishId}`,
    promotion.kinds.map((kind) => ({
      kind,
      resources: all.flatMap(({ type, id, name, rowId, findings, before }): Resource[] =>
        type === kind.type && before ? [{ id, name, rowId, findings, definition: before }] : [],
      ),
    })),
  );
  const changes: Change[] = [];
  const slices = new TimeSlices();
  for (const kind of promotion.kinds) {
    const entries = all.filter(({ type }) => type === kind.type);
    const ids = entries.map(({ id }) => id);
    const now = await kind.find(target.id, ids);
    const present = new Map(now.map((resource) => [resource.id, resource.definition]));
    for (const { id, after } of entries) {
      const isSame = fingerprintOf(present.get(id)) === after;
      await slices.rest();
      if (isSame) continue;
      throw new DomainError('conflict', `The ${kind.type} ${id} was changed since the publish: nothing was undone`);
    }
    changes.push(...(await changesOf(kind, ids, await source.find(kind, ids), now)));
  }
  return { source, changes };
}
