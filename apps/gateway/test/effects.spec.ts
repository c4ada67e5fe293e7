import { newId } from '@clarion/contracts';
import { corpus } from '@clarion/testing';
import type { Route } from '../src/edge/http/route-policy';
import { type Caller, IN_AN_HOUR, keysPath, LOOPBACK, newKey, openCallers, openInbox, type Reply } from './callers';
import { callGateway, startOwnGateway, type TestGateway } from './harness';
import { MARKER, type Marked, storeMarkedSecrets } from './marked-secrets';

/** Tries to have an effect and returns whether it happened. */
type Effect = (caller: Caller) => Promise<boolean>;

const INBOX_SECRET = /clr_inbox_[\w-]{43}/g;
const UNSUBSCRIBE = /\/u\/([\w-]{66,})/g;

/** Routes of things that this spec does not store. They have no secrets. */
const NOT_STORED = [
  '/bulk-actions/',
  '/notification-groups/',
  '/publishes/',
  '/sessions/current',
  '/subscriptions/one',
];

const READERS = ['read key', 'read session'];
const UNLIMITED_ADMINS = ['admin key', 'admin session'];
const ADMINS = ['admin key', 'admin key for an hour', 'admin key for some addresses', 'admin session'];
const FULL = ['full key', 'full key for an hour', 'full key for some addresses', 'full session', ...ADMINS];
const NOT_IN_BROWSERS = FULL.filter((name) => !name.includes('session'));
const UNLIMITED = ['full key', 'full session', ...UNLIMITED_ADMINS];
const NOT_FOR_AN_HOUR = FULL.filter((name) => !name.includes('hour'));
const FROM_ANYWHERE = FULL.filter((name) => !name.includes('addresses'));

