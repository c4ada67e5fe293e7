/** What the calls about one notification of a subscriber begin with. */
const ONE = 'subscriberId, notificationId: messageId';

/**
 * The call of the published SDK for TypeScript, by operation. `body`, `file`, `files` and the names of path parameters
 * stand for their values. A spec runs every sample, and compares what the SDK sends with what curl sends.
 */
const SDK_CALLS: Partial<Record<string, string>> = {
  channelConnections_create: 'channelConnections.create(body)',
  channelConnections_delete: 'channelConnections.delete(identifier)',
  channelConnections_list: 'channelConnections.list({})',
  channelConnections_retrieve: 'channelConnections.retrieve(identifier)',
  channelConnections_update: 'channelConnections.update(body, identifier)',
  channelEndpoints_create: 'channelEndpoints.create(body)',
  channelEndpoints_delete: 'channelEndpoints.delete(identifier)',
  channelEndpoints_list: 'channelEndpoints.list({})',
  channelEndpoints_retrieve: 'channelEndpoints.retrieve(identifier)',
  channelEndpoints_update: 'channelEndpoints.update(body, identifier)',
  chatBots_configure: 'integrations.integrationsControllerConfigureIntegrationWebhook(integrationIdentifier)',
  chatBots_mobileLink: 'integrations.createMobileLink(body, integrationIdentifier)',
  chatLinks_chat: 'integrations.generateChatOAuthUrl(body)',
  chatLinks_connect: 'integrations.generateConnectOAuthUrl(body)',
  chatLinks_link: 'integrations.linkChannelEndpoint(body)',
  chatLinks_linkUser: 'integrations.generateLinkUserOAuthUrl(body)',
  contexts_create: 'contexts.create(body)',
  contexts_delete: 'contexts.delete(id, type)',
  contexts_list: 'contexts.list({})',
  contexts_retrieve: 'contexts.retrieve(id, type)',
  contexts_update: 'contexts.update({ type, id, updateContextRequestDto: body })',
  environmentTags_list: 'environments.getTags(environmentId)',
  environmentVariables_create: 'environmentVariables.create(body)',
  environmentVariables_delete: 'environmentVariables.delete(variableKey)',
  environmentVariables_list: 'environmentVariables.list()',
  environmentVariables_retrieve: 'environmentVariables.retrieve(variableKey)',
  environmentVariables_update: 'environmentVariables.update(body, variableKey)',
  environmentVariables_usage: 'environmentVariables.usage(variableKey)',
  environments_create: 'environments.create(body)',
  environments_delete: 'environments.delete(environmentId)',
  environments_list: 'environments.list()',
  environments_update: 'environments.update(body, environmentId)',
  events_broadcast: 'triggerBroadcast(body)',
  events_cancel: 'cancel(transactionId)',
  events_trigger: 'trigger(body)',
  events_triggerBulk: 'triggerBulk(body)',
  feed_list: 'subscribers.notifications.feed({ subscriberId })',
  inboundWebhooks_receive: 'activity.track({ environmentId, integrationId, requestBody: {} })',
  integrations_autoConfigure: 'integrations.integrationsControllerAutoConfigureIntegration(integrationId)',
  integrations_create: 'integrations.create(body)',
  integrations_delete: 'integrations.delete(integrationId)',
  integrations_list: 'integrations.list()',
  integrations_listActive: 'integrations.listActive()',
  integrations_setPrimary: 'integrations.setAsPrimary(integrationId)',
  integrations_update: 'integrations.update(body, integrationId)',
  layouts_create: 'layouts.create(body)',
  layouts_delete: 'layouts.delete(layoutId)',
  layouts_duplicate: 'layouts.duplicate(body, layoutId)',
  layouts_list: 'layouts.list({})',
  layouts_preview: 'layouts.generatePreview(body, layoutId)',
  layouts_retrieve: 'layouts.retrieve(layoutId)',
  layouts_update: 'layouts.update(body, layoutId)',
  layouts_usage: 'layouts.usage(layoutId)',
  messages_delete: 'messages.delete(messageId)',
  messages_deleteTransaction: 'messages.deleteByTransactionId(transactionId)',
  messages_list: 'messages.retrieve({})',
  notifications_list: 'notifications.list({})',
  notifications_retrieve: 'notifications.retrieve(notificationId)',
  promotion_diff: 'environments.diff(body, targetEnvironmentId)',
  promotion_publish: 'environments.publish(body, targetEnvironmentId)',
  subscriberCredentials_append: 'subscribers.credentials.append(body, subscriberId)',
  subscriberCredentials_delete: 'subscribers.credentials.delete(subscriberId, providerId)',
  subscriberCredentials_update: 'subscribers.credentials.update(body, subscriberId)',
  subscriberMessages_act:
    'subscribers.messages.updateAsSeen({ subscriberId, messageId, type, markMessageActionAsSeenDto: body })',
  subscriberMessages_countUnseen: 'subscribers.notifications.unseenCount({ subscriberId })',
  subscriberMessages_markAll: 'subscribers.messages.markAll(body, subscriberId)',
  subscriberMessages_markAs: 'subscribers.messages.markAllAs(body, subscriberId)',
  subscriberNotifications_archive: `subscribers.notifications.archive({ ${ONE} })`,
  subscriberNotifications_archiveAll: 'subscribers.notifications.archiveAll(body, subscriberId)',
  subscriberNotifications_archiveRead: 'subscribers.notifications.archiveAllRead(body, subscriberId)',
  subscriberNotifications_completeAction: `subscribers.notifications.completeAction({ ${ONE}, actionType })`,
  subscriberNotifications_count: `subscribers.notifications.count(subscriberId, '[{ "read": false }]')`,
  subscriberNotifications_delete: `subscribers.notifications.delete({ ${ONE} })`,
  subscriberNotifications_deleteAll: 'subscribers.notifications.deleteAll(body, subscriberId)',
  subscriberNotifications_list: 'subscribers.notifications.list({ subscriberId })',
  subscriberNotifications_read: `subscribers.notifications.markAsRead({ ${ONE} })`,
  subscriberNotifications_readAll: 'subscribers.notifications.markAllAsRead(body, subscriberId)',
  subscriberNotifications_revertAction: `subscribers.notifications.revertAction({ ${ONE}, actionType })`,
  subscriberNotifications_seeAll: 'subscribers.notifications.markAsSeen(body, subscriberId)',
  subscriberNotifications_snooze: `subscribers.notifications.snooze({ ${ONE}, snoozeSubscriberNotificationDto: body })`,
  subscriberNotifications_unarchive: `subscribers.notifications.unarchive({ ${ONE} })`,
  subscriberNotifications_unread: `subscribers.notifications.markAsUnread({ ${ONE} })`,
  subscriberNotifications_unsnooze: `subscribers.notifications.unsnooze({ ${ONE} })`,
  subscriberPreferences_list: 'subscribers.preferences.list({ subscriberId })',
  subscriberPreferences_update: 'subscribers.preferences.update(body, subscriberId)',
  subscriberPreferences_updateBulk: 'subscribers.preferences.bulkUpdate(body, subscriberId)',
  subscribers_create: 'subscribers.create(body)',
  subscribers_createBulk: 'subscribers.createBulk(body)',
  subscribers_delete: 'subscribers.delete(subscriberId)',
  subscribers_patch: 'subscribers.patch(body, subscriberId)',
  subscribers_retrieve: 'subscribers.retrieve(subscriberId)',
  subscribers_search: 'subscribers.search({})',
  subscribers_setOnline: 'subscribers.properties.updateOnlineFlag(body, subscriberId)',
  topicSubscriptions_check: 'topics.subscribers.retrieve(externalSubscriberId, topicKey)',
  topicSubscriptions_listOfSubscriber: 'subscribers.topics.list({ subscriberId })',
  topicSubscriptions_listOfTopic: 'topics.subscriptions.list({ topicKey })',
  topicSubscriptions_patch:
    'topics.subscriptions.update({ topicKey, identifier, updateTopicSubscriptionRequestDto: body })',
  topicSubscriptions_retrieve: 'topics.subscriptions.getSubscription(topicKey, identifier)',
  topicSubscriptions_subscribe: 'topics.subscriptions.create(body, topicKey)',
  topicSubscriptions_unsubscribe: 'topics.subscriptions.delete(body, topicKey)',
  topics_create: 'topics.create(body)',
  topics_delete: 'topics.delete(topicKey)',
  topics_list: 'topics.list({})',
  topics_patch: 'topics.update(body, topicKey)',
  topics_retrieve: 'topics.get(topicKey)',
  translations_create: 'translations.create(body)',
  translations_delete: 'translations.delete({ resourceType, resourceId, locale })',
  translations_deleteGroup: 'translations.groups.delete(resourceType, resourceId)',
  translations_exportMaster: 'translations.master.retrieve()',
  translations_group: 'translations.groups.retrieve(resourceType, resourceId)',
  translations_importMaster: 'translations.master.import(body)',
  translations_retrieve: 'translations.retrieve({ resourceType, resourceId, locale })',
  translations_upload: "translations.upload({ resourceType: 'workflow', resourceId: 'welcome', files })",
  translations_uploadMaster: 'translations.master.upload({ file })',
  workflowSync_sync: 'workflows.sync(body, workflowId)',
  workflows_create: 'workflows.create(body)',
  workflows_delete: 'workflows.delete(workflowId)',
  workflows_list: 'workflows.list({})',
  workflows_patch: 'workflows.patch(body, workflowId)',
  workflows_preview: 'workflows.steps.generatePreview({ workflowId, stepId, generatePreviewRequestDto: body })',
  workflows_retrieve: 'workflows.get(workflowId)',
  workflows_retrieveStep: 'workflows.steps.retrieve(workflowId, stepId)',
  workflows_update: 'workflows.update(body, workflowId)',
};

