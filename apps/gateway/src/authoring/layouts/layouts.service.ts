import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import {
  type CreateLayoutDto,
  DomainError,
  type DuplicateLayoutDto,
  invalidField,
  isId,
  type JsonObject,
  type LayoutControlValues,
  type LayoutDto,
  type LayoutListDto,
  type LayoutPreviewDto,
  type LayoutUsageDto,
  type ListLayoutsQuery,
  type PreviewLayoutDto,
  type UpdateLayoutDto,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  type Layout,
  type LeftOut,
  type LayoutContent,
  type LayoutName,
  type LayoutPage,
  LayoutRepository,
} from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { refuseOtherRevision, revisionOf } from '../revision';
import { idOfSlug, kebabCase, layoutSlug } from '../workflows/slugs';
import { checkBody, INITIAL_CONTROLS, previewLayout } from './layout-body';

const IDENTIFIER_TRIES = 4;
const IDENTIFIER_CHARACTERS = 100;

const ORDER_COLUMNS = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name',
} as const satisfies Record<ListLayoutsQuery['orderBy'], LayoutPage['orderBy']>;

@Injectable()
export class LayoutsService {
  constructor(
    readonly database: Database,
    private readonly layouts: LayoutRepository,
    readonly renderer: TemplateRenderer,
    private readonly audit: AuditLog,
  ) {}

  async create(
    owner: KeyOwner,
    { layoutId, name }: CreateLayoutDto,
    controlValues: Required<LayoutControlValues> = INITIAL_CONTROLS,
  ): Promise<LayoutDto> {
    if (controlValues !== INITIAL_CONTROLS) {
      await checkBody(this.renderer, owner.environmentId, controlValues.email);
    }
    const layout = await this.insert(owner, layoutId, { name, controlValues });
    if (!layout) throw taken(layoutId);
    return withRevision(layout);
  }

  async list(owner: KeyOwner, query: ListLayoutsQuery): Promise<LayoutListDto> {
    const page = { ...query, orderBy: ORDER_COLUMNS[query.orderBy] };
    const { rows, totalCount } = await this.layouts.list(owner.environmentId, query.query, page);
    return { layouts: rows.map(toLayoutDto), totalCount };
  }

  async retrieve(owner: KeyOwner, identifier: string): Promise<LayoutDto> {
    return withRevision(await this.find(owner, identifier));
  }

  /** Fields that are left out stay as they are. */
  async update(owner: KeyOwner, identifier: string, input: Partial<UpdateLayoutDto>): Promise<LayoutDto> {
    const email = input.controlValues?.email;
    if (email) await checkBody(this.renderer, owner.environmentId, email);
    return this.database.transaction(async () => {
      await this.layouts.lock(owner.environmentId);
      const layout = await this.find(owner, identifier);
      refuseOtherRevision(input.revision, revisionOfLayout(layout), `Layout ${identifier}`);
      if (layout.isDefault && input.isDefault === false) {
        throw invalidField('isDefault', 'isDefault must not be false: make another layout the default instead');
      }
      if (input.isDefault) await this.layouts.makeDefault(owner.environmentId, layout.id);
      const kept = input.controlValues === null ? INITIAL_CONTROLS : layout.controlValues;
      const content = { name: input.name ?? layout.name, controlValues: email ? { email } : kept };
      const after = (await this.layouts.update(owner.environmentId, layout.id, content))!;
      await this.audit.record(owner, { resource: 'layout', id: layout.id, before: layout, after });
      return withRevision(after);
    });
  }

  /** Refuses to delete a layout that workflows use, or the default while there are others, so that no email changes. */
  delete(owner: KeyOwner, identifier: string): Promise<void> {
    return this.database.transaction(async () => {
      await this.layouts.lock(owner.environmentId);
      const before = await this.find(owner, identifier);
      const { id, layoutId } = before;
      const users = await this.layouts.listUsers(owner.environmentId, [layoutId]);
      if (users.length > 0) {
        const workflows = users.map((user) => user.workflowId).join(', ');
        throw new DomainError('conflict', `Layout ${layoutId} is used by workflows: ${workflows}`);
      }
      if (!(await this.layouts.deleteMany(owner.environmentId, [id]))) {
        throw new DomainError('conflict', `Layout ${layoutId} is the default: make another layout the default first`);
      }
      await this.audit.record(owner, { resource: 'layout', id, before });
    });
  }

  /** If the layoutId made from the name is taken, a random suffix is added. */
  async duplicate(owner: KeyOwner, identifier: string, input: DuplicateLayoutDto): Promise<LayoutDto> {
    const { controlValues } = await this.find(owner, identifier);
    const content = { name: input.name, controlValues };
    if (input.layoutId !== undefined) {
      const layout = await this.insert(owner, input.layoutId, content);
      if (!layout) throw taken(input.layoutId);
      return withRevision(layout);
    }
    const made = kebabCase(input.name).slice(0, IDENTIFIER_CHARACTERS) || 'layout';
    for (let attempt = 1; attempt <= IDENTIFIER_TRIES; attempt += 1) {
      const layoutId = attempt === 1 ? made : `${made}-${randomBytes(4).toString('hex')}`;
      const layout = await this.insert(owner, layoutId, content);
      if (layout) return withRevision(layout);
    }
    throw taken(made);
  }

  preview(owner: KeyOwner, identifier: string, input: PreviewLayoutDto): Promise<LayoutPreviewDto> {
    return this.database.beforehand(async () => {
      const layout = await this.find(owner, identifier);
      return previewLayout(this, owner.environmentId, layout, input);
    });
  }

  async usage(owner: KeyOwner, identifier: string): Promise<LayoutUsageDto> {
    const { layoutId, isDefault } = await this.find(owner, identifier);
    return { workflows: await this.layouts.listUsers(owner.environmentId, [layoutId], { orNone: isDefault }) };
  }

  private insert(owner: KeyOwner, layoutId: string, content: LayoutContent): Promise<Layout | undefined> {
    return this.database.transaction(async () => {
      await this.layouts.lock(owner.environmentId);
      const layout = await this.layouts.insert(owner.environmentId, layoutId, content);
      if (layout) await this.audit.record(owner, { resource: 'layout', id: layout.id, after: layout });
      return layout;
    });
  }

  private async find(owner: KeyOwner, identifier: string): Promise<Layout> {
    const layout = await this.layouts.find(owner.environmentId, nameOf(identifier));
    if (!layout) throw new DomainError('not_found', `Layout ${identifier} was not found`);
    return layout;
  }
}

const taken = (layoutId: string): DomainError =>
  new DomainError('conflict', `Layout with id "${layoutId}" already exists`);

/** An identifier in a path may be a layoutId, an id or a slug. */
export function nameOf(identifier: string): LayoutName {
  const id = isId(identifier) ? identifier : idOfSlug(identifier, 'ly');
  return { layoutId: identifier, ...(id !== undefined && { id }) };
}

const revisionOfLayout = ({ name, controlValues }: Layout): string =>
  revisionOf({ name, controlValues } as unknown as JsonObject);

const withRevision = (row: Layout): LayoutDto => ({ ...toLayoutDto(row), revision: revisionOfLayout(row) });

function toLayoutDto(row: Layout & Partial<LeftOut>): LayoutDto {
  return {
    _id: row.id,
    layoutId: row.layoutId,
    slug: layoutSlug(row.name, row.id),
    name: row.name,
    isDefault: row.isDefault,
    isTranslationEnabled: false,
    origin: 'platform-cloud',
    type: 'REGULAR',
    controls: { values: row.controlValues },
    ...(row.leftOut && { leftOut: ['controls'] }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
