import {
  invalidField,
  type LayoutDto,
  ListLayoutsQuery,
  OlderChangeLayoutDto,
  type OlderLayoutDto,
  OlderLayoutDto as LayoutAnswer,
  OlderLayoutInputDto,
  OlderLayoutListDto,
  OlderLayoutsQuery,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { numberedPage } from '../../edge/http/numbered-page';
import { type Alias, alias } from './alias';

const LAYOUTS = 'v1/layouts';
const LAYOUT = 'v1/layouts/:layoutId';

const email = (content: string) => ({
  email: { body: content.replace(/\{\{\{\s*body\s*\}\}\}/g, '{{content}}'), editorType: 'html' as const },
});

const toOlderLayout = (owner: KeyOwner, layout: LayoutDto): OlderLayoutDto => ({
  _id: layout._id,
  _organizationId: owner.organizationId,
  _environmentId: owner.environmentId,
  name: layout.name,
  identifier: layout.layoutId,
  channel: 'email',
  content: layout.controls.values.email?.body ?? '',
  ...(layout.leftOut && { leftOut: ['content'] }),
  contentType: 'customHtml',
  isDefault: layout.isDefault,
  isDeleted: false,
  createdAt: layout.createdAt,
  updatedAt: layout.updatedAt,
});

export const LAYOUT_ALIASES: readonly Alias[] = [
  alias({
    name: 'createLayout',
    route: `POST ${LAYOUTS}`,
    summary: 'Create a layout with its content',
    instead: 'The same as `POST /v2/layouts` and `PUT /v2/layouts/{layoutId}`.',
    rendersTemplates: true,
    body: OlderLayoutInputDto,
    answer: { status: 201, type: LayoutAnswer },
    run: async ({ layouts }, { owner, body: { name, identifier, content, isDefault } }) => {
      const created = await layouts.create(owner, { layoutId: identifier, name }, email(content));
      const isSwitched = isDefault && !created.isDefault;
      return toOlderLayout(owner, isSwitched ? await layouts.update(owner, created._id, { isDefault }) : created);
    },
  }),
  alias({
    name: 'listLayouts',
    route: `GET ${LAYOUTS}`,
    summary: 'List layouts in numbered pages',
    instead: 'The same as `GET /v2/layouts`. With `layoutId` the list has this layout, because the client reads it so.',
    scope: 'read',
    query: OlderLayoutsQuery,
    answer: { type: OlderLayoutListDto },
    run: async ({ layouts }, { owner, query: { page, pageSize, sortBy, orderBy, layoutId } }) => {
      if (layoutId !== undefined) {
        const data = [toOlderLayout(owner, await layouts.retrieve(owner, layoutId))];
        return { data, page, pageSize, totalCount: 1 };
      }
      const wanted = { ...new ListLayoutsQuery(), ...numberedPage({ page, limit: pageSize }) };
      const found = await layouts.list(owner, { ...wanted, orderBy: sortBy, orderDirection: orderBy });
      const data = found.layouts.map((layout) => toOlderLayout(owner, layout));
      return { data, page, pageSize, totalCount: found.totalCount };
    },
  }),
  alias({
    name: 'retrieveLayout',
    route: `GET ${LAYOUT}`,
    summary: 'Retrieve a layout',
    instead: 'The same as `GET /v2/layouts/{layoutId}`.',
    scope: 'read',
    answer: { type: LayoutAnswer },
    run: async ({ layouts }, { owner, params }) =>
      toOlderLayout(owner, await layouts.retrieve(owner, params['layoutId']!)),
  }),
  alias({
    name: 'updateLayout',
    route: `PATCH ${LAYOUT}`,
    summary: 'Update a layout',
    instead: 'The same as `PUT /v2/layouts/{layoutId}`: what is not given stays.',
    rendersTemplates: true,
    body: OlderChangeLayoutDto,
    answer: { type: LayoutAnswer },
    run: async ({ layouts }, { owner, params, body: { name, identifier, content, isDefault } }) => {
      const layout = await layouts.retrieve(owner, params['layoutId']!);
      // This never changes, so it may be read before the update.
      if (identifier !== undefined && identifier !== layout.layoutId) {
        throw invalidField('identifier', 'identifier cannot be changed: steps name the layout by it', identifier);
      }
      const controlValues = content === undefined ? undefined : email(content);
      return toOlderLayout(owner, await layouts.update(owner, layout._id, { name, controlValues, isDefault }));
    },
  }),
  alias({
    name: 'deleteLayout',
    route: `DELETE ${LAYOUT}`,
    summary: 'Delete a layout',
    instead: 'The same as `DELETE /v2/layouts/{layoutId}`.',
    answer: { status: 204 },
    run: ({ layouts }, { owner, params }) => layouts.delete(owner, params['layoutId']!),
  }),
  alias({
    name: 'makeLayoutDefault',
    route: `POST ${LAYOUT}/default`,
    summary: 'Make a layout the default',
    instead: 'The same as `PUT /v2/layouts/{layoutId}` with `isDefault`.',
    answer: { status: 204 },
    run: async ({ layouts }, { owner, params }) => {
      await layouts.update(owner, params['layoutId']!, { isDefault: true });
    },
  }),
];
