import type { TemplateRenderer } from '@clarion/content';
import {
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  type JsonObject,
  type LayoutControlValues,
  LayoutFileDto,
} from '@clarion/contracts';
import type { Layout, LayoutEdit, LayoutRepository, NewLayout, PromotionRepository } from '@clarion/persistence';
import type { AuditLog } from '../../edge/audit-log/audit-log';
import { readDto } from '../../edge/http/compiled-dto';
import { checkBody, INITIAL_CONTROLS } from '../layouts/layout-body';
import { faultsOf } from './file-faults';
import type { Edit, Place, Resource, ResourceKind } from './resource-kind';

export type LayoutStores = {
  promotion: PromotionRepository;
  layouts: LayoutRepository;
  renderer: TemplateRenderer;
  audit: AuditLog;
};

type LayoutDefinition = { layoutId: string; name: string; isDefault: boolean; controlValues: LayoutControlValues };

const asDefinition = ({ definition }: Resource): LayoutDefinition => definition as unknown as LayoutDefinition;

export class LayoutKind implements ResourceKind {
  readonly type = 'layout';

  constructor(private readonly stores: LayoutStores) {}

  async *all(environmentId: EnvironmentId): AsyncGenerator<Resource> {
    for await (const row of this.stores.promotion.layouts(environmentId)) yield toResource(row);
  }

  async find(environmentId: EnvironmentId, ids: string[]): Promise<Resource[]> {
    return (await this.stores.layouts.findMany(environmentId, ids)).map(toResource);
  }

  lock(environmentId: EnvironmentId): Promise<void> {
    return this.stores.layouts.lock(environmentId);
  }

  read(content: JsonObject): Resource | { errors: FieldErrors } {
    const read = readDto(LayoutFileDto, content);
    if (!('value' in read) || read.unknown) return { errors: faultsOf(read) };
    const { layoutId, name, isDefault = false, controlValues } = read.value;
    return {
      id: layoutId,
      name,
      definition: definitionOf({ layoutId, name, isDefault, controlValues: controlValues ?? INITIAL_CONTROLS }),
    };
  }

  async prepare(environmentId: EnvironmentId, resource: Resource): Promise<Resource> {
    const { controlValues } = asDefinition(resource);
    if (controlValues.email && !resource.findings) {
      await checkBody(this.stores.renderer, environmentId, controlValues.email);
    }
    return resource;
  }

  async save(place: Place, edits: Edit[]): Promise<void> {
    const { layouts, audit } = this.stores;
    const { environmentId } = place;
    const present = edits.filter(({ before }) => before).map(({ after }) => after.id);
    const rows = new Map((await layouts.findMany(environmentId, present)).map((row) => [row.layoutId, row]));
    const [added, changed]: [NewLayout[], LayoutEdit[]] = [[], []];
    for (const { before, after } of edits) {
      const { name, controlValues } = asDefinition(after);
      const row = before && rows.get(after.id);
      if (row) changed.push({ id: row.id, name, controlValues });
      else added.push({ layoutId: after.id, name, controlValues });
    }
    const written = [
      ...(await layouts.insertMany(environmentId, added)),
      ...(await layouts.updateMany(environmentId, changed)),
    ];
    const found = new Map(written.map((row) => [row.layoutId, row]));
    const lost = edits.find(({ after }) => !found.has(after.id));
    if (lost) throw new DomainError('conflict', `The layout ${lost.after.id} was changed at the same time`);
    const chosen = edits.findLast(({ after }) => asDefinition(after).isDefault);
    const standard = chosen && found.get(chosen.after.id)!;
    if (standard && !standard.isDefault) await layouts.makeDefault(environmentId, standard.id);
    const records = written.map((row) => {
      const after = { ...row, isDefault: standard ? row === standard : row.isDefault };
      return { resource: 'layout' as const, id: row.id, before: rows.get(row.layoutId), after };
    });
    await audit.recordMany(place.actor, place, records);
  }

  /** A layout that becomes the default takes that from another one. */
  async implied(
    environmentId: EnvironmentId,
    changes: { before: Resource | undefined; after: Resource | undefined }[],
  ): Promise<{ before: Resource; after: Resource }[]> {
    if (!changes.some(({ after }) => after?.definition['isDefault'] === true)) return [];
    const present = await this.stores.layouts.findDefault(environmentId);
    if (!present || changes.some(({ before }) => before?.id === present.layoutId)) return [];
    const before = toResource(present);
    return [{ before, after: { ...before, definition: { ...before.definition, isDefault: false } } }];
  }

  async remove(place: Place, resources: Resource[]): Promise<void> {
    const { layouts, audit } = this.stores;
    const { environmentId } = place;
    const names = resources.map(({ id }) => id);
    if ((await layouts.listUsers(environmentId, names)).length > 0) throw await this.usedFault(environmentId, names);
    const rows = await layouts.findMany(environmentId, names);
    const ids = rows.map(({ id }) => id);
    if (!(await layouts.deleteMany(environmentId, ids))) {
      const standard = rows.find(({ isDefault }) => isDefault)!.layoutId;
      throw new DomainError('conflict', `The layout ${standard} cannot be deleted, it is the default of other layouts`);
    }
    const records = rows.map((before) => ({ resource: 'layout' as const, id: before.id, before }));
    await audit.recordMany(place.actor, place, records);
  }

  private async usedFault(environmentId: EnvironmentId, names: string[]): Promise<DomainError> {
    for (const name of names) {
      const users = await this.stores.layouts.listUsers(environmentId, [name]);
      if (users.length === 0) continue;
      const workflows = users.map(({ workflowId }) => workflowId).join(', ');
      return new DomainError('conflict', `The layout ${name} cannot be deleted, it is used by workflows: ${workflows}`);
    }
    return new DomainError('conflict', `The layouts ${names.join(', ')} cannot be deleted, workflows use them`);
  }
}

const toResource = (row: Layout): Resource => ({
  id: row.layoutId,
  name: row.name,
  rowId: row.id,
  updatedAt: row.updatedAt,
  definition: definitionOf(row),
  findings: {},
});

const definitionOf = ({ layoutId, name, isDefault, controlValues }: LayoutDefinition): JsonObject => ({
  layoutId,
  name,
  isDefault,
  controlValues: { ...controlValues },
});
