import { createHmac } from 'node:crypto';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { newId, type SubscriberRowId } from '@clarion/contracts';
import { OutboxRepository } from '@clarion/persistence';
import { insertExecutionDetails, insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import { inboxToken, OPERATOR_KEY, signatureOf, startOwnGateway, type TestGateway } from './harness';
import {
  answerSchema,
  bodySchema,
  fetchDocument,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Schema,
} from './openapi-document';

/** Pages of subscribers send no idempotency key. */
const isForPages = ({ path }: Operation): boolean => /^\/v1\/(?:inbox|widgets)\//.test(path);

const REFUSALS = ['400', '401', '403', '404', '409', '413', '415', '422', '429', '503'];

describe('GET /openapi.json', () => {
  let gateway: TestGateway;
  let document: OpenApiDocument;
  let operations: Operation[];

  beforeAll(async () => {
    gateway = await startOwnGateway();
    gateway.provider.always('/', { json: { ok: true, result: { username: 'acme_bot' } } });
    document = await fetchDocument(gateway.url);
    operations = operationsOf(document);
  });
  afterAll(async () => {
    await gateway.close();
  });

  it('documents every route of the server that is not public, and no other', () => {
    const registered = gateway.routes
      .filter(({ method, policy }) => method !== 'HEAD' && policy.access !== 'public')
      .map(({ method, url }) => `${method} ${url}`);
    const documented = operations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(registered.length).toBeGreaterThan(40);
    expect(documented.sort()).toEqual(registered.sort());
  });

  it('gives every operation a unique, readable operationId', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+_[a-z][a-zA-Z]+$/.test(id))).toEqual([]);
    expect(ids).toContain('subscribers_create');
  });

  it('describes summary, success, errors and idempotency key of every operation', () => {
    const faults = operations.flatMap((operation) => {
      const { operationId, summary, parameters, responses } = operation;
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
      const isPlain = successes.every((status) => status === '204' || answerSchema(operation, Number(status)));
      const missing = REFUSALS.filter((status) => !answerSchema(operation, Number(status))?.$ref?.endsWith('ErrorDto'));
      return [
        ...(summary ? [] : [`${operationId} has no summary`]),
        ...(successes.length > 0 && isPlain ? [] : [`${operationId} does not describe its success`]),
        ...missing.map((status) => `${operationId} does not describe ${status}`),
        ...(parameters.some(({ name }) => name === 'idempotency-key') || isForPages(operation)
          ? []
          : [`${operationId} takes no idempotency-key`]),
      ];
    });
    expect(faults).toEqual([]);
  });

  describe('a client that is built from the OpenAPI document', () => {
    let client: Client;

    beforeAll(() => {
      client = new Client(gateway.url, gateway.key, document);
    });

    it('calls the fifteen core endpoints and gets the documented responses', async () => {
      const subscriber = await client.call<{ _id: string }>('subscribers_create', {
        failIfExists: true,
        'idempotency-key': 'first',
        body: {
          subscriberId: 'ada',
          firstName: 'Ada',
          email: 'ada@example.com',
          phone: null,
          timezone: 'Europe/London',
          data: { plan: 'gold' },
        },
      });
      await client.call('subscribers_patch', { subscriberId: 'ada', body: { lastName: 'Byron', data: null } });
      const found = await client.call<Page>('subscribers_search', { email: 'ada@', limit: 5, orderBy: 'updatedAt' });
      expect(found.data).toEqual([expect.objectContaining({ subscriberId: 'ada', lastName: 'Byron', data: null })]);

      const push = await client.call<{ _id: string }>('integrations_create', {
        body: {
          providerId: 'expo',
          channel: 'push',
          credentials: { apiKey: 'secret', secure: true },
          active: true,
          conditions: [
            {
              children: [{ field: 'plan', value: 'gold', operator: 'EQUAL', on: 'payload' }],
              type: 'GROUP',
              value: 'OR',
            },
          ],
          configurations: { inboundWebhookEnabled: true },
        },
      });
      const updated = await client.call<{ name: string }>('integrations_update', {
        integrationId: push._id,
        body: { name: 'Push', check: true },
      });
      expect(updated.name).toBe('Push');
      const credentialed = await client.call<{ channels: unknown[] }>('subscriberCredentials_update', {
        subscriberId: 'ada',
        body: { providerId: 'expo', credentials: { deviceTokens: ['token'] } },
      });
      expect(credentialed.channels).toHaveLength(1);

      await client.call('topics_create', { body: { key: 'news', name: 'News' } });
      await client.call('topics_create', { body: { key: 'news' } });
      await client.call('topicSubscriptions_subscribe', {
        topicKey: 'news',
        body: { subscriptions: ['ada', 'missing'] },
      });
      const topics = await client.call<Page>('topics_list', { key: 'new', includeCursor: false });
      expect(topics.data).toEqual([expect.objectContaining({ key: 'news' })]);
      const subscriptions = await client.call<Page>('topicSubscriptions_listOfTopic', { topicKey: 'news', limit: 1 });
      expect(subscriptions.data).toHaveLength(1);

      const workflow = await client.call<{ _id: string; workflowId: string }>('workflows_create', {
        body: {
          name: 'Welcome',
          workflowId: 'welcome',
          tags: ['a'],
          steps: [
            { name: 'Wait', type: 'digest', controlValues: { amount: 5, unit: 'minutes', type: 'regular' } },
            { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello {{payload.name}}' } },
          ],
        },
      });
      const results = await client.call<{ status: string }[]>('events_triggerBulk', {
        body: {
          events: [
            { name: 'welcome', to: 'ada', payload: { name: 'Ada' }, transactionId: 'one' },
            {
              name: 'welcome',
              to: [
                { subscriberId: 'bob', email: 'bob@example.com' },
                { type: 'Topic', topicKey: 'news' },
              ],
            },
            { name: 'unknown', to: 'ada' },
          ],
        },
      });
      expect(results.map(({ status }) => status)).toEqual(['processed', 'processed', 'error']);

      const notificationId = await writeHistory(gateway, subscriber._id as SubscriberRowId, workflow._id);
      const messages = await client.call<Page>('messages_list', { channel: 'in_app', transactionId: ['one', 'two'] });
      expect(messages.data).toEqual([expect.objectContaining({ content: 'Hello Ada' })]);
      await client.call<Page>('messages_list', { subscriberId: 'ada', limit: 100 });
      const feed = await client.call<Page>('feed_list', {
        subscriberId: 'ada',
        seen: false,
        payload: Buffer.from('{"name":"Ada"}').toString('base64'),
      });
      expect(feed.data).toEqual([
        expect.objectContaining({ content: 'Hello Ada', cta: expect.objectContaining({ type: 'redirect' }) }),
      ]);
      const events = await client.call<Page>('notifications_list', {
        channels: ['in_app', 'digest'],
        subscriberIds: ['ada'],
        templates: [workflow._id],
        after: '2020-01-01T00:00:00Z',
      });
      expect(events.data).toEqual([expect.objectContaining({ _id: notificationId })]);
      const event = await client.call<{ jobs: { executionDetails: unknown[] }[] }>('notifications_retrieve', {
        notificationId,
      });
      expect(event.jobs.map(({ executionDetails }) => executionDetails.length)).toEqual([1, 2]);

      const left = await client.call<unknown[]>('integrations_delete', { integrationId: push._id });
      expect(left).not.toContainEqual(expect.objectContaining({ _id: push._id }));
    });

    it('calls every other endpoint and gets the documented responses', async () => {
      await client.call('environments_list', {});
      await client.call('environments_current', {});
      const environment = await client.call<{ _id: string }>('environments_create', {
        body: { name: 'Third', color: '#1a2b3c' },
      });
      const key = await client.call<{ _id: string }>('environments_createKey', {
        environmentId: environment._id,
        body: { scope: 'read', expiresAt: '2099-01-01T00:00:00Z', allowedAddresses: ['::1', '127.0.0.0/8'] },
      });
      await client.call('environments_update', {
        environmentId: environment._id,
        body: { name: 'Fourth', dialect: 'novu', allowRecipientOverrides: true },
      });
      await client.call('organizations_create', { body: { name: 'Another', environmentName: 'Production' } });
      await client.call('environments_listKeys', { environmentId: environment._id });
      const changes = await client.call<Page>('auditLog_list', { environmentId: environment._id, actor: '', limit: 5 });
      expect(changes.data).toHaveLength(4);
      await client.call('environments_inboxSecret', { environmentId: environment._id });
      await client.call('environments_rotateInboxSecret', {
        environmentId: environment._id,
        body: { overlapHours: 1 },
      });
      await client.call('environments_revokeKey', { environmentId: environment._id, keyId: key._id });
      const targetEnvironmentId = environment._id;
      await client.call('promotion_diff', {
        targetEnvironmentId,
        body: { sourceEnvironmentId: gateway.environmentId },
      });
      await client.call('promotion_publish', { targetEnvironmentId, body: { dryRun: true } });
      await client.call('workflowSync_sync', { workflowId: 'welcome', body: { targetEnvironmentId } });
      const publishes = await client.call<Page>('promotion_list', { environmentId: environment._id, limit: 5 });
      const { _id: publishId } = publishes.data[0] as { _id: string };
      await client.call('promotion_retrieve', { environmentId: environment._id, publishId });
      await client.call('promotion_undo', { environmentId: environment._id, publishId });
      await client.call('environmentTags_list', { environmentId: environment._id });
      await client.call('environments_delete', { environmentId: environment._id });

      await client.call('subscribers_createBulk', {
        body: { subscribers: [{ subscriberId: 'carl' }, { subscriberId: 'ada' }] },
      });
      await client.call('subscribers_retrieve', { subscriberId: 'carl' });
      const sms = await client.call<{ _id: string }>('integrations_create', {
        body: {
          providerId: 'twilio',
          channel: 'sms',
          active: true,
          credentials: { accountSid: 'AC1', token: 't', from: '+15005550006' },
        },
      });
      await client.call('integrations_setPrimary', { integrationId: sms._id });
      await client.call('integrations_list', { deleted: false });
      await client.call('integrations_retrieve', { integrationId: sms._id });
      await client.call('integrations_listActive', {});
      await client.call('integrations_create', { body: { providerId: 'discord', channel: 'chat', active: true } });
      await client.call('subscriberCredentials_append', {
        subscriberId: 'carl',
        body: { providerId: 'discord', credentials: { webhookUrl: 'https://example.com/hook' } },
      });
      await client.call('subscriberCredentials_delete', { subscriberId: 'carl', providerId: 'discord' });

      await client.call('topicSubscriptions_subscribe', {
        topicKey: 'staff',
        body: { subscriptions: [{ subscriberId: 'carl', identifier: 'carl-in-staff' }], name: 'Staff' },
      });
      await client.call('topics_retrieve', { topicKey: 'staff' });
      await client.call('topics_usage', { topicKey: 'staff' });
      await client.call('topics_patch', { topicKey: 'staff', body: { name: 'All staff' } });
      await client.call('topicSubscriptions_retrieve', { topicKey: 'staff', identifier: 'carl-in-staff' });
      await client.call('topicSubscriptions_check', { topicKey: 'staff', externalSubscriberId: 'carl' });
      await client.call('topicSubscriptions_listOfSubscriber', { subscriberId: 'carl', key: 'staff' });
      await client.call('topicSubscriptions_patch', {
        topicKey: 'staff',
        identifier: 'carl-in-staff',
        body: { name: 'Carl', preferences: ['welcome', { filter: { tags: ['a'] }, enabled: false }] },
      });
      await client.call('topicSubscriptions_unsubscribe', { topicKey: 'staff', body: { subscriptions: ['carl'] } });
      await client.call('topics_delete', { topicKey: 'staff' });

      await client.call('tenants_create', { body: { identifier: 'acme', name: 'Acme', data: { plan: 'gold' } } });
      await client.call('tenants_list', { page: 0, limit: 5 });
      await client.call('tenants_retrieve', { identifier: 'acme' });
      await client.call('tenants_patch', { identifier: 'acme', body: { name: null } });
      await client.call('tenants_delete', { identifier: 'acme' });

      const values = [{ _environmentId: gateway.environmentId, value: 'https://x.test' }];
      await client.call('environmentVariables_create', { body: { key: 'SITE', isSecret: true, values } });
      await client.call('environmentVariables_list', { search: 'site' });
      await client.call('environmentVariables_retrieve', { variableKey: 'SITE' });
      await client.call('environmentVariables_update', { variableKey: 'SITE', body: { values } });
      await client.call('environmentVariables_usage', { variableKey: 'SITE' });
      await client.call('environmentVariables_delete', { variableKey: 'SITE' });

      await client.call('contexts_create', { body: { type: 'team', id: 'red', data: { a: 1 } } });
      await client.call('contexts_list', { search: 'team', orderBy: 'updatedAt' });
      await client.call('contexts_retrieve', { type: 'team', id: 'red' });
      await client.call('contexts_update', { type: 'team', id: 'red', body: { data: {} } });
      await client.call('contexts_delete', { type: 'team', id: 'red' });

      const chat = { integrationIdentifier: 'chat', subscriberId: 'carl' };
      const workspace = { id: 'T1', name: 'Acme' };
      await client.call('integrations_create', {
        body: {
          providerId: 'slack',
          channel: 'chat',
          identifier: 'chat',
          credentials: { clientId: 'C1', secretKey: 'secret' },
        },
      });
      await client.call('channelConnections_create', {
        body: { ...chat, identifier: 'acme', workspace, auth: { accessToken: 'xoxb' }, context: { team: 'red' } },
      });
      await client.call('channelConnections_list', { subscriberId: 'carl', connectionMode: 'subscriber', limit: 5 });
      await client.call('channelConnections_retrieve', { identifier: 'acme' });
      await client.call('channelConnections_update', {
        identifier: 'acme',
        body: { workspace, auth: { accessToken: 'xoxb', expiresAt: '2030-01-01T00:00:00.000Z' } },
      });
      await client.call('channelEndpoints_create', {
        body: { ...chat, identifier: 'carl', type: 'slack_user', endpoint: { userId: 'U1' } },
      });
      await client.call('channelEndpoints_list', { subscriberId: 'carl', providerId: 'slack' });
      await client.call('channelEndpoints_retrieve', { identifier: 'carl' });
      await client.call('channelEndpoints_update', { identifier: 'carl', body: { endpoint: { userId: 'U2' } } });
      await client.call('chatLinks_chat', { body: { ...chat, mode: 'connect', scope: ['chat:write'] } });
      await client.call('chatLinks_connect', { body: { ...chat, autoLinkUser: false } });
      await client.call('chatLinks_linkUser', { body: chat });
      await client.call('chatLinks_link', { body: chat });
      await client.call('channelEndpoints_delete', { identifier: 'carl' });
      await client.call('channelConnections_delete', { identifier: 'acme' });
      const bot = await client.call<{ _id: string }>('integrations_create', {
        body: {
          providerId: 'telegram',
          channel: 'chat',
          identifier: 'bot',
          credentials: { apiToken: '123456:a-token-of-a-telegram-bot' },
        },
      });
      await client.call('chatBots_configure', { integrationIdentifier: 'bot' });
      const { secret_token: secret } = JSON.parse(gateway.provider.calls.at(-1)!.body) as { secret_token: string };
      const { environmentId } = gateway;
      await client.call(
        'chatUpdates_receive',
        { environmentId, integrationId: bot._id, body: { message: { text: 'hello', chat: { id: 1 } } } },
        { 'x-telegram-bot-api-secret-token': secret },
      );
      await client.call('chatBots_mobileLink', { integrationIdentifier: 'bot', body: { subscriberId: 'carl' } });
      await client.call('integrations_autoConfigure', { integrationId: bot._id });

      const layoutId = 'frame';
      const controlValues = { email: { body: '<b>{{content}}</b>', editorType: 'html' } };
      await client.call('layouts_create', { body: { layoutId, name: 'Frame' } });
      await client.call('layouts_update', { layoutId, body: { name: 'Frame', controlValues, isDefault: true } });
      await client.call('layouts_retrieve', { layoutId });
      await client.call('layouts_list', { query: 'frame', orderBy: 'name' });
      await client.call('layouts_preview', { layoutId, body: { previewPayload: { subscriber: { firstName: 'A' } } } });
      await client.call('layouts_usage', { layoutId });
      await client.call('layouts_duplicate', { layoutId, body: { name: 'Copy', layoutId: 'copy' } });
      await client.call('layouts_delete', { layoutId: 'copy' });

      const translated = { resourceType: 'layout', resourceId: layoutId };
      const files = [{ name: 'de.json', content: '{ "bye": "Servus" }' }];
      await client.call('translations_create', { body: { ...translated, locale: 'en_US', content: { bye: 'Bye' } } });
      await client.call('translations_upload', { body: { ...translated, files } });
      await client.call('translations_group', translated);
      await client.call('translations_list', {});
      await client.call('translations_retrieve', { ...translated, locale: 'de' });
      await client.call('translations_exportMaster', { locale: 'de' });
      await client.call('translations_importMaster', { body: { locale: 'fr', masterJson: { layouts: {} } } });
      await client.call('translations_uploadMaster', { body: { file: [{ name: 'fr.json', content: '{}' }] } });
      await client.call('translations_delete', { ...translated, locale: 'de' });
      await client.call('translations_deleteGroup', translated);

      const workflow = await client.call<{ workflowId: string; steps: { stepId: string }[] }>('workflows_create', {
        body: {
          name: 'Full',
          workflowId: 'full',
          description: 'All of it',
          payloadSchema: { type: 'object', properties: { n: { type: 'number' } } },
          preferences: { user: { all: { enabled: false } }, workflow: null },
          steps: [
            {
              name: 'Mail',
              type: 'email',
              controlValues: { subject: '{{payload.n}}', body: '{{ broken' },
              filters: [{ children: [] }],
              variants: [{ name: 'Other', controlValues: { subject: 's', body: 'b' } }],
            },
          ],
        },
      });
      const { workflowId } = workflow;
      const [{ stepId }] = workflow.steps as [{ stepId: string }];
      await client.call('stepTypes_list', {});
      await client.call('workflows_list', { query: 'full', limit: 5, status: ['ERROR', 'ACTIVE'] });
      await client.call('workflows_retrieve', { workflowId });
      await client.call('workflows_retrieveStep', { workflowId, stepId });
      await client.call('subscribers_usage', { subscriberId: 'carl' });
      await client.call('explanation_explain', {
        subscriberId: 'carl',
        body: { workflowId: 'full', payload: { n: 1 } },
      });
      await client.call('explain_explain', { subscriberId: 'carl', workflowId: 'full' });
      await client.call('subscribers_setOnline', { subscriberId: 'carl', body: { isOnline: false } });
      await client.call('subscriberPreferences_update', {
        subscriberId: 'carl',
        body: {
          channels: { email: false },
          schedule: {
            isEnabled: true,
            weeklySchedule: { friday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
          },
        },
      });
      await client.call('subscriberPreferences_updateBulk', {
        subscriberId: 'carl',
        body: { preferences: [{ workflowId, channels: { email: true } }], context: { region: 'eu' } },
      });
      await client.call('subscriberPreferences_list', {
        subscriberId: 'carl',
        criticality: 'all',
        contextKeys: ['region:eu'],
        limit: 5,
      });
      await client.call('workflows_preview', {
        workflowId,
        stepId,
        body: { controlValues: { subject: '{{payload.n}}', body: 'x' }, previewPayload: null },
      });
      await client.call('workflowVersions_list', { workflowId, limit: 5 });
      await client.call('workflowVersions_retrieve', { workflowId, version: 1 });
      await client.call('workflowVersions_restore', { workflowId, version: 1 });
      await client.call('workflows_patch', { workflowId, body: { active: false } });
      await client.call('workflows_update', { workflowId, body: { name: 'Full', active: true, steps: [] } });
      await client.call('events_trigger', { body: { name: 'full', to: { subscriberId: 'carl' }, payload: {} } });
      await client.call('events_broadcast', { body: { name: 'full', payload: {} } });
      const explained = await client.call<{ dryRun: { recipients: { steps: unknown[] }[] } }>('events_trigger', {
        dryRun: true,
        body: { name: 'welcome', to: ['ada', 'missing'], payload: { name: 'Ada' } },
      });
      expect(explained.dryRun.recipients.map(({ steps }) => steps.length)).toEqual([2, 2]);
      await client.call('events_cancel', { transactionId: 'nothing' });
      await client.call('eventSummary_retrieve', { transactionId: 'one' });
      expect(await client.call('notifications_replay', { body: { transactionId: ['one'] } })).toMatchObject({
        dryRun: true,
        replayed: 0,
      });
      await client.call('workflows_delete', { workflowId });

      const [message, other] = await insertMessages(gateway.database, [
        { environmentId: gateway.environmentId, subscriberId: environment._id as SubscriberRowId },
        { environmentId: gateway.environmentId, subscriberId: environment._id as SubscriberRowId },
      ]);
      await client.call('messages_delete', { messageId: message!.id });
      await client.call('messages_deleteTransaction', { transactionId: other!.transactionId, channel: 'in_app' });
      await useInbox(gateway, client, 'carl');
      await useInboxAsPage(gateway, client, 'carl');
      await useWidget(gateway, client, 'carl');
      await useOutbox(gateway, client);
      await useSuppressions(client);
      await useSessions(gateway, client);
      await useHolds(client, sms._id);
      await useWebhooks(client);
      await useMirror(gateway, client);
      await useOlderNames(gateway, client);
      await lookAtActivity(client);
      await operate(client);
      await receiveWebhooks(gateway, client);
      await client.call('subscribers_delete', { subscriberId: 'carl' });
      await client.call('subscribers_create', { body: { subscriberId: 'gone', email: 'gone@example.com' } });
      await client.call('subscriberPrivacy_export', { subscriberId: 'gone' });
      await client.call('subscriberPrivacy_erase', { subscriberId: 'gone' });

      expect([...client.called].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    });

    it.each<[number, string, string, Arguments, Record<string, string>?]>([
      [400, 'both cursors', 'subscribers_search', { after: 'a', before: 'b' }],
      [400, 'broken JSON', 'events_trigger', { body: '{' }],
      [
        400,
        'an event that the payload schema refuses',
        'events_trigger',
        { body: { name: 'strict', to: 'ada', payload: {} } },
      ],
      [401, 'an unknown key', 'topics_list', {}, { authorization: 'ApiKey no-such-key' }],
      [404, 'an unknown subscriber', 'subscribers_retrieve', { subscriberId: 'missing' }],
      [409, 'an existing subscriber', 'subscribers_create', { failIfExists: true, body: { subscriberId: 'taken' } }],
      [409, 'an existing topic', 'topics_create', { failIfExists: true, body: { key: 'taken' } }],
      [
        413,
        'a large body',
        'subscribers_create',
        { body: { subscriberId: 'x', data: { a: 'x'.repeat(1024 * 1024) } } },
      ],
      [415, 'another media type', 'subscribers_create', { body: 'a=1' }, { 'content-type': 'text/plain' }],
      [422, 'a wrong field', 'topics_create', { body: { key: 5 } }],
      [422, 'an unknown workflow', 'events_trigger', { body: { name: 'unknown', to: 'ada' } }],
      [422, 'a malformed id', 'notifications_retrieve', { notificationId: 'x' }],
    ])('gets the documented %i for %s', async (status, _, operationId, given, headers = {}) => {
      if (status === 409) {
        await gateway.call('POST', '/v2/subscribers', { subscriberId: 'taken' });
        await gateway.call('POST', '/v2/topics', { key: 'taken' });
      }
      if (operationId === 'events_trigger') await createStrictWorkflow(gateway);
      const refusal = await client.refused<{ statusCode: number }>(operationId, given, headers);
      expect(refusal.statusCode).toBe(status);
    });

    it('gets the documented 403 for a key of the scope read', async () => {
      const body = { scope: 'read' };
      const path = `/v1/environments/${gateway.environmentId}/api-keys`;
      const { key } = (await gateway.call<{ key: string }>('POST', path, body)).body;
      const headers = { authorization: `ApiKey ${key}` };
      const refusal = await client.refused('topics_create', { body: { key: 'no' } }, headers);
      expect(refusal).toMatchObject({ statusCode: 403 });
    });
  });
});

type Page = { data: unknown[] };

/** Inserts a notification with two steps, their execution details and messages. */
async function writeHistory(gateway: TestGateway, subscriberId: SubscriberRowId, workflowId: string): Promise<string> {
  const { database, environmentId } = gateway;
  const [notification] = await insertNotifications(database, [
    {
      environmentId,
      subscriberId,
      workflowId,
      transactionId: 'one',
      channels: ['digest', 'in_app'],
      tags: ['a'],
      payload: { name: 'Ada' },
    },
  ]);
  const { id: notificationId, ...rest } = notification!;
  const steps = await insertSteps(database, { ...rest, id: notificationId }, [
    { type: 'digest', state: 'completed' },
    { type: 'in_app', state: 'completed' },
  ]);
  await insertExecutionDetails(
    database,
    [0, 1, 1].map((index) => ({
      environmentId,
      notificationId,
      stepId: steps[index]!.id,
      providerId: 'platform',
      raw: '{}',
    })),
  );
  await insertMessages(database, [
    {
      environmentId,
      subscriberId,
      notificationId,
      workflowId,
      stepId: steps[1]!.id,
      transactionId: 'one',
      content: 'Hello Ada',
      payload: { name: 'Ada' },
      providerId: 'platform',
      deliveredAt: [new Date()],
      actor: { type: 'system_icon', data: null },
      cta: {
        type: 'redirect',
        data: { url: '/x' },
        action: { status: 'pending', buttons: [{ type: 'primary', content: 'Go' }] },
      },
    },
    {
      environmentId,
      subscriberId,
      notificationId,
      channel: 'email',
      content: [{ type: 'text', content: 'Block', styles: { textAlign: 'left' } }],
      status: 'error',
      errorId: 'provider_error',
      errorText: 'refused',
      email: 'ada@example.com',
    },
  ] as never);
  return notificationId;
}

async function useOutbox({ database, environmentId }: TestGateway, client: Client): Promise<void> {
  const messageId = newId();
  const mail = {
    channel: 'email',
    providerId: 'platform-email',
    to: ['ada@example.com'],
    subject: 'S',
    html: '<p>',
  } as const;
  await new OutboxRepository(database).put(environmentId, [
    { messageId, ...mail, text: 't', more: { cc: ['b@x.test'] } },
  ]);
  const listed = await client.call<{ data: unknown[] }>('outbox_list', { channel: 'email', to: 'ada@example.com' });
  expect(listed.data).toHaveLength(1);
  await client.call('outbox_retrieve', { messageId });
  expect(await client.call('outbox_preview', { messageId })).toBe('<p>');
  await client.call('outbox_empty', {});
}

async function useSuppressions(client: Client): Promise<void> {
  const address = 'gone@example.com';
  await client.call('suppressions_create', { body: { channel: 'email', address } });
  await client.call('suppressions_create', { body: { channel: 'email', address } });
  const listed = await client.call<Page>('suppressions_list', { channel: 'email', address, limit: 5 });
  expect(listed.data).toHaveLength(1);
  await client.call('suppressions_delete', { channel: 'email', address });
}

async function useHolds(client: Client, integrationId: string): Promise<void> {
  const hold = await client.call<{ _id: string }>('holds_create', { body: { target: 'channel', id: 'push' } });
  await client.call('holds_list', {});
  await client.call('holds_resume', { holdId: hold._id });
  await client.call('holds_pauseIntegration', { integrationId, body: { reason: 'an incident' } });
  await client.call('holds_resumeIntegration', { integrationId });
  await client.call('integrations_health', { integrationId });
  await client.call('integrations_usage', { integrationId });
  await client.call('integrations_setOrder', { body: { ids: [integrationId] } });
  await client.call('integrations_check', { integrationId });
  await client.call('providers_list', {});
}

async function useWebhooks(client: Client): Promise<void> {
  const { _id: endpointId } = await client.call<{ _id: string }>('webhookEndpoints_create', {
    body: { url: 'https://example.com/hook', events: ['message.sent'], channels: ['email'], workflows: ['welcome'] },
  });
  await client.call('webhookEndpoints_list', {});
  await client.call('webhookEndpoints_retrieve', { endpointId });
  await client.call('webhookEndpoints_patch', { endpointId, body: { description: 'billing', events: null } });
  await client.call('webhookEndpoints_rotateSecret', { endpointId });
  await client.call('webhookEndpoints_test', { endpointId });
  await client.call('webhookEndpoints_replay', { endpointId, body: { failedOnly: true } });
  const deliveries = await client.call<Page>('webhookEndpoints_listDeliveries', {
    endpointId,
    state: 'waiting',
    limit: 5,
  });
  expect(deliveries.data).toHaveLength(1);
  await client.call('webhookEndpoints_delete', { endpointId });
  await client.call('eventLog_list', { limit: 5, type: ['workflow.created'] });
}

async function useMirror(gateway: TestGateway, client: Client): Promise<void> {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const other = await gateway.call<{ apiKeys: { key: string }[] }>('POST', '/v1/environments', { name: 'Mirror' });
  const { key } = other.body.apiKeys[0]!;
  await client.call('mirror_start', { body: { url: gateway.url, key, until, delivers: 'clarion' } });
  await client.call('mirror_retrieve', {});
  await client.call('mirror_differences', { limit: 5, kind: ['missing', 'extra'], transactionId: 'one' });
  await client.call('mirror_stop', { discard: true });
}

async function useOlderNames(gateway: TestGateway, client: Client): Promise<void> {
  const alias = <T>(name: string, given: Arguments = {}): Promise<T> => client.call<T>(`olderClients_${name}`, given);
  const subscriberId = 'older';
  await alias('identifySubscriber', { body: { subscriberId, firstName: 'Eve' } });
  await alias('listSubscribers', { page: 0, limit: 5 });
  await alias('retrieveSubscriber', { subscriberId });
  await alias('updateSubscriber', { subscriberId, body: { firstName: 'Eva' } });
  const messageId = await fillInbox(gateway, client, 'carl');
  await alias('markMessages', { subscriberId: 'carl', body: { messageId, mark: { read: true } } });
  const layout = { layoutId: 'older-layout' };
  await alias('createLayout', { body: { name: 'Older', identifier: layout.layoutId, content: '{{{body}}}' } });
  await alias('listLayouts', { pageSize: 5, sortBy: 'name', orderBy: 'ASC' });
  await alias('retrieveLayout', layout);
  await alias('updateLayout', { ...layout, body: { content: '<b>{{content}}</b>' } });
  const { _id: workflowId } = await alias<{ _id: string }>('createTemplate', {
    body: { name: 'Older', steps: [{ template: { type: 'email', subject: 'Hi', content: 'Hi {{name}}', ...layout } }] },
  });
  await alias('listTemplates', { page: 0, limit: 5 });
  await alias('retrieveTemplate', { workflowId });
  await alias('updateTemplate', { workflowId, body: { critical: false, preferenceSettings: { sms: false } } });
  await alias('switchTemplate', { workflowId, body: { active: true } });
  await alias('listPreferences', { subscriberId });
  await alias('listPreferencesOfLevel', { subscriberId, levelOrWorkflow: 'global' });
  await alias('changeGlobalPreference', { subscriberId, body: { enabled: true } });
  const channel = { type: 'email', enabled: false };
  await alias('changePreference', { subscriberId, levelOrWorkflow: workflowId, body: { channel } });
  await alias('deleteTemplate', { workflowId });
  await alias('deleteLayout', layout);
  await alias('createLayout', { body: { name: 'Older', identifier: 'older-default', content: '{{content}}' } });
  await alias('makeLayoutDefault', { layoutId: 'older-default' });
  const topicKey = 'older';
  await alias('createTopic', { body: { key: topicKey, name: 'Older' } });
  await alias('listTopics', { key: topicKey, pageSize: 5 });
  await alias('addTopicSubscribers', { topicKey, body: { subscribers: [subscriberId, 'missing'] } });
  await alias('retrieveTopic', { topicKey });
  await alias('renameTopic', { topicKey, body: { name: 'Oldest' } });
  await alias('removeTopicSubscribers', { topicKey, body: { subscribers: [subscriberId] } });
  await alias('deleteTopic', { topicKey });
  const [group] = await alias<{ _id: string }[]>('listGroups');
  await alias('retrieveGroup', { groupId: group!._id });
  await alias('listFeeds');
  await alias('listKeys');
  await alias('retrieveInAppStatus');
  await alias('retrieveWebhookStatus', { providerId: 'expo' });
  const { data } = await client.call<{ data: { _id: string; _subscriberId: string }[] }>('notifications_list', {});
  const { _id: notificationId, _subscriberId } = data[0]!;
  await alias('listExecutionDetails', { notificationId, subscriberId: _subscriberId });
  await alias('deleteSubscriber', { subscriberId });
}

async function operate(client: Client): Promise<void> {
  await client.call('audit_transaction', { transactionId: 'one' });
  await client.call('audit_range', {});
  await client.call('doctor_retrieve', {});
  for (const ofOperator of ['database_retrieve', 'queues_list', 'queues_rebuild', 'doctor_retrieve']) {
    await client.call(ofOperator, {}, { authorization: `ApiKey ${OPERATOR_KEY}` });
  }
  await client.call('limits_set', { body: { eventsPerSecond: 500, messagesPerDay: null } });
  await client.call('limits_list', {});
}

async function lookAtActivity(client: Client): Promise<void> {
  await client.call('overview_retrieve', {});
  await client.call('overview_errorGroups', {});
  await client.call('overview_integrations', {});
  await client.call('workflowStatistics_list', {});
  const { data } = await client.call<{ data: { _id: string }[] }>('activity_list', { transactionId: ['one'] });
  const notificationId = data[0]!._id;
  await client.call('activity_groups', { status: ['failed'] });
  await client.call('activity_export', { format: 'json', transactionId: ['one'] });
  // Its response does not end; activity.spec.ts reads it.
  client.called.add('activity_stream');
  await client.call('lookup_find', { id: 'one' });
  await client.call('workOperations_top', { by: 'workflow' });
  await client.call('workOperations_stuck', { olderThan: 0 });
  await client.call('workOperations_errors', {});
  await client.call('workOperations_lookup', { id: 'one' });
  // Its response does not end; work-operations.spec.ts reads it.
  client.called.add('workOperations_tail');
  await client.call('notifications_messages', { notificationId, today: true });
  await client.call('notifications_rules', { notificationId });
  await client.call('notifications_comparison', { notificationId });
  const body = { action: 'replay', ids: [notificationId] };
  const { _id: bulkActionId } = await client.call<{ _id: string }>('bulkActions_create', { body });
  await client.call('bulkActions_run', { bulkActionId, body: { count: 0 } });
  await client.call('bulkActions_stop', { bulkActionId });
  await client.call('bulkActions_retrieve', { bulkActionId });
  await client.call('bulkActions_list', {});
}

/** The cookie replaces the key. */
async function useSessions({ url, key }: TestGateway, client: Client): Promise<void> {
  const opened = await client.call<{ _id: string }>('sessions_create', { body: { apiKey: key } });
  const { headers } = await fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: key }),
  });
  const session = { authorization: '', cookie: headers.get('set-cookie')!.split(';', 1)[0]! };
  await client.call('sessions_current', {}, session);
  expect((await client.call<Page>('sessions_list', {})).data).toHaveLength(2);
  await client.call('sessions_revoke', { sessionId: opened._id, 'Clarion-Dashboard': '1' }, session);
  await client.call('sessions_end', { 'Clarion-Dashboard': '1' }, session);
}

