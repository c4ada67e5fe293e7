import type { TemplateRenderer } from '@clarion/content';
import {
  type Channel,
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  type JsonObject,
  type LayoutControlValues,
  LayoutFileDto,
} from '@clarion/contracts';
import type { Layout, LayoutRepository, PromotionRepository } from '@clarion/persistence';
import type { AuditLog } from '../audit-log/audit-log';
import { readDto } from '../http/compiled-dto';
import { checkBody, INITIAL_CONTROLS } from '../layouts/layout-body';
import { faultsOf } from './file-faults';
import type { Place, Reference, Resource, ResourceKind, Save } from './resource-kind';

export type LayoutStores = {
  promotion: PromotionRepository;
  layouts: LayoutRepository;
  renderer: TemplateRenderer;
  audit: AuditLog;
};

type LayoutDefinition = { layoutId: string; name: string; isDefault: boolean; controlValues: LayoutControlValues };

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

  comparable(definition: JsonObject): JsonObject {
    return definition;
  }

  needs(): Reference[] {
    return [];
  }

  channels(): Channel[] {
    return [];
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

  async prepare(environmentId: EnvironmentId, { id, definition, findings }: Resource): Promise<Save> {
    const { renderer, layouts, audit } = this.stores;
    const { name, isDefault, controlValues } = definition as unknown as LayoutDefinition;
    if (controlValues.email && !findings) await checkBody(renderer, environmentId, controlValues.email);
    return async (place, before) => {
      const row = before && (await layouts.find(environmentId, { layoutId: id }));
      const content = { name, controlValues };
      let after = row
        ? await layouts.update(environmentId, row.id, content)
        : await layouts.insert(environmentId, id, content);
      if (!after) throw new DomainError('conflict', `The layout ${id} was changed at the same time`);
      if (isDefault && !after.isDefault) {
        await layouts.makeDefault(environmentId, after.id);
        after = { ...after, isDefault };
      }
      await audit.recordIn(place.actor, place, { resource: 'layout', id: after.id, before: row, after });
    };
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

  async remove(place: Place, { id }: Resource): Promise<void> {
    const { layouts, audit } = this.stores;
    const { environmentId } = place;
    const users = await layouts.listUsers(environmentId, id, { orNone: false });
    if (users.length > 0) {
      const workflows = users.map(({ workflowId }) => workflowId).join(', ');
      throw new DomainError('conflict', `The layout ${id} cannot be deleted, it is used by workflows: ${workflows}`);
    }
    const before = (await layouts.find(environmentId, { layoutId: id }))!;
    if (!(await layouts.delete(environmentId, before.id))) {
      throw new DomainError('conflict', `The layout ${id} cannot be deleted, it is the default of other layouts`);
    }
    await audit.recordIn(place.actor, place, { resource: 'layout', id: before.id, before });
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
