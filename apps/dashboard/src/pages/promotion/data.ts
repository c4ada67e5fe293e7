import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';

export type ResourceDiff = Schemas['ResourceDiffDto'];
export type Change = Schemas['ResourceChangeDto'];
export type Values = Schemas['ResourceValuesDto'];
export type Publish = Schemas['PublishDto'];
export type Direction = { source: string; target: string };

export const diffQuery = ({ source, target }: Direction) =>
  queryOptions({
    queryKey: ['promotion', 'diff', source, target],
    queryFn: () =>
      unwrap(
        api.POST('/v2/environments/{targetEnvironmentId}/diff', {
          params: { path: { targetEnvironmentId: target } },
          body: { sourceEnvironmentId: source },
        }),
      ),
    staleTime: 0,
  });

/** After a publish or an undo: the diff, the history and the content have changed. */
export async function reloadContent(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['promotion'] });
  for (const key of ['workflows', 'workflow', 'layouts', 'layout', 'translations']) {
    void queries.invalidateQueries({ queryKey: [key] });
  }
}

type PublishRequest = Direction & { resources: ResourceDiff[]; dryRun: boolean };

/** Publishes exactly what the reader saw: the fingerprint of each resource stops it after an edit. */
export const publish = ({ source, target, resources, dryRun }: PublishRequest) =>
  unwrap(
    api.POST('/v2/environments/{targetEnvironmentId}/publish', {
      params: { path: { targetEnvironmentId: target } },
      body: {
        sourceEnvironmentId: source,
        dryRun,
        resources: resources.map((resource) => ({
          resourceType: resource.resourceType,
          resourceId: idOf(resource),
          fingerprint: resource.fingerprint,
        })),
      },
    }),
  );

export const idOf = ({ sourceResource, targetResource }: ResourceDiff): string =>
  (sourceResource ?? targetResource)!.id;

export const keyOf = (resource: ResourceDiff): string => `${resource.resourceType} ${idOf(resource)}`;

export type Verb = 'add' | 'change' | 'delete';

export function verbOf({ sourceResource, targetResource }: ResourceDiff): Verb {
  if (!targetResource) return 'add';
  return sourceResource ? 'change' : 'delete';
}

/** Counts in words: `2 to add, 1 to change, 0 to delete`. */
export function countsText(resources: ResourceDiff[]): string {
  const count = (verb: Verb) => resources.filter((resource) => verbOf(resource) === verb).length;
  return (['add', 'change', 'delete'] as const).map((verb) => `${count(verb)} to ${verb}`).join(', ');
}