/** Mailgun signs the body; Burst SMS sends the key in the query. */
async function receiveWebhooks({ environmentId }: TestGateway, client: Client): Promise<void> {
  const integrate = async (providerId: string, channel: string): Promise<string> => {
    const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'key' };
    const body = { providerId, channel, configurations };
    return (await client.call<{ _id: string }>('integrations_create', { body }))._id;
  };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'key').update(`${timestamp}token`).digest('hex');
  const body = {
    signature: { timestamp, token: 'token', signature },
    'event-data': { id: 'e', event: 'opened', recipient: 'a@example.com', timestamp: 1_700_000_000, url: '/x' },
  };
  const mailgun = { environmentId, integrationId: await integrate('mailgun', 'email') };
  expect(await client.call('inboundWebhooks_receive', { ...mailgun, body })).toHaveLength(1);
  const burst = { environmentId, integrationId: await integrate('burst-sms', 'sms') };
  expect(await client.call('inboundWebhooks_receiveQuery', { ...burst, token: 'key' })).toEqual([]);
}

/** Calls every operation on the in-app messages of a subscriber. */
async function useInbox({ database, environmentId }: TestGateway, client: Client, subscriberId: string): Promise<void> {
  const { _id } = await client.call<{ _id: string }>('subscribers_retrieve', { subscriberId });
  const button = { type: 'primary', content: 'Go', url: '/go', target: '_blank' };
  const workflow = await client.call<{ _id: string }>('workflows_create', {
    body: { name: 'Inbox', workflowId: 'inbox', steps: [] },
  });
  const [first, second] = await insertMessages(
    database,
    [1, 2].map(() => ({
      environmentId,
      subscriberId: _id,
      workflowId: workflow._id,
      subject: 'Subject',
      avatar: '/a.png',
      tags: ['a'],
      data: { a: 1 },
      deliveredAt: [new Date()],
      cta: { type: 'redirect', data: { url: '/x', target: '_self' }, action: { status: 'pending', buttons: [button] } },
    })),
  );
  const messageId = first!.id;
  const one = { subscriberId, messageId };
  const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString();
  for (const operation of ['read', 'unread', 'archive']) await client.call(`subscriberNotifications_${operation}`, one);
  const listed = await client.call<Page>('subscriberNotifications_list', { subscriberId, archived: true, limit: 5 });
  expect(listed.data).toHaveLength(1);
  await client.call('subscriberNotifications_unarchive', one);
  await client.call('subscriberNotifications_snooze', { ...one, body: { snoozeUntil } });
  await client.call('subscriberNotifications_unsnooze', one);
  await client.call('subscriberNotifications_completeAction', { ...one, actionType: 'primary' });
  await client.call('subscriberNotifications_revertAction', { ...one, actionType: 'primary' });
  await client.call('subscriberNotifications_count', { subscriberId, filters: '[{"read":true,"tags":["a"]}]' });
  await client.call('subscriberMessages_countUnseen', { subscriberId, seen: false, limit: 10 });
  const messageIds = [messageId, second!.id];
  await client.call('subscriberMessages_markAs', { subscriberId, body: { messageId: messageIds, markAs: 'unseen' } });
  await client.call('subscriberMessages_markAll', { subscriberId, body: { markAs: 'seen' } });
  await client.call('subscriberMessages_act', {
    ...one,
    type: 'primary',
    body: { status: 'done', payload: { n: 1 } },
  });
  const notificationIds = [messageId];
  await client.call('subscriberNotifications_seeAll', { subscriberId, body: { notificationIds } });
  await client.call('subscriberNotifications_readAll', { subscriberId, body: { tags: { and: [{ or: ['a'] }] } } });
  await client.call('subscriberNotifications_archiveRead', { subscriberId, body: { data: '{"a":2}' } });
  await client.call('subscriberNotifications_archiveAll', { subscriberId, body: { contextKeys: [] } });
  await client.call('subscriberNotifications_delete', one);
  await client.call('subscriberNotifications_deleteAll', { subscriberId, body: {} });
}

