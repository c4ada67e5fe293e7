import {
  DomainError,
  type EnvironmentId,
  invalidField,
  isSameJson,
  type JsonObject,
  LIMITS,
  mapInSlices,
  type PromotedType,
  type PublishOrigin,
  TimeSlices,
} from '@clarion/contracts';
import type { Database, EnvironmentRepository, PromotionRepository } from '@clarion/persistence';
import type { AuditLog } from '../../edge/audit-log/audit-log';
import { compareFields, type FieldChange, fingerprintOf, measured, valuesOf } from './compare';
import { comparableOf, inBatches, type Place, type Reference, type Resource, type ResourceKind } from './resource-kind';

/** Resources that are read at a time to be summarized. */
const PART = 10;

/** What a comparison keeps of a resource; its definition is read only if it differs. */
export type Summary = { id: string; name: string; fingerprint: string; bytes: number };

/** Where resources come from: an environment, or files. */
export type Source = {
  /** null: not from an environment. */
  environmentId: EnvironmentId | null;
  /** How messages call it. */
  name: string;
  /** Of all resources, or of those with these ids. */
  summaries(kind: ResourceKind, ids?: string[]): Promise<Map<string, Summary>>;
  find(kind: ResourceKind, ids: string[]): Promise<Resource[]>;
};

export type Change = {
  kind: ResourceKind;
  id: string;
  name: string;
  /** What the target has. */
  before: Resource | undefined;
  /** What it gets; undefined deletes it. */
  after: Resource | undefined;
  action: 'created' | 'updated' | 'deleted';
  fields: FieldChange[];
  /** Changes when the resource changes on either side. */
  fingerprint: string;
  /** It follows from another change, and the source does not have it like this. */
  isImplied?: true;
};

type Names = Map<PromotedType, Map<string, string>>;

export type Plan = {
  changes: Change[];
  /** Resources that differ, also those that `limit` left out. */
  differing: number;
  compared: number;
  /** The names of the resources that the target has now, and that the source has, by type and id. */
  present: Names;
  offered: Names;
  /** Ids of the resources of the target after the changes, by type; at least of those that the changes need. */
  remaining: Map<PromotedType, Set<string>>;
};

export type PlanOptions = {
  /** The ids of the resources that are compared; without it all. */
  wanted?: (kind: ResourceKind) => string[];
  /** Whether resources that only the target has are deleted. */
  deletes: boolean;
  /** More changes are left out; without it they are refused. */
  limit?: number;
};

/** What undo needs of one changed resource. */
export type Replaced = {
  type: PromotedType;
  id: string;
  name: string;
  rowId?: string;
  before: JsonObject | null;
  findings?: JsonObject;
  after: string;
};

export type Stores = {
  database: Database;
  environments: EnvironmentRepository;
  promotion: PromotionRepository;
  audit: AuditLog;
  /** In the order in which they are written: a resource after those that it needs. */
  kinds: readonly ResourceKind[];
};

/** Compares resources and writes all changes of one publish in one transaction, for HTTP and for the command line. */
export class Promotion {
  readonly kinds: readonly ResourceKind[] = this.stores.kinds;

  constructor(private readonly stores: Stores) {}

  environment(environmentId: EnvironmentId, name: string): Source {
    return {
      environmentId,
      name,
      summaries: async (kind, ids) => {
        const found = new Map<string, Summary>();
        const slices = new TimeSlices();
        for await (const resource of ids ? inParts(kind, environmentId, ids) : kind.all(environmentId)) {
          await slices.rest();
          found.set(resource.id, summaryOf(resource));
          await slices.rest();
        }
        return found;
      },
      find: (kind, ids) => kind.find(environmentId, ids),
    };
  }

  async plan(source: Source, target: Source, { wanted, deletes, limit }: PlanOptions): Promise<Plan> {
    const plan: Plan = {
      ...{ changes: [], differing: 0, compared: 0 },
      present: new Map(),
      offered: new Map(),
      remaining: new Map(),
    };
    const differing: { kind: ResourceKind; ids: string[] }[] = [];
    let bytes = 0;
    for (const kind of this.kinds) {
      const only = wanted?.(kind);
      const [from, to] = [await source.summaries(kind, only), await target.summaries(kind, only)];
      const all = [...new Set([...from.keys(), ...to.keys()])].sort();
      const ids = all.filter(
        (id) => from.get(id)?.fingerprint !== to.get(id)?.fingerprint && (deletes || from.has(id)),
      );
      plan.compared += all.length;
      plan.present.set(kind.type, namesOf(to));
      plan.offered.set(kind.type, namesOf(from));
      plan.differing += ids.length;
      const removed = new Set(ids.filter((id) => !from.has(id)));
      plan.remaining.set(kind.type, new Set([...to.keys(), ...ids].filter((id) => !removed.has(id))));
      const shown = ids.slice(
        0,
        limit === undefined ? undefined : limit - differing.reduce((sum, { ids: { length } }) => sum + length, 0),
      );
      for (const id of shown) bytes += (from.get(id)?.bytes ?? 0) + (to.get(id)?.bytes ?? 0);
      differing.push({ kind, ids: shown });
    }
    const size = limit ?? LIMITS.publishedResources;
    if (limit === undefined && plan.differing > size) {
      throw invalidField('resources', `${plan.differing} resources differ; name ${size} of them at most`);
    }
    if (bytes > LIMITS.publishedBytes) {
      throw invalidField('resources', `the resources that differ have ${bytes} bytes together; name fewer of them`);
    }
    for (const { kind, ids } of differing) {
      const changes = await changesOf(kind, ids, await source.find(kind, ids), await target.find(kind, ids));
      plan.changes.push(...changes, ...(await this.implied(kind, target, changes)));
    }
    if (wanted) await this.addNeeded(plan, target);
    return plan;
  }

