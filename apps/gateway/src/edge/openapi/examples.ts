import { type ApiDocument, resolveSchema, type Schema } from './document';

/** The id of anything, in examples. A spec replaces it by an id of its database. */
export const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Example bodies that tell one story. A spec sends them in this order and expects each to succeed. */
export const REQUEST_EXAMPLES: Record<string, object> = {
  integrations_create: {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    credentials: { apiKey: 'SG.key', from: 'hello@example.com', senderName: 'Example' },
  },
  integrations_update: { name: 'Email of the shop' },
  integrations_setOrder: { ids: [EXAMPLE_ID] },
  subscribers_create: { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', data: { plan: 'gold' } },
  subscribers_createBulk: { subscribers: [{ subscriberId: 'bob', firstName: 'Bob', email: 'bob@example.com' }] },
  limits_set: { eventsPerSecond: 500, messagesPerDay: 100_000 },
  subscribers_patch: { phone: '+15005550006', timezone: 'Europe/London' },
  subscribers_setOnline: { isOnline: true },
  subscriberCredentials_update: {
    providerId: 'slack',
    credentials: { webhookUrl: 'https://hooks.slack.com/services/T000/B000/XXXX' },
  },
  subscriberCredentials_append: { providerId: 'expo', credentials: { deviceTokens: ['ExponentPushToken[ada]'] } },
  channelConnections_create: {
    identifier: 'acme',
    integrationIdentifier: 'slack',
    subscriberId: 'ada',
    workspace: { id: 'T0123456789', name: 'Acme' },
    auth: { accessToken: 'xoxb-...' },
  },
  channelConnections_update: { workspace: { id: 'T0123456789' }, auth: { accessToken: 'xoxb-...' } },
  channelEndpoints_create: {
    identifier: 'ada-slack',
    integrationIdentifier: 'slack',
    subscriberId: 'ada',
    connectionIdentifier: 'acme',
    type: 'slack_channel',
    endpoint: { channelId: 'C0123456789' },
  },
  channelEndpoints_update: { endpoint: { channelId: 'C0123456789' } },
  chatLinks_chat: { integrationIdentifier: 'slack', subscriberId: 'ada' },
  chatLinks_connect: { integrationIdentifier: 'slack', subscriberId: 'ada', connectionIdentifier: 'acme' },
  chatLinks_linkUser: { integrationIdentifier: 'slack', subscriberId: 'ada' },
  chatLinks_link: { integrationIdentifier: 'slack', subscriberId: 'ada' },
  topics_create: { key: 'releases', name: 'Releases' },
  topics_patch: { name: 'New releases' },
  topicSubscriptions_subscribe: { subscriptions: [{ subscriberId: 'ada', identifier: 'ada-releases' }] },
  topicSubscriptions_patch: { name: 'Releases for Ada' },
  topicSubscriptions_unsubscribe: { subscriptions: ['ada'] },
  tenants_create: { identifier: 'acme', name: 'Acme', data: { color: '#1a2b3c' } },
  tenants_patch: { data: { color: '#3c2b1a' } },
  contexts_create: { type: 'region', id: 'eu', data: { currency: 'EUR' } },
  contexts_update: { data: { currency: 'EUR', language: 'en' } },
  layouts_create: { layoutId: 'plain', name: 'Plain' },
  layouts_update: { name: 'Plain', controlValues: { email: { body: '<main>{{content}}</main>', editorType: 'html' } } },
  layouts_duplicate: { name: 'Plain for tests', layoutId: 'plain-test' },
  layouts_preview: { previewPayload: { subscriber: { firstName: 'Ada' } } },
  suppressions_create: { channel: 'email', address: 'gone@example.com' },
  workflows_create: {
    name: 'Welcome',
    workflowId: 'welcome',
    steps: [
      { name: 'Mail', type: 'email', controlValues: { subject: 'Welcome', body: '<p>Hello {{payload.name}}</p>' } },
    ],
  },
  workflows_update: {
    name: 'Welcome',
    steps: [
      {
        stepId: 'mail',
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'Welcome, {{payload.name}}', body: '<p>Hello {{payload.name}}</p>' },
      },
    ],
    preferences: { user: { all: { enabled: true, readOnly: false }, channels: {} } },
  },
  workflows_patch: { description: 'Sent after the registration', tags: ['onboarding'] },
  workflows_preview: { previewPayload: { payload: { name: 'Ada' } } },
  environmentVariables_create: { key: 'SITE', type: 'string', isSecret: false },
  environmentVariables_update: { isSecret: true },
  translations_create: {
    resourceType: 'workflow',
    resourceId: 'welcome',
    locale: 'de',
    content: { greeting: 'Hallo {{ payload.name }}' },
  },
  translations_upload: {
    resourceType: 'workflow',
    resourceId: 'welcome',
    files: [{ name: 'de_AT.json', content: '{ "greeting": "Servus" }' }],
  },
  translations_importMaster: { locale: 'fr', masterJson: { workflows: { welcome: { greeting: 'Bonjour' } } } },
  translations_uploadMaster: {
    file: [{ name: 'it.json', content: '{ "workflows": { "welcome": { "greeting": "Ciao" } } }' }],
  },
  subscriberPreferences_update: { channels: { sms: false } },
  subscriberPreferences_updateBulk: { preferences: [{ workflowId: 'welcome', channels: { email: true } }] },
  events_trigger: {
    name: 'welcome',
    to: { subscriberId: 'ada' },
    payload: { name: 'Ada' },
    transactionId: 'welcome-ada',
  },
  events_triggerBulk: { events: [{ name: 'welcome', to: 'bob', payload: { name: 'Bob' } }] },
  events_broadcast: { name: 'welcome', payload: { name: 'all of you' } },
  notifications_replay: { transactionId: ['welcome-ada'], statuses: ['failed'], dryRun: true },
  explanation_explain: { workflowId: 'welcome', payload: { name: 'Ada' } },
  holds_create: { target: 'channel', id: 'sms', reason: 'the provider has an incident' },
  holds_pauseIntegration: { reason: 'the provider has an incident' },
  webhookEndpoints_create: {
    url: 'https://example.com/hooks/clarion',
    events: ['message.failed'],
    channels: ['email'],
  },
  webhookEndpoints_patch: { active: true },
  webhookEndpoints_replay: { failedOnly: true },
  environments_create: { name: 'Staging', color: '#1a2b3c' },
  environments_update: { name: 'Shop' },
  environments_createKey: { name: 'checkout service', scope: 'trigger' },
  promotion_diff: {},
  promotion_publish: { dryRun: true },
  workflowSync_sync: { targetEnvironmentId: EXAMPLE_ID },
  organizations_create: { name: 'Example', environmentName: 'Production' },
  subscriberNotifications_readAll: { contextKeys: ['region:eu'] },
  subscriberNotifications_archiveAll: { contextKeys: ['region:eu'] },
  subscriberNotifications_archiveRead: {},
  subscriberNotifications_seeAll: { contextKeys: ['region:eu'] },
  subscriberNotifications_deleteAll: { contextKeys: ['region:eu'] },
  subscriberMessages_markAs: { messageId: [EXAMPLE_ID], markAs: 'read' },
  subscriberMessages_markAll: { markAs: 'read' },
  subscriberMessages_act: { status: 'done' },
  subscriberNotifications_snooze: { snoozeUntil: inDays(90) },
  bulkActions_create: { action: 'replay', filter: { workflowId: ['welcome'], status: ['failed'] } },
  bulkActions_run: { count: 0 },
  sessions_create: { apiKey: 'YOUR_API_KEY' },
  mirror_start: {
    url: 'https://notifications.example.com',
    key: 'a key of the other system',
    until: inDays(7),
    delivers: 'clarion',
  },
  chatBots_mobileLink: { subscriberId: 'ada' },
  inboxSessions_open: { applicationIdentifier: 'env_a1b2c3', subscriber: { subscriberId: 'ada' } },
  inboxSessions_openWidget: { applicationIdentifier: 'env_a1b2c3', subscriberId: 'ada' },
  inboxChannels_createConnection: {
    identifier: 'ada-acme',
    integrationIdentifier: 'slack',
    workspace: { id: 'T0123456789', name: 'Acme' },
    auth: { accessToken: 'xoxb-...' },
  },
  inboxChannels_connect: { integrationIdentifier: 'slack', connectionIdentifier: 'ada-acme' },
  inboxChannels_createEndpoint: {
    integrationIdentifier: 'slack',
    connectionIdentifier: 'ada-acme',
    type: 'slack_user',
    endpoint: { userId: 'U0123456789' },
  },
  inboxChannels_linkUser: { integrationIdentifier: 'slack' },
  inboxChannels_link: { integrationIdentifier: 'slack' },
  inboxChannels_chat: { integrationIdentifier: 'slack' },
  inboxNotifications_snooze: { snoozeUntil: inDays(90) },
  inboxPreferences_changeBulk: { preferences: [{ workflowId: 'welcome', email: true }] },
  inboxSubscriptions_create: { identifier: 'ada-releases', preferences: ['welcome'] },
  inboxSubscriptions_change: { name: 'Releases' },
  inboxPreferences_changeSubscription: { enabled: false },
  olderClients_createLayout: { name: 'Frame', identifier: 'frame', content: '<main>{{{body}}}</main>' },
};

