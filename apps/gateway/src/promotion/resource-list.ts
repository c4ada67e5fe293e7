import { type Source, summaryOf } from './promotion';
import type { Resource, ResourceKind } from './resource-kind';

/** Resources in memory as a source: those of files, or those that a publish replaced. */
export function resourcesOf(name: string, lists: { kind: ResourceKind; resources: Resource[] }[]): Source {
  const of = (kind: ResourceKind): Resource[] => lists.find((list) => list.kind === kind)?.resources ?? [];
  return {
    environmentId: null,
    name,
    summaries: async (kind) => new Map(of(kind).map((resource) => [resource.id, summaryOf(resource)])),
    find: async (kind, ids) => {
      const wanted = new Set(ids);
      return of(kind).filter(({ id }) => wanted.has(id));
    },
  };
}