  /** Only some resources were compared: looks for the others that the changes need. */
  private async addNeeded({ changes, present, remaining }: Plan, target: Source): Promise<void> {
    const needed = neededBy(changes);
    for (const kind of this.kinds) {
      const isCompared = (id: string): boolean => present.get(kind.type)!.has(id) || remaining.get(kind.type)!.has(id);
      const ids = needed.flatMap(({ need }) => (need.type === kind.type && !isCompared(need.id) ? [need.id] : []));
      const found = await target.summaries(kind, [...new Set(ids)]);
      for (const [id, { name }] of found) {
        remaining.get(kind.type)!.add(id);
        present.get(kind.type)!.set(id, name);
      }
    }
  }

  /** Changes of other resources of the target that these changes cause. */
  async implied(kind: ResourceKind, { environmentId }: Source, changes: Change[]): Promise<Change[]> {
    if (!kind.implied || environmentId === null) return [];
    const implied: Change[] = [];
    for (const { before, after } of await kind.implied(environmentId, changes)) {
      const own = await changesOf(kind, [before.id], [after], [before]);
      implied.push(...own.map((change) => ({ ...change, isImplied: true as const })));
    }
    return implied;
  }

  /** Refuses changes that need a resource which the target would not have. */
  refuseMissing(plan: Plan, targetName: string): void {
    const missing = neededBy(plan.changes)
      .filter(({ need }) => !plan.remaining.get(need.type)?.has(need.id))
      .map(({ change, need }) => `the ${change.kind.type} ${change.id} needs the ${need.type} ${need.id}`);
    if (missing.length === 0) return;
    const named = missing.slice(0, LIMITS.describedFaults).join('; ');
    throw new DomainError('conflict', `Something is missing in ${targetName}, publish it too: ${named}`);
  }

  /**
   * Makes the changes in one transaction, and records them. Before it writes, it reads both sides again under a lock:
   * a resource that differs from the plan stops everything. Returns the id of the record.
   */
  async apply(
    place: Place,
    source: Source,
    changes: Change[],
    { origin, undoes = null }: { origin: PublishOrigin; undoes?: string | null },
  ): Promise<string> {
    const prepared = new Map<Change, Resource>();
    await this.stores.database.beforehand(async () => {
      for (const change of changes) {
        if (change.after) prepared.set(change, await this.prepare(place.environmentId, change));
      }
    });
    return this.stores.database.transaction(async () => {
      const { environmentId, organizationId } = place;
      const environment = await this.stores.environments.lock(organizationId, environmentId);
      if (!environment) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
      const target = this.environment(environmentId, environment.name);
      const inOrder = this.kinds.map((kind) => ({ kind, changes: changes.filter((change) => change.kind === kind) }));
      for (const part of inOrder) {
        if (part.changes.length === 0) continue;
        const ids = part.changes.map(({ id }) => id);
        await part.kind.lock(environmentId, ids);
        await refuseEdits(part.changes, 'before', await target.find(part.kind, ids), target.name);
        const taken = part.changes.filter(({ isImplied }) => !isImplied);
        await refuseEdits(taken, 'after', await source.find(part.kind, ids), source.name);
        const edits = part.changes.flatMap((change) => {
          const after = prepared.get(change);
          return after ? [{ before: change.before, after }] : [];
        });
        await inBatches(
          edits,
          ({ after }) => after,
          (batch) => part.kind.save(place, batch),
        );
      }
      for (const part of [...inOrder].reverse()) {
        await inBatches(
          removalsOf(part.changes),
          (resource) => resource,
          (batch) => part.kind.remove(place, batch),
        );
      }
      return this.record(place, source, inOrder, { origin, undoes });
    });
  }

  private async prepare(environmentId: EnvironmentId, { kind, id, after }: Change): Promise<Resource> {
    try {
      return await kind.prepare(environmentId, after!);
    } catch (error) {
      if (!(error instanceof DomainError) || !error.extra['errors']) throw error;
      const named = { ...error.extra, resourceType: kind.type, resourceId: id };
      throw new DomainError(error.code, `The ${kind.type} ${id} is not valid`, named);
    }
  }

