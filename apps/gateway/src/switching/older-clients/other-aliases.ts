import {
  ApiKeyDto,
  DomainError,
  ExecutionDetailDto,
  invalidField,
  isId,
  type NotificationId,
  OlderDetailsQuery,
  OlderGroupDto,
  OlderInAppStatusDto,
  toOurName,
} from '@clarion/contracts';
import { generalGroup } from '../../activity/messages/embedded-workflow';
import { type Alias, alias } from './alias';

const GROUPS = 'v1/notification-groups';
const ONE_GROUP =
  'There are no groups of workflows; tags take their place. Every workflow is in the one group `General`, whose id ' +
  'is that of the environment.';

export const OTHER_ALIASES: readonly Alias[] = [
  alias({
    name: 'listGroups',
    route: `GET ${GROUPS}`,
    summary: 'List the groups of workflows',
    instead: ONE_GROUP,
    scope: 'read',
    answer: { type: [OlderGroupDto] },
    run: (_, { owner }) => [generalGroup(owner)],
  }),
  alias({
    name: 'retrieveGroup',
    route: `GET ${GROUPS}/:groupId`,
    summary: 'Retrieve the group of workflows',
    instead: ONE_GROUP,
    scope: 'read',
    answer: { type: OlderGroupDto },
    run: (_, { owner, params: { groupId } }) => {
      const group = generalGroup(owner);
      if (groupId !== group._id) throw new DomainError('not_found', `Notification group ${groupId} was not found`);
      return group;
    },
  }),
  alias({
    name: 'listFeeds',
    route: 'GET v1/feeds',
    summary: 'List the feeds of the inbox',
    instead: 'There are no feeds, so the list is empty; tags select messages of the inbox.',
    scope: 'read',
    answer: { type: [OlderGroupDto] },
    run: () => [],
  }),
  alias({
    name: 'listKeys',
    route: 'GET v1/environments/api-keys',
    summary: 'List the API keys of the environment; the keys themselves are not shown',
    instead: 'The same as `GET /v1/environments/{environmentId}/api-keys`. Keys are stored as hashes only.',
    answer: { type: [ApiKeyDto] },
    run: ({ environments }, { owner }) => environments.listKeys(owner, owner.environmentId),
  }),
  alias({
    name: 'retrieveInAppStatus',
    route: 'GET v1/integrations/in-app/status',
    summary: 'Show whether in-app messages can be sent',
    instead: 'In-app messages need no integration, so they always can.',
    scope: 'read',
    answer: { type: OlderInAppStatusDto },
    run: () => ({ active: true }),
  }),
  alias({
    name: 'retrieveWebhookStatus',
    route: 'GET v1/integrations/webhook/provider/:providerId/status',
    summary: 'Show whether an active integration of a provider accepts delivery events',
    instead: '`GET /v1/integrations/active` shows it as `configurations.inboundWebhookEnabled`.',
    scope: 'read',
    answer: { isBoolean: true },
    run: async ({ integrations }, { owner, params }) => {
      const providerId = toOurName(params['providerId']!);
      const active = await integrations.listActive(owner);
      return active.some((each) => each.providerId === providerId && each.configurations?.inboundWebhookEnabled);
    },
  }),
  alias({
    name: 'listExecutionDetails',
    route: 'GET v1/execution-details',
    summary: 'List the execution details of a notification',
    instead: '`GET /v1/notifications/{notificationId}` shows them by step.',
    scope: 'read',
    query: OlderDetailsQuery,
    answer: { type: [ExecutionDetailDto] },
    run: async ({ notifications }, { owner, query: { notificationId, subscriberId } }) => {
      if (!isId(notificationId)) throw invalidField('notificationId', 'notificationId must be a UUID', notificationId);
      const found = await notifications.retrieve(owner, notificationId.toLowerCase() as NotificationId);
      const isOfSubscriber = [found._subscriberId, found.subscriber?.subscriberId].includes(subscriberId);
      return isOfSubscriber ? (found.jobs ?? []).flatMap(({ executionDetails }) => executionDetails) : [];
    },
  }),
];
