import {
  type Channel,
  type EnvironmentId,
  type FieldErrors,
  type JsonObject,
  type PromotedType,
  TimeSlices,
} from '@clarion/contracts';
import type { AuditActor } from '../../edge/audit-log/audit-log';

/** A resource that can be published. Its definition has no ids of its environment, only identifiers of authors. */
export type Resource = {
  id: string;
  name: string;
  definition: JsonObject;
  /** The id of its row. A deletion that is undone restores the row. */
  rowId?: string;
  updatedAt?: Date;
  /** What was found when the stored content was checked. With it, a copy needs no render process. */
  findings?: JsonObject;
};

/** Where a change is made, and by whom. */
export type Place = { actor: AuditActor; organizationId: string; environmentId: EnvironmentId };

export type Edit = { before: Resource | undefined; after: Resource };

export type Reference = { type: PromotedType; id: string };

/** One type of resources that can be published. A new type is one more entry in the list of kinds. */
export interface ResourceKind {
  readonly type: PromotedType;
  all(environmentId: EnvironmentId): AsyncIterable<Resource>;
  find(environmentId: EnvironmentId, ids: string[]): Promise<Resource[]>;
  /** Lets other writers of these resources wait until the transaction ends. */
  lock(environmentId: EnvironmentId, ids: string[]): Promise<void>;
  /** The definition without what differs between equal resources; without this method, all of it. */
  comparable?(definition: JsonObject): JsonObject;
  /** Resources that it refers to. */
  needs?(definition: JsonObject): Reference[];
  /** Channels that it sends on. */
  channels?(definition: JsonObject): Channel[];
  /** Reads the content of a file with all defaults filled in. */
  read(content: JsonObject): Resource | { errors: FieldErrors };
  /** Checks a definition in the render processes, before the transaction. Throws a `DomainError` if it is bad. */
  prepare(environmentId: EnvironmentId, resource: Resource): Promise<Resource>;
  /** Writes one batch of prepared resources. Runs in the transaction, perhaps more than once. */
  save(place: Place, edits: Edit[]): Promise<void>;
  /** Deletes one batch of locked resources. The default of a type comes last. */
  remove(place: Place, resources: Resource[]): Promise<void>;
  /** Other resources of the environment that these changes change too. */
  implied?(
    environmentId: EnvironmentId,
    changes: { before: Resource | undefined; after: Resource | undefined }[],
  ): Promise<{ before: Resource; after: Resource }[]>;
}

export const comparableOf = (kind: ResourceKind, definition: JsonObject): JsonObject =>
  kind.comparable?.(definition) ?? definition;

/** The target is locked meanwhile, so the number of statements does not grow with that of the resources. */
const BATCH = 100;
/** But a statement with many megabytes would block the event loop while it is written. */
const BATCH_BYTES = 256 * 1024;

export async function inBatches<T>(
  all: readonly T[],
  resourceOf: (one: T) => Resource,
  work: (batch: T[]) => Promise<void>,
): Promise<void> {
  const slices = new TimeSlices();
  let [batch, bytes]: [T[], number] = [[], 0];
  for (const one of all) {
    const own = JSON.stringify(resourceOf(one).definition).length;
    await slices.rest();
    if (batch.length > 0 && (batch.length === BATCH || bytes + own > BATCH_BYTES)) {
      await work(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += own;
  }
  if (batch.length > 0) await work(batch);
}
