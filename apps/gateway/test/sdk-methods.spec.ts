import { createHmac } from 'node:crypto';
import { Novu } from '@novu/api';
import { HTTPClient } from '@novu/api/lib/http';
import { insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';
import { fetchDocument, type Operation, operationsOf } from './openapi-document';

/** Methods that are left out on purpose: the product receives no mail and runs no agents. */
const LEFT_OUT = /^(domains|agents)\./;

type Call = () => Promise<unknown>;

/** What the calls of the table use. Filled by the first calls. */
type World = {
  gateway: TestGateway;
  novu: Novu;
  workflowId: string;
  stepId: string;
  notificationId: string;
  otherEnvironmentId: string;
  messageIds: string[];
  integrationId: string;
};

/** Every method of the client. The order matters: what is deleted was created before. */
function callsOf(world: World): Record<string, Call> {
  const { novu, gateway } = world;
  const { environmentId } = gateway;
  const workflow = {
    name: 'Table',
    steps: [{ name: 'Inbox', type: 'in_app' as const, controlValues: { body: 'Hi {{payload.name}}' } }],
  };
  const item = () => ({ subscriberId: 'ada', notificationId: world.messageIds[0]! });
  const translation = { resourceType: 'workflow' as const, resourceId: 'table', locale: 'en_US' };
  const file = (name: string, content: object) => ({
    fileName: name,
    content: new Blob([JSON.stringify(content)], { type: 'application/json' }),
  });
  const chat = { integrationIdentifier: 'table-slack', subscriberId: 'ada' };
  return {
    'contexts.create': () => novu.contexts.create({ type: 'team', id: 'red', data: { a: 1 } }),
    'contexts.list': () => novu.contexts.list({ limit: 5 }),
    'contexts.update': () =>
      novu.contexts.update({ type: 'team', id: 'red', updateContextRequestDto: { data: { a: 2 } } }),
    'contexts.retrieve': () => novu.contexts.retrieve('red', 'team'),
    'contexts.delete': () => novu.contexts.delete('red', 'team'),

    'subscribers.create': () => novu.subscribers.create({ subscriberId: 'ada', email: 'ada@example.com' }),
    'subscribers.createBulk': () => novu.subscribers.createBulk({ subscribers: [{ subscriberId: 'bob' }] }),
    'subscribers.retrieve': () => novu.subscribers.retrieve('ada'),
    'subscribers.patch': () => novu.subscribers.patch({ firstName: 'Ada' }, 'ada'),
    'subscribers.search': () => novu.subscribers.search({ limit: 5 }),
    'subscribers.delete': () => novu.subscribers.delete('bob'),
    'subscribers.properties.updateOnlineFlag': () =>
      novu.subscribers.properties.updateOnlineFlag({ isOnline: true }, 'ada'),

    'layouts.create': () => novu.layouts.create({ layoutId: 'table-frame', name: 'Frame' }),
    'layouts.list': () => novu.layouts.list({ limit: 5 }),
    'layouts.update': () =>
      novu.layouts.update(
        { name: 'Framed', controlValues: { email: { body: '<p>{{content}}</p>', editorType: 'html' } } },
        'table-frame',
      ),
    'layouts.retrieve': () => novu.layouts.retrieve('table-frame'),
    'layouts.duplicate': () => novu.layouts.duplicate({ name: 'Second Table Frame' }, 'table-frame'),
    'layouts.generatePreview': () => novu.layouts.generatePreview({ previewPayload: {} }, 'table-frame'),
    'layouts.usage': () => novu.layouts.usage('table-frame'),
    'layouts.delete': () => novu.layouts.delete('second-table-frame'),

    'workflows.create': async () => {
      const { result } = await novu.workflows.create({ ...workflow, workflowId: 'table', active: true });
      world.workflowId = result.id;
      world.stepId = result.steps[0]!.id;
    },
    'workflows.list': () => novu.workflows.list({ limit: 5 }),
    'workflows.get': () => novu.workflows.get('table'),
    'workflows.patch': () => novu.workflows.patch({ tags: ['a'] }, 'table'),
    'workflows.update': () =>
      novu.workflows.update(
        {
          ...workflow,
          origin: 'novu-cloud',
          preferences: { user: null },
          steps: [{ ...workflow.steps[0]!, id: world.stepId }],
        },
        'table',
      ),
    'workflows.steps.retrieve': () => novu.workflows.steps.retrieve('table', world.stepId),
    'workflows.steps.generatePreview': () =>
      novu.workflows.steps.generatePreview({
        workflowId: 'table',
        stepId: world.stepId,
        generatePreviewRequestDto: { previewPayload: { payload: { name: 'Ada' } } },
      }),

    'environments.list': () => novu.environments.list(),
    'environments.create': async () => {
      const { result } = await novu.environments.create({ name: 'Table', color: '#1a2b3c' });
      world.otherEnvironmentId = result.id;
    },
    'environments.update': () => novu.environments.update({ name: 'Tables' }, world.otherEnvironmentId),
    'environments.getTags': () => novu.environments.getTags(environmentId),
    'environments.diff': () => novu.environments.diff({ sourceEnvironmentId: environmentId }, world.otherEnvironmentId),
    'environments.publish': () =>
      novu.environments.publish({ sourceEnvironmentId: environmentId, dryRun: false }, world.otherEnvironmentId),
    'workflows.sync': () => novu.workflows.sync({ targetEnvironmentId: world.otherEnvironmentId }, 'table'),
    'environments.delete': () => novu.environments.delete(world.otherEnvironmentId),

    'environmentVariables.create': () =>
      novu.environmentVariables.create({ key: 'TABLE_URL', values: [{ environmentId, value: 'https://example.com' }] }),
    'environmentVariables.list': () => novu.environmentVariables.list(),
    'environmentVariables.retrieve': () => novu.environmentVariables.retrieve('TABLE_URL'),
    'environmentVariables.update': () =>
      novu.environmentVariables.update({ values: [{ environmentId, value: 'https://example.org' }] }, 'TABLE_URL'),
    'environmentVariables.usage': () => novu.environmentVariables.usage('TABLE_URL'),
    'environmentVariables.delete': () => novu.environmentVariables.delete('TABLE_URL'),

    'translations.create': () => novu.translations.create({ ...translation, content: { hello: 'Hello' } }),
    'translations.retrieve': () => novu.translations.retrieve(translation),
    'translations.upload': () =>
      novu.translations.upload({
        resourceType: 'workflow',
        resourceId: 'table',
        files: [file('de_DE.json', { hello: 'Hallo' })],
      }),
    'translations.master.retrieve': () => novu.translations.master.retrieve('en_US'),
    'translations.master.import': () =>
      novu.translations.master.import({ locale: 'en_US', masterJson: { workflows: { table: { hello: 'Hi' } } } }),
    'translations.master.upload': () =>
      novu.translations.master.upload({ file: file('en_US.json', { workflows: { table: { hello: 'Hey' } } }) }),
    'translations.groups.retrieve': () => novu.translations.groups.retrieve('workflow', 'table'),
    'translations.delete': () => novu.translations.delete({ ...translation, locale: 'de_DE' }),
    'translations.groups.delete': () => novu.translations.groups.delete('workflow', 'table'),

    'topics.create': () => novu.topics.create({ key: 'table', name: 'Table' }),
    'topics.list': () => novu.topics.list({ limit: 5 }),
    'topics.get': () => novu.topics.get('table'),
    'topics.update': () => novu.topics.update({ name: 'Tables' }, 'table'),
    'topics.subscriptions.create': () =>
      novu.topics.subscriptions.create({ subscriptions: [{ subscriberId: 'ada', identifier: 'row' }] }, 'table'),
    'topics.subscriptions.list': () => novu.topics.subscriptions.list({ topicKey: 'table' }),
    'topics.subscriptions.getSubscription': () => novu.topics.subscriptions.getSubscription('table', 'row'),
    'topics.subscriptions.update': () =>
      novu.topics.subscriptions.update({
        topicKey: 'table',
        identifier: 'row',
        updateTopicSubscriptionRequestDto: { name: 'Row' },
      }),
    'topics.subscribers.retrieve': () => novu.topics.subscribers.retrieve('ada', 'table'),
    'subscribers.topics.list': () => novu.subscribers.topics.list({ subscriberId: 'ada' }),
    'topics.subscriptions.delete': () => novu.topics.subscriptions.delete({ subscriptions: ['ada'] }, 'table'),
    'topics.delete': () => novu.topics.delete('table'),

    'subscribers.preferences.list': () => novu.subscribers.preferences.list({ subscriberId: 'ada' }),
    'subscribers.preferences.update': () =>
      novu.subscribers.preferences.update({ workflowId: 'table', channels: { inApp: true } }, 'ada'),
    'subscribers.preferences.bulkUpdate': () =>
      novu.subscribers.preferences.bulkUpdate(
        { preferences: [{ workflowId: 'table', channels: { inApp: true } }] },
        'ada',
      ),

    'integrations.create': async () => {
      const { result } = await novu.integrations.create({
        providerId: 'sendgrid',
        channel: 'email',
        active: true,
        credentials: { apiKey: 'SG.table', from: 'a@example.com', senderName: 'A' },
      });
      world.integrationId = result.id!;
      await novu.integrations.create({
        providerId: 'slack',
        channel: 'chat',
        identifier: 'table-slack',
        active: true,
        credentials: { applicationId: 'A1', clientId: '1.2', secretKey: 'slack-secret' },
      });
      await novu.integrations.create({
        providerId: 'telegram',
        channel: 'chat',
        identifier: 'table-telegram',
        credentials: { apiToken: '123456:table-token-of-a-telegram-bot' },
      });
    },
    'integrations.list': () => novu.integrations.list(),
    'integrations.listActive': () => novu.integrations.listActive(),
    'integrations.update': () => novu.integrations.update({ name: 'Mail' }, world.integrationId),
    'integrations.setAsPrimary': () => novu.integrations.setAsPrimary(world.integrationId),
    'integrations.integrationsControllerAutoConfigureIntegration': async () => {
      const { result } = await novu.integrations.integrationsControllerAutoConfigureIntegration(world.integrationId);
      expect(result).toMatchObject({ success: true });
    },
    'integrations.integrationsControllerConfigureIntegrationWebhook': async () => {
      const { integrations } = novu;
      const { result } = await integrations.integrationsControllerConfigureIntegrationWebhook('table-telegram');
      expect(result).toMatchObject({ botUsername: 'table_bot' });
    },
    'integrations.createMobileLink': async () => {
      const { result } = await novu.integrations.createMobileLink({ subscriberId: 'ada' }, 'table-telegram');
      const page = await fetch(result.url.replace('https://clarion.example', gateway.url));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Token of the bot')]);
    },
    'integrations.generateChatOAuthUrl': () => novu.integrations.generateChatOAuthUrl(chat),
    'integrations.generateConnectOAuthUrl': () => novu.integrations.generateConnectOAuthUrl(chat),
    'integrations.generateLinkUserOAuthUrl': () => novu.integrations.generateLinkUserOAuthUrl(chat),
    'integrations.linkChannelEndpoint': () => novu.integrations.linkChannelEndpoint(chat),

    'channelConnections.create': () =>
      novu.channelConnections.create({
        ...chat,
        identifier: 'table-connection',
        workspace: { id: 'T1', name: 'Acme' },
        auth: { accessToken: 'xoxb-table' },
      }),
    'channelConnections.list': () => novu.channelConnections.list({ subscriberId: 'ada', limit: 5 }),
    'channelConnections.retrieve': () => novu.channelConnections.retrieve('table-connection'),
    'channelConnections.update': () =>
      novu.channelConnections.update({ workspace: { id: 'T1' }, auth: { accessToken: 'xoxb-2' } }, 'table-connection'),
    'channelEndpoints.create': () =>
      novu.channelEndpoints.create({
        ...chat,
        identifier: 'table-endpoint',
        connectionIdentifier: 'table-connection',
        type: 'slack_channel',
        endpoint: { channelId: 'C1' },
      }),
    'channelEndpoints.list': () => novu.channelEndpoints.list({ subscriberId: 'ada', limit: 5 }),
    'channelEndpoints.retrieve': () => novu.channelEndpoints.retrieve('table-endpoint'),
    'channelEndpoints.update': () => novu.channelEndpoints.update({ endpoint: { channelId: 'C2' } }, 'table-endpoint'),
    'channelEndpoints.delete': () => novu.channelEndpoints.delete('table-endpoint'),
    'channelConnections.delete': () => novu.channelConnections.delete('table-connection'),

    'subscribers.credentials.update': () =>
      novu.subscribers.credentials.update(
        { providerId: 'slack', credentials: { webhookUrl: 'https://example.com/hook' } },
        'ada',
      ),
    'subscribers.credentials.append': () =>
      novu.subscribers.credentials.append(
        { providerId: 'slack', credentials: { webhookUrl: 'https://example.com/other' } },
        'ada',
      ),
    'subscribers.credentials.delete': () => novu.subscribers.credentials.delete('ada', 'slack'),

    trigger: () => novu.trigger({ workflowId: 'table', to: 'ada', transactionId: 'table-1', payload: { name: 'A' } }),
    triggerBulk: () => novu.triggerBulk({ events: [{ workflowId: 'table', to: 'ada' }] }),
    triggerBroadcast: () => novu.triggerBroadcast({ name: 'table', payload: {} }),
    cancel: () => novu.cancel('table-1'),

    'activity.track': () => track(world),
    'notifications.list': async () => {
      await insertHistory(world);
      await novu.notifications.list({ limit: 5 });
    },
    'notifications.retrieve': () => novu.notifications.retrieve(world.notificationId),
    'messages.retrieve': () => novu.messages.retrieve({ limit: 5 }),
    'subscribers.notifications.list': () => novu.subscribers.notifications.list({ subscriberId: 'ada' }),
    'subscribers.notifications.feed': () => novu.subscribers.notifications.feed({ subscriberId: 'ada' }),
    'subscribers.notifications.count': () => novu.subscribers.notifications.count('ada', '[{"read":false}]'),
    'subscribers.notifications.unseenCount': () => novu.subscribers.notifications.unseenCount({ subscriberId: 'ada' }),
    'subscribers.notifications.markAsRead': () => novu.subscribers.notifications.markAsRead(item()),
    'subscribers.notifications.markAsUnread': () => novu.subscribers.notifications.markAsUnread(item()),
    'subscribers.notifications.archive': () => novu.subscribers.notifications.archive(item()),
    'subscribers.notifications.unarchive': () => novu.subscribers.notifications.unarchive(item()),
    'subscribers.notifications.snooze': () =>
      novu.subscribers.notifications.snooze({
        ...item(),
        snoozeSubscriberNotificationDto: { snoozeUntil: new Date(Date.now() + 3_600_000) },
      }),
    'subscribers.notifications.unsnooze': () => novu.subscribers.notifications.unsnooze(item()),
    'subscribers.notifications.completeAction': () =>
      novu.subscribers.notifications.completeAction({ ...item(), actionType: 'primary' }),
    'subscribers.notifications.revertAction': () =>
      novu.subscribers.notifications.revertAction({ ...item(), actionType: 'primary' }),
    'subscribers.notifications.markAsSeen': () =>
      novu.subscribers.notifications.markAsSeen({ notificationIds: [world.messageIds[0]!] }, 'ada'),
    'subscribers.messages.updateAsSeen': () =>
      novu.subscribers.messages.updateAsSeen({
        subscriberId: 'ada',
        messageId: world.messageIds[0]!,
        type: 'primary',
        markMessageActionAsSeenDto: { status: 'done' },
      }),
    'subscribers.messages.markAllAs': () =>
      novu.subscribers.messages.markAllAs({ messageId: [world.messageIds[0]!], markAs: 'unseen' }, 'ada'),
    'subscribers.messages.markAll': () => novu.subscribers.messages.markAll({ markAs: 'seen' }, 'ada'),
    'subscribers.notifications.markAllAsRead': () => novu.subscribers.notifications.markAllAsRead({}, 'ada'),
    'subscribers.notifications.archiveAllRead': () => novu.subscribers.notifications.archiveAllRead({}, 'ada'),
    'subscribers.notifications.archiveAll': () => novu.subscribers.notifications.archiveAll({}, 'ada'),
    'subscribers.notifications.delete': () => novu.subscribers.notifications.delete(item()),
    'subscribers.notifications.deleteAll': () => novu.subscribers.notifications.deleteAll({}, 'ada'),
    'messages.delete': () => novu.messages.delete(world.messageIds[1]!),
    'messages.deleteByTransactionId': () => novu.messages.deleteByTransactionId('table-history'),

    'integrations.delete': () => novu.integrations.delete(world.integrationId),
    'workflows.delete': () => novu.workflows.delete('table'),
  };
}

/** A report of Mailgun, signed as Mailgun signs. */
async function track({ novu, gateway }: World): Promise<void> {
  const { result } = await novu.integrations.create({ providerId: 'mailgun', channel: 'email' });
  await gateway.call('PUT', `/v1/integrations/${result.id}`, {
    configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'signing-key' },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'signing-key').update(`${timestamp}table`).digest('hex');
  await novu.activity.track({
    environmentId: gateway.environmentId,
    integrationId: result.id!,
    requestBody: {
      signature: { timestamp, token: 'table', signature },
      'event-data': { id: 'e1', event: 'delivered', timestamp: Number(timestamp) },
    },
  });
}

/** A notification with in-app messages, as if a worker had delivered it. */
async function insertHistory(world: World): Promise<void> {
  const { database, environmentId } = world.gateway;
  const { result } = await world.novu.subscribers.retrieve('ada');
  const subscriberId = result.id! as never;
  const [notification] = await insertNotifications(database, [
    { environmentId, subscriberId, workflowId: world.workflowId, channels: ['in_app'], payload: {} },
  ]);
  world.notificationId = notification!.id;
  const [step] = await insertSteps(database, notification!, [{ type: 'in_app', state: 'completed' }]);
  const message = {
    environmentId,
    subscriberId,
    workflowId: world.workflowId,
    notificationId: notification!.id,
    stepId: step!.id,
    transactionId: 'table-history',
    content: 'Hi',
    providerId: 'platform' as const,
    deliveredAt: [new Date()],
    cta: {
      type: 'redirect',
      data: { url: '/x' },
      action: { status: 'pending', result: {}, buttons: [{ type: 'primary', content: 'Go', url: '/go' }] },
    },
  };
  const messages = await insertMessages(database, [
    message,
    { ...message, channel: 'email' },
    { ...message, channel: 'email' },
  ]);
  world.messageIds = messages.map(({ id }) => id);
}

/** The dotted names of all methods of the client, found in the client itself. */
function methodsOf(part: object, path: string[] = []): string[] {
  const prototype = Object.getPrototypeOf(part) as object;
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { get, value }]) => {
    if (name === 'constructor') return [];
    if (get) return methodsOf((part as Record<string, object>)[name]!, [...path, name]);
    return typeof value === 'function' ? [[...path, name].join('.')] : [];
  });
}