  private async record(
    { actor, organizationId, environmentId }: Place,
    source: Source,
    parts: { kind: ResourceKind; changes: Change[] }[],
    { origin, undoes }: { origin: PublishOrigin; undoes: string | null },
  ): Promise<string> {
    const replaced: string[] = [];
    const slices = new TimeSlices();
    for (const { kind, changes } of parts) {
      const now = byId(
        await kind.find(
          environmentId,
          changes.map(({ id }) => id),
        ),
      );
      for (const { id, name, before } of changes) {
        const after = fingerprintOf(now.get(id)?.definition);
        await slices.rest();
        const row: Replaced = {
          type: kind.type,
          id,
          name,
          rowId: before?.rowId,
          before: before?.definition ?? null,
          findings: before?.findings,
          after,
        };
        replaced.push(JSON.stringify(row));
        await slices.rest();
      }
    }
    const changes = parts.flatMap((part) => part.changes);
    const isKey = typeof actor === 'object';
    const resources: string[] = [];
    for (const change of changes) resources.push(JSON.stringify(await publishedOf(change)));
    const id = await this.stores.promotion.insertPublish({
      environmentId,
      sourceEnvironmentId: source.environmentId,
      origin,
      undoes,
      actorType: isKey ? 'key' : actor,
      actorId: isKey ? actor.keyId : null,
      actorName: isKey ? actor.keyPrefix : null,
      resources,
      replaced,
    });
    const after = {
      origin,
      sourceEnvironmentId: source.environmentId,
      resources: changes.map(({ kind, id: resource }) => `${kind.type} ${resource}`),
    };
    await this.stores.audit.recordIn(actor, { organizationId, environmentId }, { resource: 'publish', id, after });
    return id;
  }
}

const publishedOf = async (change: Change): Promise<JsonObject> => ({
  resourceType: change.kind.type,
  resourceId: change.id,
  resourceName: change.name,
  action: change.action,
  diffs: {
    previous: change.before ? await valuesOf(change.fields, 'previous') : null,
    new: change.after ? await valuesOf(change.fields, 'new') : null,
  },
});

/** The resources with these ids, few at a time, so that memory does not grow with their number. */
async function* inParts(kind: ResourceKind, environmentId: EnvironmentId, ids: string[]): AsyncGenerator<Resource> {
  for (let at = 0; at < ids.length; at += PART) yield* await kind.find(environmentId, ids.slice(at, at + PART));
}

const neededBy = (changes: Change[]): { change: Change; need: Reference }[] =>
  changes.flatMap((change) =>
    (change.after ? (change.kind.needs?.(change.after.definition) ?? []) : []).map((need) => ({ change, need })),
  );

/** Only the changes that the two lists really have: one may have been edited since its fingerprint was read. */
export async function changesOf(
  kind: ResourceKind,
  ids: string[],
  from: Resource[],
  to: Resource[],
): Promise<Change[]> {
  const [sources, targets] = [byId(from), byId(to)];
  const slices = new TimeSlices();
  const changes: Change[] = [];
  for (const id of ids) {
    const [after, before] = [sources.get(id), targets.get(id)];
    const marks = await mapInSlices([after, before], (side) => fingerprintOf(side?.definition), slices);
    if (marks[0] === marks[1]) continue;
    const fields = compareFields(
      before && comparableOf(kind, before.definition),
      after && comparableOf(kind, after.definition),
    );
    const { name } = (after ?? before)!;
    const action = !before ? 'created' : after ? 'updated' : 'deleted';
    changes.push({ kind, id, name, before, after, action, fields, fingerprint: fingerprintOf({ marks }) });
    await slices.rest();
  }
  return changes;
}

/** The default of a type goes last, because others must not be left without one. */
const removalsOf = (changes: Change[]): Resource[] =>
  changes
    .flatMap(({ before, after }) => (before && !after ? [before] : []))
    .sort((one, other) => Number(isDefault(one)) - Number(isDefault(other)));

const isDefault = ({ definition }: Resource): boolean => definition['isDefault'] === true;

async function refuseEdits(
  changes: Change[],
  side: 'before' | 'after',
  found: Resource[],
  place: string,
): Promise<void> {
  const now = byId(found);
  const slices = new TimeSlices();
  for (const { kind, id, [side]: planned } of changes) {
    const isSame = isSameJson(planned?.definition, now.get(id)?.definition);
    await slices.rest();
    if (isSame) continue;
    throw new DomainError(
      'conflict',
      `The ${kind.type} ${id} was changed in ${place} meanwhile: nothing was published`,
    );
  }
}

const namesOf = (summaries: Map<string, Summary>): Map<string, string> =>
  new Map([...summaries].map(([id, { name }]) => [id, name]));

const byId = (resources: Resource[]): Map<string, Resource> => new Map(resources.map((each) => [each.id, each]));

export const summaryOf = ({ id, name, definition }: Resource): Summary => ({
  id,
  name,
  ...measured(definition),
});
