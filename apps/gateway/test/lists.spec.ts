import { OutboxRepository } from '@clarion/persistence';
import { insertMessages } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';
import {
  answerSchema,
  fetchDocument,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  resolve,
} from './openapi-document';

type CursorList = { data: { createdAt: string }[]; next: string | null; previous: string | null; totalCount: number };

const ROWS = ['a', 'b', 'c', 'd', 'e'];
/** The values of path parameters. */
const PATH: Record<string, string> = { subscriberId: 'member-a', topicKey: 'topic-a' };
/** Tables whose `created_at` the spec sets. */
const TABLES = [
  'subscriber',
  'topic',
  'topic_subscription',
  'context',
  'suppression',
  'outbox',
  'bulk_action',
  'publish',
  'channel_connection',
  'channel_endpoint',
  'mirror_difference',
];

/** Rules of every list. The lists are read from the OpenAPI document, so a new list is covered automatically. */
describe('every list', () => {
  let gateway: TestGateway;
  let document: OpenApiDocument;
  let lists: Operation[];

  beforeAll(async () => {
    gateway = await startGateway();
    document = await fetchDocument(gateway.url);
    lists = operationsOf(document).filter(
      ({ method, path, parameters, responses }) =>
        method === 'GET' &&
        !path.includes('/inbound-webhooks/') &&
        // Its lists are those of a subscriber, for a page with another proof.
        !/^\/v1\/(?:inbox|widgets)\//.test(path) &&
        // A stream of events has no end.
        !('text/event-stream' in (responses['200']?.content ?? {})) &&
        parameters.some(({ in: location }) => location === 'query'),
    );
    await fill(gateway);
  });
  afterAll(() => gateway.close());

  const pathOf = ({ path }: Operation): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(PATH[name] ?? `no ${name} in PATH`));
  const cursorLists = (): Operation[] =>
    lists.filter((operation) => {
      const schema = answerSchema(operation, 200);
      return schema && 'previous' in (resolve(document, schema).properties ?? {});
    });
  const read = async (operation: Operation, query: string): Promise<CursorList> => {
    const { status, body, text } = await gateway.call<CursorList>('GET', `${pathOf(operation)}?${query}`);
    if (status !== 200) throw new Error(`${operation.operationId}?${query} answered ${status}: ${text}`);
    return body;
  };

  it('includes the cursor lists that this spec fills', () => {
    const ids = cursorLists().map(({ operationId }) => operationId);
    expect(ids).toEqual(
      expect.arrayContaining([
        'subscribers_search',
        'topics_list',
        'topicSubscriptions_listOfTopic',
        'topicSubscriptions_listOfSubscriber',
        'contexts_list',
        'suppressions_list',
        'outbox_list',
        'bulkActions_list',
        'promotion_list',
        'channelConnections_list',
        'channelEndpoints_list',
        'mirror_differences',
      ]),
    );
  });

  it('pages in order of createdAt on request, independent of the order of the ids', async () => {
    for (const operation of cursorLists()) {
      for (const orderDirection of ['ASC', 'DESC']) {
        const times: string[] = [];
        for (let next: string | null = ''; next !== null;) {
          const page = await read(
            operation,
            `orderBy=createdAt&orderDirection=${orderDirection}&limit=2&after=${next}`,
          );
          times.push(...page.data.map(({ createdAt }) => createdAt));
          next = page.next;
        }
        const { totalCount } = await read(operation, 'limit=1');
        const sorted = orderDirection === 'ASC' ? times.toSorted() : times.toSorted().reverse();
        expect([operation.operationId, times.length, times]).toEqual([operation.operationId, totalCount, sorted]);
        expect(totalCount).toBeGreaterThanOrEqual(ROWS.length);
      }
    }
  });

  it.each(['_id', 'createdAt'])(
    'returns a cursor back from the empty page past either end, ordered by %s',
    async (orderBy) => {
      for (const operation of cursorLists()) {
        for (const [forward, backward] of [
          ['ASC', 'DESC'],
          ['DESC', 'ASC'],
        ]) {
          const query = `orderBy=${orderBy}&orderDirection=${forward}&limit=100`;
          const all = await read(operation, query);
          // The first item of the reversed list is the last one of this list.
          const { next: last } = await read(operation, `orderBy=${orderBy}&orderDirection=${backward}&limit=1`);
          const pastEnd = await read(operation, `${query}&after=${last}`);
          expect(pastEnd).toMatchObject({ data: [], next: null, previous: expect.any(String) });
          const back = await read(operation, `${query}&before=${pastEnd.previous}`);
          expect(shown(back.data)).toEqual(shown(all.data));

          const { next: first } = await read(operation, `orderBy=${orderBy}&orderDirection=${forward}&limit=1`);
          const beforeStart = await read(operation, `${query}&before=${first}`);
          expect(beforeStart).toMatchObject({ data: [], previous: null, next: expect.any(String) });
          const again = await read(operation, `${query}&after=${beforeStart.next}`);
          expect(shown(again.data)).toEqual(shown(all.data));
        }
      }
    },
  );

  it('treats a parameter without a value as absent', async () => {
    expect(lists.length).toBeGreaterThan(12);
    for (const operation of lists) {
      const names = operation.parameters
        .filter((parameter) => parameter.in === 'query' && parameter.name !== 'contextKeys' && !parameter.required)
        .map(({ name }) => name);
      const answer = async (query = '') => {
        const { status, body } = await gateway.call('GET', pathOf(operation) + query);
        return [operation.operationId, status, shown(body)];
      };
      // Before and after: the default range of some lists is that of the minute.
      const before = await answer();
      const empty = await answer(`?${names.map((name) => `${name}=`).join('&')}`);
      expect([before, await answer()]).toContainEqual(empty);
    }
  });
});

