import {
  AcknowledgedDto,
  ChangeWidgetPreferenceDto,
  ChangeWidgetPreferencesDto,
  CreateSubscriberDto,
  invalidField,
  MarkWidgetMessagesDto,
  MessageDto,
  OlderPageQuery,
  OlderPreferencesQuery,
  OlderSubscriberListDto,
  PatchSubscriberDto,
  SearchSubscribersQuery,
  SubscriberDto,
  WidgetPreferenceDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { numberedPage } from '../../edge/http/numbered-page';
import { flagsOf, markOf, toWidgetPreference } from '../../inbox/widget-forms';
import { toInboxMessageDto } from '../../activity/messages/message';
import { type Alias, alias } from './alias';
import type { AliasedServices } from './aliased-services';

const SUBSCRIBERS = 'v1/subscribers';
const SUBSCRIBER = 'v1/subscribers/:subscriberId';
const PREFERENCES = 'The same as the preferences of a subscriber in `/v2`, in the form of the older clients.';

async function preferencesOf({ inboxes, preferences }: AliasedServices, owner: KeyOwner, subscriberId: string) {
  const { subscriber } = await inboxes.open(owner.environmentId, subscriberId);
  const whose = { subscriber, contextKeys: [] };
  return {
    ofWorkflows: async () => {
      const [, ...ofWorkflows] = await preferences.listAll(whose, { criticality: 'all' });
      return ofWorkflows.map(toWidgetPreference);
    },
    global: async () => [toWidgetPreference(await preferences.global(whose))],
    changeGlobal: async ({ preferences: given = [], enabled }: ChangeWidgetPreferencesDto) =>
      toWidgetPreference(await preferences.changeGlobal(whose, flagsOf(given, enabled))),
    changeWorkflow: async (workflowId: string, { channel, enabled }: ChangeWidgetPreferenceDto) => {
      const channels = flagsOf(channel ? [channel] : [], enabled);
      const [changed] = await preferences.changeWorkflows(whose, [{ workflowId, channels }]);
      return toWidgetPreference(changed!);
    },
  };
}

export const SUBSCRIBER_ALIASES: readonly Alias[] = [
  alias({
    name: 'listSubscribers',
    route: `GET ${SUBSCRIBERS}`,
    summary: 'List subscribers in numbered pages',
    instead: 'The same as `GET /v2/subscribers`, which pages by a cursor and stays quick on the last page.',
    scope: 'read',
    query: OlderPageQuery,
    answer: { type: OlderSubscriberListDto },
    run: async ({ subscribers }, { owner, query }) => {
      const page = { ...new SearchSubscribersQuery(), ...numberedPage(query) };
      const { data, next, totalCount } = await subscribers.search(owner, page);
      return { data, page: query.page, pageSize: query.limit, hasMore: next !== null, totalCount };
    },
  }),
  alias({
    name: 'identifySubscriber',
    route: `POST ${SUBSCRIBERS}`,
    summary: 'Create or update a subscriber',
    instead: 'The same as `POST /v2/subscribers`.',
    body: CreateSubscriberDto,
    answer: { status: 201, type: SubscriberDto },
    run: ({ subscribers }, { owner, body }) => subscribers.create(owner, body, false),
  }),
  alias({
    name: 'retrieveSubscriber',
    route: `GET ${SUBSCRIBER}`,
    summary: 'Retrieve a subscriber',
    instead: 'The same as `GET /v2/subscribers/{subscriberId}`.',
    scope: 'read',
    answer: { type: SubscriberDto },
    run: ({ subscribers }, { owner, params }) => subscribers.retrieve(owner, params['subscriberId']!),
  }),
  alias({
    name: 'updateSubscriber',
    route: `PUT ${SUBSCRIBER}`,
    summary: 'Update a subscriber',
    instead: 'The same as `PATCH /v2/subscribers/{subscriberId}`: what is not given stays.',
    body: PatchSubscriberDto,
    answer: { type: SubscriberDto },
    run: ({ subscribers }, { owner, params, body }) => subscribers.patch(owner, params['subscriberId']!, body),
  }),
  alias({
    name: 'deleteSubscriber',
    route: `DELETE ${SUBSCRIBER}`,
    summary: 'Delete a subscriber',
    instead: 'The same as `DELETE /v2/subscribers/{subscriberId}`.',
    answer: { type: AcknowledgedDto },
    run: ({ subscribers }, { owner, params }) => subscribers.delete(owner, params['subscriberId']!),
  }),
  alias({
    name: 'listPreferences',
    route: `GET ${SUBSCRIBER}/preferences`,
    summary: 'List the preferences of a subscriber for workflows',
    instead: PREFERENCES,
    scope: 'read',
    query: OlderPreferencesQuery,
    answer: { type: [WidgetPreferenceDto] },
    run: async (services, { owner, params }) =>
      (await preferencesOf(services, owner, params['subscriberId']!)).ofWorkflows(),
  }),
  alias({
    name: 'listPreferencesOfLevel',
    route: `GET ${SUBSCRIBER}/preferences/:levelOrWorkflow`,
    summary: 'List the preferences of a level: `global` or `template`',
    instead: PREFERENCES,
    scope: 'read',
    answer: { type: [WidgetPreferenceDto] },
    run: async (services, { owner, params: { levelOrWorkflow: level, subscriberId } }) => {
      if (level !== 'global' && level !== 'template') {
        throw invalidField('levelOrWorkflow', 'levelOrWorkflow must be one of: global, template', level);
      }
      const preferences = await preferencesOf(services, owner, subscriberId!);
      return level === 'global' ? preferences.global() : preferences.ofWorkflows();
    },
  }),
  alias({
    name: 'changeGlobalPreference',
    route: `PATCH ${SUBSCRIBER}/preferences`,
    summary: 'Update the global preference of a subscriber',
    instead: PREFERENCES,
    body: ChangeWidgetPreferencesDto,
    answer: { type: WidgetPreferenceDto },
    run: async (services, { owner, params, body }) =>
      (await preferencesOf(services, owner, params['subscriberId']!)).changeGlobal(body),
  }),
  alias({
    name: 'changePreference',
    route: `PATCH ${SUBSCRIBER}/preferences/:levelOrWorkflow`,
    summary: 'Update the preference of a subscriber for one workflow',
    instead: PREFERENCES,
    body: ChangeWidgetPreferenceDto,
    answer: { type: WidgetPreferenceDto },
    run: async (services, { owner, params, body }) =>
      (await preferencesOf(services, owner, params['subscriberId']!)).changeWorkflow(params['levelOrWorkflow']!, body),
  }),
  alias({
    name: 'markMessages',
    route: `POST ${SUBSCRIBER}/messages/markAs`,
    summary: 'Mark messages of a subscriber as read or seen, or not',
    instead: 'The same as `POST /v1/subscribers/{subscriberId}/messages/mark-as`.',
    body: MarkWidgetMessagesDto,
    answer: { status: 201, type: [MessageDto] },
    run: async ({ inboxes }, { owner, params, body }) => {
      const inbox = await inboxes.open(owner.environmentId, params['subscriberId']!);
      const rows = await inboxes.markSome(inbox, [body.messageId].flat(), markOf(body.mark));
      return rows.map((row) => toInboxMessageDto(owner, row, inbox));
    },
  }),
];
