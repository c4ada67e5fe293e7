import { mapInSlices } from '@clarion/contracts';
import { type Source, summaryOf } from './promotion';
import type { Resource, ResourceKind } from './resource-kind';

/** Resources in memory as a source: those of files, or those that a publish replaced. */
export function resourcesOf(name: string, lists: { kind: ResourceKind; resources: Resource[] }[]): Source {
  const of = (kind: ResourceKind): Resource[] => lists.find((list) => list.kind === kind)?.resources ?? [];
  const named = (kind: ResourceKind, ids?: string[]): Resource[] => {
    const wanted = ids && new Set(ids);
    return wanted ? of(kind).filter(({ id }) => wanted.has(id)) : of(kind);
  };
  return {
    environmentId: null,
    name,
    summaries: async (kind, ids) =>
      new Map(await mapInSlices(named(kind, ids), (resource) => [resource.id, summaryOf(resource)] as const)),
    find: async (kind, ids) => named(kind, ids),
  };
}