const BUTTON = { type: 'primary', content: 'Go' };

/** Inserts two messages with a button. */
async function fillInbox(gateway: TestGateway, client: Client, subscriberId: string): Promise<string> {
  const { _id } = await client.call<{ _id: string }>('subscribers_retrieve', { subscriberId });
  const message = { environmentId: gateway.environmentId, subscriberId: _id, cta: { action: { buttons: [BUTTON] } } };
  const [first] = await insertMessages(gateway.database, [message, message] as never);
  return first!.id;
}

/** Calls every operation of the inbox, as a page does. */
async function useInboxAsPage(gateway: TestGateway, client: Client, subscriberId: string): Promise<void> {
  const messageId = await fillInbox(gateway, client, subscriberId);
  const { identifier: applicationIdentifier } = await client.call<{ identifier: string }>('environments_current', {});
  const workflowId = 'page';
  await client.call('workflows_create', {
    body: { name: 'Page', workflowId, steps: [{ name: 'In-app', type: 'in_app', controlValues: { body: 'x' } }] },
  });
  const schedule = { isEnabled: true, weeklySchedule: { monday: { isEnabled: false } } };
  await client.call('inboxSessions_open', {
    body: { applicationIdentifier, subscriber: { subscriberId }, defaultSchedule: schedule },
  });
  const page = { authorization: `Bearer ${await inboxToken(gateway, subscriberId)}` };
  const call = <T>(operation: string, given: Arguments = {}) => client.call<T>(operation, given, page);
  const chat = { integrationIdentifier: 'chat' };
  await call('inboxChannels_createConnection', {
    body: { ...chat, identifier: 'own', workspace: { id: 'T1' }, auth: { accessToken: 'xoxb' } },
  });
  await call('inboxChannels_listConnections', { limit: 5 });
  await call('inboxChannels_retrieveConnection', { identifier: 'own' });
  await call('inboxChannels_createEndpoint', {
    body: { ...chat, identifier: 'own', type: 'slack_user', endpoint: { userId: 'U1' } },
  });
  await call('inboxChannels_listEndpoints', { limit: 5 });
  await call('inboxChannels_retrieveEndpoint', { identifier: 'own' });
  for (const name of ['connect', 'linkUser', 'link', 'chat']) await call(`inboxChannels_${name}`, { body: chat });
  await call('inboxChannels_deleteEndpoint', { identifier: 'own' });
  await call('inboxChannels_deleteConnection', { identifier: 'own' });
  expect((await call<Page>('inboxNotifications_list', { limit: 5 })).data).toHaveLength(2);
  await call('inboxNotifications_count', { filters: '[{"read":false}]' });
  for (const name of ['read', 'unread', 'archive', 'unarchive'])
    await call(`inboxNotifications_${name}`, { messageId });
  const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString();
  await call('inboxNotifications_snooze', { messageId, body: { snoozeUntil } });
  await call('inboxNotifications_unsnooze', { messageId });
  await call('inboxNotifications_complete', { messageId, body: { actionType: 'primary' } });
  await call('inboxNotifications_revert', { messageId, body: { actionType: 'primary' } });
  await call('inboxNotifications_seeAll', { body: { notificationIds: [messageId] } });
  for (const name of ['readAll', 'archiveRead', 'archiveAll']) await call(`inboxNotifications_${name}`, { body: {} });
  await call('inboxNotifications_delete', { messageId });
  await call('inboxNotifications_deleteAll', { body: { tags: { or: ['none'] } } });
  await call('inboxPreferences_list', { criticality: 'all', tags: ['a'], severity: ['high'] });
  await call('inboxPreferences_global');
  await call('inboxPreferences_changeGlobal', { body: { email: false, schedule } });
  await call('inboxPreferences_changeWorkflow', { workflowId, body: { in_app: false } });
  await call('inboxPreferences_changeBulk', { body: { preferences: [{ workflowId, in_app: true }] } });
  const topicKey = 'pages';
  const { data } = await call<{ data: { identifier: string } }>('inboxSubscriptions_create', {
    topicKey,
    body: { topic: { name: 'Pages' }, preferences: [workflowId] },
  });
  const { identifier } = data;
  await call('inboxSubscriptions_list', { topicKey });
  await call('inboxSubscriptions_retrieve', { topicKey, identifier, workflowIds: [workflowId] });
  await call('inboxSubscriptions_change', { topicKey, identifier, body: { name: 'Mine' } });
  const preference = { subscriptionIdentifier: identifier, workflowId, enabled: false };
  await call('inboxPreferences_changeBulk', { body: { preferences: [preference] } });
  await call('inboxPreferences_changeSubscription', { identifier, workflowId, body: { enabled: true } });
  await call('inboxSubscriptions_end', { topicKey, identifier });
  await call('inboxSubscriptions_retrieve', { topicKey, identifier });
}

