import {
  CHANNELS,
  type ChannelFlagsDto,
  ListWorkflowsQuery,
  OlderChangeTemplateDto,
  OlderPageQuery,
  OlderStatusDto,
  type OlderStepDto,
  OlderTemplateDto,
  OlderTemplateInputDto,
  OlderTemplateListDto,
  type PreferenceLayerDto,
  type WorkflowDto,
  type WorkflowHeadDto,
  pick,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { numberedPage } from '../../edge/http/numbered-page';
import { kebabCase } from '../../authoring/workflows/slugs';
import { type Alias, alias } from './alias';
import type { AliasedServices } from './aliased-services';
import { keptStep, toOlderStep, toStepInput } from './older-steps';

const TEMPLATES = 'v1/notification-templates';
const TEMPLATE = 'v1/notification-templates/:workflowId';

const toHead = (owner: KeyOwner, workflow: WorkflowHeadDto) => ({
  _id: workflow._id,
  _organizationId: owner.organizationId,
  _environmentId: owner.environmentId,
  _notificationGroupId: owner.environmentId,
  name: workflow.name,
  ...(workflow.description !== undefined && { description: workflow.description }),
  tags: workflow.tags,
  active: workflow.active,
  triggers: [{ type: 'event' as const, identifier: workflow.workflowId }],
  createdAt: workflow.createdAt,
  updatedAt: workflow.updatedAt,
});

function toOlderTemplate(owner: KeyOwner, workflow: WorkflowDto): OlderTemplateDto {
  const { all, channels } = workflow.preferences.user ?? workflow.preferences.default;
  const flags = CHANNELS.map((channel) => [channel, channels[channel]?.enabled ?? true]);
  return {
    ...toHead(owner, workflow),
    critical: all.readOnly ?? false,
    preferenceSettings: Object.fromEntries(flags) as ChannelFlagsDto,
    steps: workflow.steps.map(toOlderStep),
  };
}

/** Older clients name a layout by its id, steps by its layoutId. */
async function stepsOf({ layouts }: AliasedServices, owner: KeyOwner, steps: OlderStepDto[]) {
  const inputs = [];
  for (const step of steps) {
    const { layoutId } = step.template;
    const named = layoutId ? (await layouts.retrieve(owner, layoutId)).layoutId : layoutId;
    inputs.push(toStepInput({ ...step, template: { ...step.template, layoutId: named } }));
  }
  return inputs;
}

const layerOf = ({ critical, preferenceSettings = {} }: OlderChangeTemplateDto): PreferenceLayerDto => ({
  all: { enabled: true, readOnly: critical ?? false },
  channels: Object.fromEntries(Object.entries(preferenceSettings).map(([channel, enabled]) => [channel, { enabled }])),
});

export const TEMPLATE_ALIASES: readonly Alias[] = [
  alias({
    name: 'listTemplates',
    route: `GET ${TEMPLATES}`,
    summary: 'List workflows in numbered pages',
    instead: 'The same as `GET /v2/workflows`.',
    scope: 'read',
    query: OlderPageQuery,
    answer: { type: OlderTemplateListDto },
    run: async ({ workflows }, { owner, query }) => {
      const wanted = { ...new ListWorkflowsQuery(), ...numberedPage(query) };
      const found = await workflows.list(owner, wanted);
      const data = found.workflows.map((workflow) => toHead(owner, workflow));
      return { data, page: query.page, pageSize: query.limit, totalCount: found.totalCount };
    },
  }),
  alias({
    name: 'createTemplate',
    route: `POST ${TEMPLATES}`,
    summary: 'Create a workflow; its identifier is made from the name',
    instead: 'The same as `POST /v2/workflows`. `{{name}}` in a text becomes `{{payload.name}}`.',
    rendersTemplates: true,
    body: OlderTemplateInputDto,
    answer: { status: 201, type: OlderTemplateDto },
    run: async (services, { owner, body }) => {
      const { name, description, tags, active, steps = [] } = body;
      const created = await services.workflows.create(owner, {
        ...{ name, description, tags, active },
        workflowId: kebabCase(name) || 'workflow',
        preferences: { workflow: layerOf(body) },
        steps: await services.workflows.database.beforehand(() => stepsOf(services, owner, steps)),
      });
      return toOlderTemplate(owner, created);
    },
  }),
  alias({
    name: 'retrieveTemplate',
    route: `GET ${TEMPLATE}`,
    summary: 'Retrieve a workflow',
    instead: 'The same as `GET /v2/workflows/{workflowId}`.',
    scope: 'read',
    answer: { type: OlderTemplateDto },
    run: async ({ workflows }, { owner, params }) =>
      toOlderTemplate(owner, await workflows.retrieve(owner, params['workflowId']!)),
  }),
  alias({
    name: 'updateTemplate',
    route: `PUT ${TEMPLATE}`,
    summary: 'Update a workflow; steps that are not given in a list of steps are removed',
    instead:
      'The same as `PUT /v2/workflows/{workflowId}`, but what is not given stays. An edit at the same moment: 409.',
    rendersTemplates: true,
    body: OlderChangeTemplateDto,
    answer: { type: OlderTemplateDto },
    run: async (services, { owner, params, body }) => {
      const { workflows } = services;
      // The update waits for render processes, which it must not do in the transaction that a read would begin.
      const { before, given } = await workflows.database.beforehand(async () => ({
        before: await workflows.retrieve(owner, params['workflowId']!),
        given: body.steps && (await stepsOf(services, owner, body.steps)),
      }));
      const { user, default: workflow } = before.preferences;
      const hasPreferences = body.critical !== undefined || body.preferenceSettings !== undefined;
      const { critical, preferenceSettings } = toOlderTemplate(owner, before);
      const layer = layerOf({
        critical: body.critical ?? critical,
        preferenceSettings: { ...preferenceSettings, ...body.preferenceSettings },
      });
      const change = {
        name: body.name ?? before.name,
        description: body.description === undefined ? before.description : body.description,
        tags: body.tags ?? before.tags,
        active: body.active,
        ...pick(before, 'validatePayload', 'escapeHtml', 'whileRetrying', 'payloadSchema', 'severity'),
        preferences: hasPreferences ? { workflow: layer } : { workflow, ...(user && { user }) },
        steps: given ?? before.steps.map(keptStep),
        revision: before.revision,
      };
      const updated = await workflows.update(owner, before._id, change);
      return toOlderTemplate(owner, updated);
    },
  }),
  alias({
    name: 'deleteTemplate',
    route: `DELETE ${TEMPLATE}`,
    summary: 'Delete a workflow',
    instead: 'The same as `DELETE /v2/workflows/{workflowId}`.',
    answer: { isBoolean: true },
    run: async ({ workflows }, { owner, params }) => {
      await workflows.delete(owner, params['workflowId']!);
      return true;
    },
  }),
  alias({
    name: 'switchTemplate',
    route: `PUT ${TEMPLATE}/status`,
    summary: 'Switch a workflow on or off',
    instead: 'The same as `PATCH /v2/workflows/{workflowId}` with `active`.',
    body: OlderStatusDto,
    answer: { type: OlderTemplateDto },
    run: async ({ workflows }, { owner, params, body }) =>
      toOlderTemplate(owner, await workflows.patch(owner, params['workflowId']!, { active: body.active })),
  }),
];