const PATH_VALUES: Record<string, string> = {
  subscriberId: 'ada',
  externalSubscriberId: 'ada',
  workflowId: 'welcome',
  levelOrWorkflow: 'welcome',
  stepId: 'mail',
  topicKey: 'releases',
  layoutId: 'plain',
  id: 'eu',
  address: 'gone@example.com',
  transactionId: 'welcome-ada',
  providerId: 'slack',
  integrationIdentifier: 'telegram',
  variableKey: 'SITE',
  resourceType: 'workflow',
  resourceId: 'welcome',
  locale: 'de',
  actionType: 'primary',
};

/** Midnight in so many days: a time in an example has to be in the future for as long as the process runs. */
function inDays(days: number): string {
  return new Date(Math.floor(Date.now() / 86_400_000 + days) * 86_400_000).toISOString();
}

function identifierIn(path: string): string {
  if (path.includes('/tenants/') || path.includes('/channel-connections/')) return 'acme';
  return path.includes('/channel-endpoints/') ? 'ada-slack' : 'ada-releases';
}

export function pathValue({ name, schema }: { name: string; schema: Schema }, path: string): string {
  if (schema.enum) return String(schema.enum[0]);
  if (name === 'identifier') return identifierIn(path);
  if (name === 'type') return path.includes('/contexts/') ? 'region' : 'primary';
  return PATH_VALUES[name] ?? EXAMPLE_ID;
}