describe('what each credential can do, and can be turned into', () => {
  let gateway: TestGateway;
  let marked: Marked;
  let callers: Caller[];

  beforeAll(async () => {
    gateway = await startOwnGateway({ CLARION_RATE_LIMIT: 'false' });
    marked = await storeMarkedSecrets(gateway);
    const opened = await openCallers(gateway);
    callers = opened.callers;
    marked.secrets.push(...opened.secrets);
  });
  afterAll(() => gateway.close());

  const isOk = ({ status }: Reply): boolean => status >= 200 && status < 300;
  const asOperator = (method: string, path: string, body: object) =>
    callers.find(({ name }) => name === 'operator key')!.call(method, path, body);
  const succeeds =
    (method: string, path: string | (() => string), body?: () => object): Effect =>
    async ({ call }) =>
      isOk(await call(method, typeof path === 'string' ? path : path(), body?.()));
  /** Whether the emails of the workflow are switched on for the subscriber. */
  const isSubscribed = async (): Promise<boolean> => {
    const { body } = await gateway.call<{ workflows: { channels: { email: boolean } }[] }>(
      'GET',
      '/v2/subscribers/ada/preferences',
    );
    return body.workflows[0]!.channels.email;
  };
  const subscribeAgain = () =>
    gateway.call('PATCH', '/v2/subscribers/ada/preferences', { workflowId: 'order', channels: { email: true } });
  /** Every text that the caller may get about the message. */
  async function shownTexts({ call }: Caller): Promise<string> {
    const { notificationId, messageId } = marked.ids;
    const paths = [
      '/v1/outbox',
      `/v1/outbox/${messageId}`,
      `/v1/outbox/${messageId}/preview`,
      '/v1/messages',
      '/v1/notifications',
      `/v1/notifications/${notificationId}`,
      `/v1/notifications/${notificationId}/messages`,
      '/v1/activity',
      '/v1/activity/groups',
      '/v1/activity/export?format=csv',
      '/v1/activity/export?format=json',
      '/v1/overview/error-groups',
      `/v1/execution-details?notificationId=${notificationId}&subscriberId=ada`,
    ];
    const texts: string[] = [];
    for (const path of paths) texts.push((await call('GET', path)).text);
    const { previewUrl } = (await call('GET', `/v1/outbox/${messageId}`)).body as { previewUrl?: string };
    if (previewUrl) texts.push(await (await fetch(previewUrl)).text());
    return texts.join('\n');
  }

  /** `hold` makes the hold. */
  const liftsHold =
    (hold: (method: string, path: string, body: object) => Promise<Pick<Reply, 'body'>>): Effect =>
    async ({ call }) => {
      const { body } = await hold('POST', '/v1/holds', { target: 'channel', id: 'sms', reason: 'a trial' });
      const path = `/v1/holds/${body['_id'] as string}`;
      const isLifted = isOk(await call('DELETE', path));
      if (!isLifted) await asOperator('DELETE', path, {});
      return isLifted;
    };

  const EFFECTS: [what: string, effect: Effect, allowed: string[]][] = [
    [
      'sends a message',
      async ({ call }) =>
        (await call('POST', '/v1/events/trigger', { name: 'order', to: 'ada' })).body['status'] === 'processed',
      ['trigger key', ...FULL],
    ],
    [
      'reads personal data',
      async ({ call }) => (await call('GET', '/v2/subscribers/ada')).text.includes('ada@x.test'),
      [...READERS, ...FULL],
    ],
    [
      'exports the activity',
      async ({ call }) => (await call('GET', '/v1/activity/export?format=csv')).text.includes('ada@x.test'),
      [...READERS, ...FULL],
    ],
    [
      'reads credentials of integrations',
      async ({ call }) => /MARKER-sendgrid/.test((await call('GET', '/v1/integrations')).text),
      NOT_IN_BROWSERS,
    ],
    [
      'reads credentials of subscribers',
      async ({ call }) => /MARKER-(webhook|device)/.test((await call('GET', '/v2/subscribers/ada')).text),
      NOT_IN_BROWSERS,
    ],
    [
      'changes the configuration',
      succeeds('POST', '/v1/environment-variables', () => ({ key: `K${newId().replaceAll('-', '')}` })),
      FULL,
    ],
    ['changes a subscriber', succeeds('PATCH', '/v2/subscribers/ada', () => ({ firstName: newId() })), FULL],
    ['exports a subscriber', succeeds('POST', '/v2/subscribers/ada/export'), FULL],
    [
      'erases a subscriber',
      async ({ call }) => {
        await gateway.call('POST', '/v2/subscribers', { subscriberId: 'gone' });
        return isOk(await call('POST', '/v2/subscribers/gone/erase'));
      },
      FULL,
    ],
    [
      'unsubscribes a subscriber',
      async ({ call }) => {
        await subscribeAgain();
        await call('PATCH', '/v2/subscribers/ada/preferences', { workflowId: 'order', channels: { email: false } });
        return !(await isSubscribed());
      },
      FULL,
    ],
    [
      'opens the page that unsubscribes a subscriber, by a link that it is shown',
      async (caller) => {
        const paths = [...(await shownTexts(caller)).matchAll(UNSUBSCRIBE)].map(([path]) => path);
        const pages = await Promise.all([...new Set(paths)].map((path) => fetch(gateway.url + path)));
        return pages.some(({ status }) => status === 200);
      },
      FULL,
    ],
    [
      'finds the token of a link by searching the outbox for parts of it',
      async ({ call }) => {
        const { text } = await gateway.call<{ text: string }>('GET', `/v1/outbox/${marked.ids['messageId']}`);
        const token = /\/u\/([\w-]{66,})/.exec(text)![1]!;
        return (await call('GET', `/v1/outbox?search=${token.slice(0, 10)}`)).body['totalCount'] === 1;
      },
      FULL,
    ],
    [
      'opens a session of the dashboard',
      async ({ call, apiKey }) => apiKey !== undefined && isOk(await call('POST', '/v1/sessions', { apiKey })),
      ['read key', ...NOT_IN_BROWSERS],
    ],
    [
      'creates a key that does not expire',
      async ({ call }) =>
        isOk(await call('POST', keysPath(gateway), { scope: 'read', allowedAddresses: ['127.0.0.1'] })),
      NOT_FOR_AN_HOUR,
    ],
    [
      'creates a key for all addresses',
      async ({ call }) => {
        const expiresAt = new Date(Date.now() + 60_000).toISOString();
        const { body } = await call('POST', keysPath(gateway), { scope: 'read', expiresAt });
        return body['key'] !== undefined && body['allowedAddresses'] === undefined;
      },
      FROM_ANYWHERE,
    ],
    [
      'creates an admin key',
      succeeds(
        'POST',
        () => keysPath(gateway),
        () => ({ scope: 'admin' }),
      ),
      // The key has the addresses of the one that creates it.
      [...UNLIMITED_ADMINS, 'admin key for some addresses'],
    ],
    [
      'revokes a key without limits',
      async ({ call }) => {
        const { _id } = await newKey(gateway, { scope: 'read' });
        return isOk(await call('DELETE', `${keysPath(gateway)}/${_id}`));
      },
      UNLIMITED,
    ],
    [
      'revokes an admin key',
      async ({ call }) => {
        const { _id } = await newKey(gateway, { scope: 'admin' });
        return isOk(await call('DELETE', `${keysPath(gateway)}/${_id}`));
      },
      UNLIMITED_ADMINS,
    ],
    [
      'revokes a key with its own limits',
      async ({ call }) => {
        const { _id } = await newKey(gateway, { scope: 'read', expiresAt: IN_AN_HOUR, allowedAddresses: LOOPBACK });
        return isOk(await call('DELETE', `${keysPath(gateway)}/${_id}`));
      },
      FULL,
    ],
    [
      'ends the session of a key without limits',
      async ({ call }) => {
        const { key } = await newKey(gateway, { scope: 'read' });
        const { body } = await callGateway<{ _id: string }>(gateway.url, '', 'POST', '/v1/sessions', { apiKey: key });
        return isOk(await call('DELETE', `/v1/sessions/${body._id}`));
      },
      UNLIMITED,
    ],
    [
      'gets a key without limits with a new environment',
      async ({ call }) => hasUnlimitedKey((await call('POST', '/v1/environments', { name: newId() })).body['_id']),
      UNLIMITED_ADMINS,
    ],
    [
      'gets a key without limits with a new organization',
      async ({ call }) => {
        const { body } = await call('POST', '/v1/organizations', { name: newId() });
        return hasUnlimitedKey((body['environment'] as { _id: string } | undefined)?._id);
      },
      UNLIMITED_ADMINS,
    ],
    [
      'deletes an environment that has a key without limits',
      async ({ call }) => {
        const { body } = await gateway.call('POST', '/v1/environments', { name: newId() });
        return isOk(await call('DELETE', `/v1/environments/${body['_id'] as string}`));
      },
      UNLIMITED_ADMINS,
    ],
    ['reads the audit log', succeeds('GET', '/v1/audit-log'), FULL],
    ['lifts a hold', liftsHold((...hold) => gateway.call(...hold)), ['operator key', ...FULL]],
    ['lifts a hold of the operator', liftsHold((...hold) => asOperator(...hold)), ['operator key']],
    [
      'sets a limit',
      async ({ call }) => {
        await asOperator('PUT', '/v1/operations/limits', {
          environmentId: gateway.environmentId,
          messagesPerDay: null,
        });
        return isOk(
          await call('PUT', '/v1/operations/limits', { environmentId: gateway.environmentId, messagesPerDay: 9_999 }),
        );
      },
      ['operator key', ...ADMINS],
    ],
    [
      'raises a limit of the operator',
      async ({ call }) => {
        await asOperator('PUT', '/v1/operations/limits', {
          environmentId: gateway.environmentId,
          messagesPerDay: 10_000,
        });
        return isOk(
          await call('PUT', '/v1/operations/limits', { environmentId: gateway.environmentId, messagesPerDay: 20_000 }),
        );
      },
      ['operator key'],
    ],
    [
      'finds a subscriber of any environment',
      succeeds('GET', '/v1/operations/lookup?id=ada'),
      ['operator key', ...ADMINS],
    ],
    ['reads figures of the installation', succeeds('GET', '/v1/operations/database'), ['operator key']],
    [
      'signs an inbox session of a subscriber',
      async ({ apiKey }) => {
        const token = apiKey === undefined ? undefined : await openInbox(gateway, apiKey);
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${gateway.url}/v1/inbox/preferences`, { headers })).status === 200;
      },
      ['full key', 'full key for an hour', 'admin key', 'admin key for an hour'],
    ],
    [
      'reads the secret that signs inbox sessions',
      async ({ call }) => (await call('GET', inboxSecret())).text.search(INBOX_SECRET) >= 0,
      ['full key', 'admin key'],
    ],
    ['replaces the secret that signs inbox sessions', succeeds('POST', () => `${inboxSecret()}/rotate`), UNLIMITED],
    [
      'lets unsigned sessions open inboxes',
      succeeds(
        'PUT',
        () => `/v1/environments/${gateway.environmentId}`,
        () => ({ inboxSignatures: 'optional' }),
      ),
      FULL,
    ],
    ['reads an inbox', succeeds('GET', '/v1/inbox/notifications'), ['unsigned page', 'signed page']],
    ['reads preferences in an inbox', succeeds('GET', '/v1/inbox/preferences'), ['signed page']],
    [
      'creates a topic in an inbox',
      succeeds(
        'POST',
        () => `/v1/inbox/topics/${newId()}/subscriptions`,
        () => ({}),
      ),
      ['signed page'],
    ],
    [
      'diverts chat messages in an inbox',
      succeeds('POST', '/v1/inbox/channel-endpoints', () => ({
        integrationIdentifier: marked.ids['integrationIdentifier'],
        type: 'slack_user',
        endpoint: { userId: 'U1' },
      })),
      ['signed page'],
    ],
    [
      'rotates the secret of a webhook endpoint',
      succeeds('POST', () => `/v1/webhook-endpoints/${marked.ids['endpointId']}/rotate-secret`),
      FULL,
    ],
  ];

  const inboxSecret = (): string => `/v1/environments/${gateway.environmentId}/inbox-secret`;

  const hasUnlimitedKey = async (environmentId: unknown): Promise<boolean> => {
    if (environmentId === undefined) return false;
    const rows = await gateway.database.query(
      'SELECT 1 FROM api_key WHERE environment_id = $1 AND expires_at IS NULL AND allowed_addresses IS NULL',
      [environmentId],
    );
    return rows.length > 0;
  };

  it.each(corpus(EFFECTS, 18))('%s only with a credential that may', async (_, effect, allowed) => {
    const able: string[] = [];
    for (const caller of callers) if (await effect(caller)) able.push(caller.name);
    expect(able.sort()).toEqual([...allowed].sort());
  });

  /** The responses to all routes that the caller may call without changing anything. */
  async function everyAnswer({
    call,
    name: caller,
  }: Caller): Promise<{ path: string; status: number; text: string }[]> {
    const { ids } = marked;
    const own = caller.endsWith('page') ? 'inbox' : 'key';
    const isForCaller = ({ method, policy: { access, scopes } }: Route): boolean =>
      method === 'GET' && access === own && scopes.some((scope) => scope !== 'operator');
    const reads = gateway.routes.filter(isForCaller);
    const paths = reads.map(({ url }) => url.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? newId()));
    const queries = ['/v1/integrations?deleted=true', '/v1/messages?limit=100', '/v1/audit-log?format=csv&limit=100'];
    queries.push('/v1/audit-log?format=ndjson', `/v1/notifications/${ids['notificationId']}/messages?today=true`);
    queries.push('/v1/activity/export?format=json');
    const named = new URLSearchParams({ ...ids, id: ids['messageId']!, filters: '[{}]' }).toString();
    const answers = [];
    for (const path of [...paths, ...queries]) {
      let answer = await call('GET', path);
      // Some routes need to know what they are asked about.
      if (answer.status === 422) answer = await call('GET', `${path}?${named}`);
      answers.push({ path, ...answer });
    }
    const posts: [string, object][] = [
      ['/v2/subscribers/ada/export', {}],
      ['/v1/subscribers/ada/explain', { workflowId: 'order', payload: {} }],
    ];
    // With a key for repetitions, the response is stored as a text and sent on another way.
    for (const headers of [undefined, { 'idempotency-key': newId() }]) {
      for (const [path, body] of posts) answers.push({ path, ...(await call('POST', path, body, headers)) });
    }
    return answers;
  }
  const callerNamed = (name: string): Caller => callers.find((caller) => caller.name === name)!;

  it('stores a secret in every place, which a key of the scope full sees where it may', async () => {
    const answers = await everyAnswer(callerNamed('admin key'));
    const isThere = ({ path }: { path: string }): boolean => !NOT_STORED.some((part) => path.includes(part));
    const unreadable = answers.filter(isThere).filter(({ status }) => status >= 300);
    expect(unreadable.map(({ path, status, text }) => `${path} ${status} ${text}`)).toEqual([]);
    const found = new Set(answers.flatMap(({ text }) => text.match(MARKER) ?? []));
    expect([...found].sort()).toMatchInlineSnapshot(`
      [
        "MARKER-access-token-0000",
        "MARKER-device-0000",
        "MARKER-endpoint-0000",
        "MARKER-expo-0000",
        "MARKER-message-device-0000",
        "MARKER-message-webhook-0000",
        "MARKER-override-device-0000",
        "MARKER-override-header-0000",
        "MARKER-override-webhook-0000",
        "MARKER-password-0000",
        "MARKER-payload-webhook-0000",
        "MARKER-query-0000",
        "MARKER-refresh-token-0000",
        "MARKER-sendgrid-0000",
        "MARKER-signing-key-0000",
        "MARKER-slack-0000",
        "MARKER-tls-0000",
        "MARKER-webhook-0000",
      ]
    `);
    expect(answers.filter(({ text }) => text.match(UNSUBSCRIBE)).length).toBeGreaterThan(8);
  });

  it.each(corpus(['read key', 'read session', 'full session', 'admin session', 'unsigned page', 'signed page'], 2))(
    'shows no secret to a %s in any response',
    async (name) => {
      const answers = await everyAnswer(callerNamed(name));
      const leaks = answers.flatMap(({ path, text }) => {
        const secrets = marked.secrets.filter((secret) => text.includes(secret));
        const links = name.startsWith('read') ? (text.match(/\/(?:u|t\/[co])\/[\w-]{66,}/g) ?? []) : [];
        const signing = text.match(INBOX_SECRET) ?? [];
        return [...new Set([...(text.match(MARKER) ?? []), ...secrets, ...links, ...signing])].map(
          (leak) => `${path}: ${leak}`,
        );
      });
      expect(leaks).toEqual([]);
    },
  );
});
