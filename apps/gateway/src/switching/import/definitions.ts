import { DomainError, type JsonObject, type PromotedType } from '@clarion/contracts';
import { type Change, changesOf, type Promotion } from '../../authoring/promotion/promotion';
import type { Resource, ResourceKind } from '../../authoring/promotion/resource-kind';
import { resourcesOf } from '../../authoring/promotion/resource-list';
import { type Commit, contentFault, faultText, type ImportContext, reasonOf, Tally } from './import-kind';
import type { ImportKind } from './import-progress';

/** A definition of the source in the form of files. Without content it could not be read. */
export type SourceDefinition = { id: string; content: JsonObject } | { id: string; fault: string };

/** Writes workflows, layouts and translations with the engine that publishes them. */
export class DefinitionWriter {
  private readonly offered = new Map<PromotedType, Set<string>>();

  constructor(
    private readonly context: ImportContext,
    private readonly promotion: Promotion,
  ) {}

  async write(name: ImportKind, type: PromotedType, items: SourceDefinition[], commit: Commit): Promise<void> {
    const kind = this.promotion.kinds.find((each) => each.type === type)!;
    const tally = new Tally(name);
    const resources = this.readAll(kind, items, tally);
    const { changes, refused } = await this.plan(kind, resources);
    for (const [id, reason] of refused) tally.skip(id, reason);
    tally.unchanged = resources.length - changes.length - refused.size;
    if (this.context.isDryRun) await this.check(changes, tally);
    else if (await this.applyAll(resources, changes, tally, commit)) return;
    await this.context.database.transaction(() => commit(tally.outcome));
  }

  private readAll(kind: ResourceKind, items: SourceDefinition[], tally: Tally): Resource[] {
    const resources = new Map<string, Resource>();
    for (const item of items) {
      const fault = 'fault' in item ? item.fault : contentFault(item.content);
      const read = fault === undefined ? kind.read((item as { content: JsonObject }).content) : undefined;
      if (fault !== undefined) tally.skip(item.id, fault);
      else if ('errors' in read!) tally.skip(item.id, faultText(read.errors));
      else if (resources.has(read!.id)) tally.skip(item.id, `the source has ${read!.id} twice`);
      else resources.set(read!.id, read!);
    }
    const offered = this.offered.get(kind.type) ?? new Set();
    this.offered.set(kind.type, new Set([...offered, ...resources.keys()]));
    return [...resources.values()];
  }

  /** What differs from the environment, without what needs a resource that is not there. */
  private async plan(kind: ResourceKind, resources: Resource[]) {
    const ids = resources.map(({ id }) => id);
    const present = await kind.find(this.context.environment.id, ids);
    for (const { id, definition } of resources) {
      const isDefault = present.find((each) => each.id === id)?.definition['isDefault'] === true;
      // A default is not removed, it moves to another layout.
      if (isDefault) definition['isDefault'] = true;
    }
    const all = await changesOf(kind, ids, resources, present);
    const refused = await this.missing(kind, all);
    return { changes: all.filter(({ id }) => !refused.has(id)), refused };
  }

  private async missing(kind: ResourceKind, changes: Change[]): Promise<Map<string, string>> {
    const needed = changes.flatMap(({ id, after }) =>
      (kind.needs?.(after!.definition) ?? []).map((need) => ({ id, need })),
    );
    const refused = new Map<string, string>();
    for (const other of this.promotion.kinds) {
      const wanted = needed.filter(({ need }) => need.type === other.type);
      const ids = [...new Set(wanted.map(({ need }) => need.id))];
      const found = new Set((await other.find(this.context.environment.id, ids)).map(({ id }) => id));
      if (this.context.isDryRun) for (const id of this.offered.get(other.type) ?? []) found.add(id);
      for (const { id, need } of wanted) {
        if (!found.has(need.id)) refused.set(id, `needs the ${need.type} ${need.id}, which is not there`);
      }
    }
    return refused;
  }

  private async check(changes: Change[], tally: Tally): Promise<void> {
    for (const change of changes) {
      const refusal = await this.attempt(() => change.kind.prepare(this.context.environment.id, change.after!));
      count(tally, change, refusal);
    }
  }

  /** When one change is refused, each is applied alone. Returns whether the progress is stored. */
  private async applyAll(resources: Resource[], changes: Change[], tally: Tally, commit: Commit): Promise<boolean> {
    if (changes.length === 0) return false;
    const { database } = this.context;
    const together = new Tally('workflows');
    for (const change of changes) count(together, change);
    const { created, updated } = together;
    const refusal = await this.attempt(() =>
      database.transaction(async () => {
        await this.apply(resources, changes);
        await commit({ ...tally.outcome, created, updated });
      }),
    );
    if (refusal === undefined) return true;
    for (const change of changes) count(tally, change, await this.attempt(() => this.apply(resources, [change])));
    return false;
  }

  private async apply(resources: Resource[], changes: Change[]): Promise<void> {
    const { environment, sourceName } = this.context;
    const { kind } = changes[0]!;
    const place = { actor: 'cli', organizationId: environment.organizationId, environmentId: environment.id } as const;
    const target = this.promotion.environment(environment.id, environment.name);
    // Reads, before the transaction: `apply` checks in render processes first.
    const implied = await this.context.database.outsideTransaction(() => this.promotion.implied(kind, target, changes));
    const source = resourcesOf(sourceName, [{ kind, resources }]);
    await this.promotion.apply(place, source, [...changes, ...implied], { origin: 'files' });
  }

  /** Why the work was refused; undefined when it was done. */
  private async attempt(work: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return reasonOf(error);
      throw error;
    }
  }
}

function count(tally: Tally, { id, action }: Change, refusal?: string): void {
  if (refusal !== undefined) tally.skip(id, refusal);
  else if (action === 'created') tally.created += 1;
  else tally.updated += 1;
}