/** The JSON without the parts that differ between requests: links that expire, and times of the request. */
const shown = (value: unknown): string =>
  JSON.stringify(value).replace(/"(previewUrl|timestamp|path|since)":"[^"]*"/g, '');

async function fill({ call, database, environmentId }: TestGateway): Promise<void> {
  await call('POST', '/v1/subscribers/bulk', { subscribers: ROWS.map((row) => ({ subscriberId: `member-${row}` })) });
  const chat = { integrationIdentifier: 'chat', subscriberId: 'member-a' };
  await call('POST', '/v1/integrations', { providerId: 'slack', channel: 'chat', identifier: 'chat' });
  for (const row of ROWS) {
    await call('POST', '/v1/channel-connections', { ...chat, workspace: { id: row }, auth: { accessToken: row } });
    await call('POST', '/v1/channel-endpoints', { ...chat, type: 'slack_user', endpoint: { userId: row } });
    await call('POST', '/v2/topics', { key: `topic-${row}` });
    await call('POST', `/v2/topics/topic-${row}/subscriptions`, { subscriberIds: ['member-a'] });
    await call('POST', '/v2/contexts', { type: 'team', id: row });
    await call('POST', '/v1/suppressions', { channel: 'email', address: `${row}@example.com` });
    await database.execute(
      `INSERT INTO mirror_difference (id, environment_id, kind, transaction_id) VALUES (uuid_v7(), $1, 'outcome', $2)`,
      [environmentId, row],
    );
    await call('POST', '/v1/bulk-actions', { action: 'cancel', filter: { transactionId: [row] } });
  }
  const { body: target } = await call<{ _id: string }>('POST', '/v1/environments', { name: 'Target' });
  PATH['environmentId'] = target._id;
  for (const row of ROWS) {
    await call('POST', '/v2/workflows', { name: row, workflowId: row, steps: [] });
    await call('PUT', `/v2/workflows/${row}/sync`, { targetEnvironmentId: target._id });
  }
  const subscriberIds = ROWS.map((row) => `member-${row}`);
  await call('POST', '/v2/topics/topic-a/subscriptions', { subscriberIds });
  const [{ id: subscriberId } = { id: '' }] = await database.query<{ id: string }>(
    `SELECT id FROM subscriber WHERE subscriber_id = 'member-a' AND environment_id = $1`,
    [environmentId],
  );
  const messages = await insertMessages(
    database,
    ROWS.map(() => ({ environmentId, subscriberId })),
  );
  await new OutboxRepository(database).put(
    environmentId,
    messages.map(({ id }) => ({
      messageId: id,
      channel: 'sms' as const,
      providerId: 'platform-sms' as const,
      to: ['+15005550006'],
      text: 'Hello',
      more: {},
    })),
  );
  for (const table of TABLES) {
    // In the reverse order of the ids, with equal times.
    await database.execute(
      `UPDATE ${table} t SET created_at = timestamptz '2026-01-01' - numbered.number / 2 * interval '1 hour'
         FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM ${table} WHERE environment_id = ANY ($1)) numbered
        WHERE numbered.id = t.id`,
      [[environmentId, target._id]],
    );
  }
}