describe('every method of @novu/api', () => {
  let gateway: TestGateway;
  let world: World;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_PUBLIC_URL: 'https://clarion.example' });
    const fake = gateway.provider;
    fake.always(/\/v3\/user\/webhooks\/event\/settings\/all/, { json: { webhooks: [] } });
    fake.always(/\/v3\/user\/webhooks\/event\/settings\/signed/, { json: { id: 'w1', public_key: 'key' } });
    fake.always(/\/getMe$/, { json: { ok: true, result: { id: 1, username: 'table_bot' } } });
    fake.always(/\/setWebhook$/, { json: { ok: true, result: true } });
    const novu = new Novu({ secretKey: gateway.key, serverURL: gateway.url, retryConfig: { strategy: 'none' } });
    world = { gateway, novu } as World;
  });
  afterAll(async () => {
    await gateway.close();
  });

  it('works, except the methods of domains and agents', async () => {
    const calls = callsOf(world);
    const methods = methodsOf(world.novu);
    const wanted = methods.filter((name) => !LEFT_OUT.test(name));
    const failures: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      await call().catch((error: Error) => {
        failures.push(`${name}: ${error.name} ${error.message}`.slice(0, 400));
      });
    }
    const missing = wanted.filter((name) => !(name in calls)).map((name) => `${name}: not in the table`);
    const left = methods.filter((name) => LEFT_OUT.test(name));
    process.stdout.write(
      `works ${Object.keys(calls).length - failures.length} of ${methods.length}; left out: ${left.join(', ')}\n`,
    );
    expect([...failures, ...missing]).toEqual([]);
    expect(Object.keys(calls).filter((name) => !wanted.includes(name))).toEqual([]);
    expect([methods.length, left.length]).toEqual([149, 26]);
  });

  it('has a sample in the reference that sends what the sample for curl sends', async () => {
    const operations = operationsOf(await fetchDocument(gateway.url)) as Sampled[];
    const methods: string[] = [];
    for (const { operationId, method, 'x-codeSamples': samples } of operations) {
      const source = samples.find(({ label }) => label === 'SDK')?.source;
      if (source === undefined) continue;
      methods.push(/await novu\.([\w.]+)\(/.exec(source)![1]!);
      const curl = samples.find(({ label }) => label === 'curl')!.source;
      const body = /-d '([\s\S]*)'$/.exec(curl)?.[1]?.replaceAll(`'\\''`, "'");
      // The SDK adds its defaults to some bodies, and sends files as a form.
      expect({ operationId, ...(await requestOf(source)) }).toMatchObject({
        operationId,
        method,
        path: /"\$URL([^"]*)"/.exec(curl)![1],
        ...(body !== undefined && !/upload/i.test(operationId) && { body: JSON.parse(body) as unknown }),
      });
    }
    expect(methods.sort()).toEqual(Object.keys(callsOf(world)).sort());
  });
});

type Sampled = Operation & { 'x-codeSamples': { label: string; source: string }[] };

/** The request that the program of a sample sends. */
async function requestOf(source: string): Promise<{ method: string; path: string; body?: unknown }> {
  let request: Request | undefined;
  const fetcher = (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    request = new Request(input, init);
    return Promise.reject(new Error('nothing is sent'));
  };
  class Recorded extends Novu {
    constructor(options: object) {
      super({ ...options, httpClient: new HTTPClient({ fetcher }), retryConfig: { strategy: 'none' } });
    }
  }
  const program = `return (async () => {${source.replace(/^import .*$/m, '')}})()`;
  const run = new Function('Novu', 'process', program) as (novu: unknown, process: unknown) => Promise<void>;
  const failure: unknown = await run(Recorded, { env: { KEY: 'key', URL: 'http://127.0.0.1' } }).catch(
    (error) => error,
  );
  if (!request) throw failure;
  const text = request.headers.get('content-type')?.includes('json') ? await request.text() : '';
  const { pathname } = new URL(request.url);
  return { method: request.method, path: pathname, ...(text !== '' && { body: JSON.parse(text) as unknown }) };
}
