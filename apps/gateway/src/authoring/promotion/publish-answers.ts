import type { PromotedType, PublishDto, PublishedChangeDto, PublishResponseDto } from '@clarion/contracts';
import type { PublishRow } from '@clarion/persistence';
import { withoutNulls } from '../../edge/http/page';
import type { Plan } from './promotion';

type Skipped = { type: PromotedType; id: string; name: string };

export function toPublishResponse(
  plan: Plan,
  skipped: Skipped[],
  rest: Pick<PublishResponseDto, 'dryRun' | 'publishId' | 'warnings'>,
): PublishResponseDto {
  const results = [...plan.present.keys()].map((resourceType) => {
    const successful = plan.changes
      .filter(({ kind }) => kind.type === resourceType)
      .map((change) => ({ resourceType, resourceId: change.id, resourceName: change.name, action: change.action }));
    const same = skipped
      .filter(({ type }) => type === resourceType)
      .map(({ id, name }) => ({ resourceType, resourceId: id, resourceName: name, reason: 'It is the same in both' }));
    return { resourceType, successful, failed: [], skipped: same, totalProcessed: successful.length + same.length };
  });
  return {
    results,
    summary: {
      resources: plan.changes.length + skipped.length,
      successful: plan.changes.length,
      failed: 0,
      skipped: skipped.length,
    },
    ...rest,
  };
}

export function toPublishDto(row: PublishRow, withFields: boolean): PublishDto {
  const resources = row.resources as unknown as PublishedChangeDto[];
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    sourceEnvironmentId: row.sourceEnvironmentId,
    origin: row.origin,
    undoes: row.undoes,
    undoneBy: row.undoneBy,
    actor: withoutNulls({ type: row.actorType, keyId: row.actorId, keyPrefix: row.actorName }),
    resources: resources.map(({ diffs, ...resource }) => ({ ...resource, ...(withFields && { diffs }) })),
    createdAt: row.createdAt.toISOString(),
  }) as PublishDto;
}
