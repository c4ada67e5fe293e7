import {
  CreateTopicDto,
  LIMITS,
  ListTopicsQuery,
  ListTopicSubscriptionsQuery,
  OlderSubscribedDto,
  OlderTopicDto,
  OlderTopicListDto,
  OlderTopicsQuery,
  OlderTopicSubscribersDto,
  PatchTopicDto,
  TopicDto,
} from '@clarion/contracts';
import { numberedPage } from '../../edge/http/numbered-page';
import { type Alias, alias } from './alias';

const TOPICS = 'v1/topics';
const TOPIC = 'v1/topics/:topicKey';

export const TOPIC_ALIASES: readonly Alias[] = [
  alias({
    name: 'createTopic',
    route: `POST ${TOPICS}`,
    summary: 'Create a topic, or update the one with this key',
    instead: 'The same as `POST /v2/topics`.',
    body: CreateTopicDto,
    answer: { status: 201, type: TopicDto },
    run: async ({ topics }, { owner, body }) => (await topics.create(owner, body, false)).topic,
  }),
  alias({
    name: 'listTopics',
    route: `GET ${TOPICS}`,
    summary: 'List topics in numbered pages',
    instead: 'The same as `GET /v2/topics`, which pages by a cursor and stays quick on the last page.',
    scope: 'read',
    query: OlderTopicsQuery,
    answer: { type: OlderTopicListDto },
    run: async ({ topics }, { owner, query: { key, page, pageSize } }) => {
      const wanted = { ...new ListTopicsQuery(), key, ...numberedPage({ page, limit: pageSize }) };
      const { data, totalCount } = await topics.list(owner, wanted);
      return { data, page, pageSize, totalCount };
    },
  }),
  alias({
    name: 'retrieveTopic',
    route: `GET ${TOPIC}`,
    summary: 'Retrieve a topic with its newest subscribers',
    instead:
      'The same as `GET /v2/topics/{topicKey}`; `GET /v2/topics/{topicKey}/subscriptions` lists all subscribers.',
    scope: 'read',
    answer: { type: OlderTopicDto },
    run: async ({ topics, subscriptions }, { owner, params: { topicKey } }) => {
      const topic = await topics.retrieve(owner, topicKey!);
      const newest = { ...new ListTopicSubscriptionsQuery(), limit: LIMITS.topicSubscriptions };
      const { data } = await subscriptions.listOfTopic(owner, topicKey!, newest);
      const { organizationId: _organizationId, environmentId: _environmentId } = owner;
      const subscribers = [...new Set(data.map(({ subscriber }) => subscriber.subscriberId))];
      return { ...topic, _organizationId, _environmentId, subscribers };
    },
  }),
  alias({
    name: 'renameTopic',
    route: `PATCH ${TOPIC}`,
    summary: 'Rename a topic',
    instead: 'The same as `PATCH /v2/topics/{topicKey}`.',
    body: PatchTopicDto,
    answer: { type: TopicDto },
    run: ({ topics }, { owner, params, body }) => topics.patch(owner, params['topicKey']!, body),
  }),
  alias({
    name: 'deleteTopic',
    route: `DELETE ${TOPIC}`,
    summary: 'Delete a topic with its subscriptions',
    instead: 'The same as `DELETE /v2/topics/{topicKey}`.',
    answer: { status: 204 },
    run: async ({ topics }, { owner, params }) => {
      await topics.delete(owner, params['topicKey']!);
    },
  }),
  alias({
    name: 'addTopicSubscribers',
    route: `POST ${TOPIC}/subscribers`,
    summary: 'Subscribe subscribers to a topic; a missing topic is created',
    instead: 'The same as `POST /v2/topics/{topicKey}/subscriptions`.',
    body: OlderTopicSubscribersDto,
    answer: { type: OlderSubscribedDto },
    run: async ({ subscriptions }, { owner, params, body }) => {
      const given = { subscriberIds: body.subscribers };
      const { data, errors } = await subscriptions.subscribe(owner, params['topicKey']!, given);
      return {
        succeeded: data.map(({ subscriber }) => subscriber.subscriberId),
        ...(errors && { failed: { notFound: errors.map(({ subscriberId }) => subscriberId) } }),
      };
    },
  }),
  alias({
    name: 'removeTopicSubscribers',
    route: `POST ${TOPIC}/subscribers/removal`,
    summary: 'Unsubscribe subscribers from a topic',
    instead: 'The same as `DELETE /v2/topics/{topicKey}/subscriptions`.',
    body: OlderTopicSubscribersDto,
    answer: { status: 204 },
    run: async ({ subscriptions }, { owner, params, body }) => {
      await subscriptions.unsubscribe(owner, params['topicKey']!, { subscriberIds: body.subscribers });
    },
  }),
];