const FILE = `{ fileName: 'de_AT.json', content: new Blob(['{ "greeting": "Servus" }']) }`;

/** Fields that the SDK takes as dates. */
const DATE = /\b(snoozeUntil): ("[^"]+")/g;

const SDK_NAMES: Partial<Record<string, Record<string, string>>> = {
  events_trigger: { name: 'workflowId' },
  events_triggerBulk: { name: 'workflowId' },
};

type Given = { operationId: string; body: unknown; path: Record<string, string>; write(value: unknown): string };

/** A program that calls the operation through the SDK; undefined if the SDK has no method for it. */
export function sdkSample({ operationId, body, path, write }: Given): string | undefined {
  const call = SDK_CALLS[operationId];
  if (call === undefined) return undefined;
  const values: Record<string, string> = {
    body: write(renamed(body ?? {}, SDK_NAMES[operationId] ?? {})).replace(DATE, '$1: new Date($2)'),
    file: FILE,
    files: `[${FILE}]`,
    ...Object.fromEntries(Object.entries(path).map(([name, value]) => [name, `'${value}'`])),
  };
  const valueOf = (name: string): string => values[name] ?? name;
  const [, method, given = ''] = /^([\w.]+)\((.*)\)$/.exec(call)!;
  const fields = /^\{ (.+) \}$/.exec(given)?.[1]?.split(', ');
  const written = fields
    ? `{\n${fields.map((field) => fieldOf(field, valueOf)).join('')}}`
    : given.split(', ').map(valueOf).join(', ');
  return [
    "import { Novu } from '@novu/api';",
    '',
    'const novu = new Novu({ secretKey: process.env.KEY, serverURL: process.env.URL });',
    `const { result } = await novu.${method}(${written});`,
    'console.log(result);',
  ].join('\n');
}

function fieldOf(field: string, valueOf: (name: string) => string): string {
  const [name = '', value = name] = field.split(': ');
  return `  ${name}: ${valueOf(value).replaceAll('\n', '\n  ')},\n`;
}

function renamed(value: unknown, names: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      names[name] ?? name,
      name === 'payload' ? item : renamed(item, names),
    ]),
  );
}