/** The example body of an operation: the written one, or one made from the fields of the body. */
export const requestExample = (document: Pick<ApiDocument, 'components'>, operationId: string, body: Schema): unknown =>
  REQUEST_EXAMPLES[operationId] ?? exampleOf(document, body, 'required');

/** A value that matches a schema. The depth is limited because schemas recurse and long examples are hard to read. */
export function exampleOf(
  document: Pick<ApiDocument, 'components'>,
  given: Schema,
  members: 'all' | 'required',
  depth = 0,
): unknown {
  const schema = resolveSchema(document, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.oneOf ?? schema.anyOf)?.[0];
  if (choice) return exampleOf(document, choice, members, depth);
  switch (schema.type) {
    case 'string':
      return exampleText(schema);
    case 'number':
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return depth > 4 ? [] : [exampleOf(document, schema.items ?? {}, members, depth + 1)];
    default:
      return depth > 4 ? {} : exampleMembers(document, schema, members, depth);
  }
}

function exampleMembers(
  document: Pick<ApiDocument, 'components'>,
  { properties = {}, required = [] }: Schema,
  members: 'all' | 'required',
  depth: number,
): object {
  const wanted = Object.entries(properties).filter(
    ([name, { example, deprecated }]) =>
      required.includes(name) || example !== undefined || (members === 'all' && !deprecated),
  );
  return Object.fromEntries(wanted.map(([name, schema]) => [name, exampleOf(document, schema, members, depth + 1)]));
}

function exampleText({ format }: Schema): string {
  switch (format) {
    case 'uuid':
      return EXAMPLE_ID;
    case 'email':
      return 'ada@example.com';
    case 'uri':
      return 'https://example.com';
    case 'date-time':
      return '2030-01-01T00:00:00.000Z';
    default:
      return 'text';
  }
}