/** Calls every operation that older clients of the inbox know. */
async function useWidget(gateway: TestGateway, client: Client, subscriberId: string): Promise<void> {
  const messageId = await fillInbox(gateway, client, subscriberId);
  const { identifier: applicationIdentifier } = await client.call<{ identifier: string }>('environments_current', {});
  const opened = { applicationIdentifier, subscriberId };
  await client.call('inboxSessions_openWidget', { body: { ...opened, hmacHash: null } });
  const hmacHash = signatureOf(subscriberId, gateway.key);
  const session = await client.call<{ data: { token: string } }>('inboxSessions_openWidget', {
    body: { ...opened, hmacHash },
  });
  const page = { authorization: `Bearer ${session.data.token}` };
  const call = <T>(operation: string, given: Arguments = {}) => client.call<T>(operation, given, page);
  for (const name of ['feed', 'countUnseen', 'countUnread', 'count']) await call(`widgetMessages_${name}`);
  await call('widgetMessages_mark', { body: { messageId, mark: { seen: true, read: true } } });
  await call('widgetMessages_markAs', { body: { messageId: [messageId], markAs: 'unread' } });
  await call('widgetMessages_act', { messageId, type: 'primary', body: { status: 'done' } });
  await call('widgetMessages_readAll', { body: {} });
  await call('widgetMessages_seeAll', { body: {} });
  await call('widgetMessages_delete', { messageId });
  await call('widgetMessages_deleteSome', { body: { messageIds: [messageId] } });
  await call('widgetMessages_deleteAll');
  await call('widgetPreferences_organization');
  await call('widgetPreferences_list');
  await call('widgetPreferences_listGlobal');
  await call('widgetPreferences_changeGlobal', { body: { preferences: [{ type: 'sms', enabled: false }] } });
  const change = { channel: { type: 'in_app', enabled: false } };
  await call('widgetPreferences_changeWorkflow', { workflowId: 'page', body: change });
}

async function createStrictWorkflow(gateway: TestGateway): Promise<void> {
  const payloadSchema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  await gateway.call('POST', '/v2/workflows', {
    name: 'Strict',
    workflowId: 'strict',
    steps: [],
    validatePayload: true,
    payloadSchema,
  });
}

type Arguments = Record<string, unknown> & { body?: unknown };

/**
 * A client that knows only the document. It finds arguments by name among the parameters and the body under `body`, and
 * validates requests and responses against their schemas.
 */
class Client {
  readonly called = new Set<string>();
  private readonly schemas = new Map<Schema, ValidateFunction>();
  private readonly loose: Ajv;
  private readonly complete: Ajv;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly document: OpenApiDocument,
  ) {
    this.loose = validatorOf(document, false);
    this.complete = validatorOf(document, true);
  }

  async call<T>(operationId: string, given: Arguments, headers: Record<string, string> = {}): Promise<T> {
    const operation = this.find(operationId);
    const schema = bodySchema(operation);
    if (schema) this.check(`the body of ${operationId}`, schema, given.body, false);
    const { status, body } = await this.send(operation, given, headers);
    if (status > 299) throw new Error(`${operationId}: ${status} ${JSON.stringify(body)}`);
    if (!operation.responses[status]) throw new Error(`${operationId} answers ${status}, which is not documented`);
    const expected = answerSchema(operation, status);
    if (expected) this.check(`the response of ${operationId}`, expected, body, true);
    else expect(body).toBeUndefined();
    const times = JSON.stringify(body ?? null).match(TIMES) ?? [];
    expect([operationId, times.filter((time) => !ISO_TIME.test(time))]).toEqual([operationId, []]);
    this.called.add(operationId);
    return body as T;
  }

  async refused<T>(operationId: string, given: Arguments, headers: Record<string, string> = {}): Promise<T> {
    const operation = this.find(operationId);
    const { status, body } = await this.send(operation, given, headers);
    const expected = answerSchema(operation, status);
    if (status < 400 || !expected) throw new Error(`${operationId} answers ${status}: ${JSON.stringify(body)}`);
    this.check(`the ${status} of ${operationId}`, expected, body, false);
    return body as T;
  }

  private find(operationId: string): Operation {
    const operation = operationsOf(this.document).find((candidate) => candidate.operationId === operationId);
    if (!operation) throw new Error(`the document has no ${operationId}`);
    return operation;
  }

  private async send(
    operation: Operation,
    { body, ...given }: Arguments,
    extra: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown }> {
    let { path } = operation;
    const query = new URLSearchParams();
    const headers: Record<string, string> = { authorization: `ApiKey ${this.key}` };
    for (const [name, value] of Object.entries(given)) {
      const parameter = operation.parameters.find((candidate) => candidate.name === name);
      if (!parameter) throw new Error(`${operation.operationId} has no parameter ${name}`);
      if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      if (parameter.in === 'query') for (const item of [value].flat()) query.append(name, String(item));
      if (parameter.in === 'header') headers[name] = String(value);
    }
    if (body !== undefined) headers['content-type'] = Object.keys(operation.requestBody!.content!)[0]!;
    const response = await fetch(`${this.url}${path}?${query.toString()}`, {
      method: operation.method,
      headers: { ...headers, ...extra },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    return { status: response.status, body: text === '' ? undefined : isPage ? text : (JSON.parse(text) as unknown) };
  }

  private check(what: string, schema: Schema, value: unknown, isComplete: boolean): void {
    let validate = this.schemas.get(schema);
    if (!validate) {
      validate = (isComplete ? this.complete : this.loose).compile(toJsonSchema(schema, isComplete));
      this.schemas.set(schema, validate);
    }
    if (validate(value)) return;
    const faults = validate.errors!.map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    throw new Error(`${what} is not as described: ${faults.join('; ')}\n${JSON.stringify(value)}`);
  }
}

/** Adds each component by the name that `$ref` uses, so that Ajv compiles it once. */
function validatorOf({ components }: OpenApiDocument, isComplete: boolean): Ajv {
  const ajv = addFormats(new Ajv({ allErrors: true, strict: false }));
  for (const [name, schema] of Object.entries(components.schemas)) {
    ajv.addSchema(toJsonSchema(schema, isComplete), `#/components/schemas/${name}`);
  }
  return ajv;
}

/** Values that look like a time, and the only format of times in responses. */
const TIMES = /"\d{4}-\d\d-\d\d[T ][^"]*"/g;
const ISO_TIME = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/;

/** Converts OpenAPI 3.0 to JSON Schema. A complete schema allows no other members than those that it names. */
function toJsonSchema(schema: Schema, isComplete: boolean): object {
  const { nullable, properties, items, oneOf, allOf, additionalProperties, ...rest } = schema;
  const convert = (member: Schema): object => toJsonSchema(member, isComplete);
  const converted = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, convert(member)])),
    }),
    ...(items && { items: convert(items) }),
    ...(oneOf && { oneOf: oneOf.map(convert) }),
    ...(allOf && { allOf: allOf.map(convert) }),
    ...(additionalProperties !== undefined
      ? {
          additionalProperties:
            typeof additionalProperties === 'object' ? convert(additionalProperties) : additionalProperties,
        }
      : properties && isComplete && { additionalProperties: false }),
  };
  return nullable ? { anyOf: [{ type: 'null' }, converted] } : converted;
}
