/** Waits between attempts after a failure that may pass. */
export const RETRY_WAITS_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3600, 5 * 3600].map((seconds) => seconds * 1000);

export const LIMITS = {
  /** Usable API keys of one environment: fewer than the signers that an inbox session is checked with. */
  apiKeys: 90,
  /** Keys of one list: the usable ones, and the newest of those that have ended. */
  listedKeys: 500,
  keyAddresses: 50,
  bulkEvents: 100,
  /** Delivery events in one call of a provider. */
  inboundEvents: 1_000,
  bulkSubscribers: 500,
  /** Bytes, as JSON, of the `data` of a subscriber, a tenant or a context; characters of an avatar. */
  dataBytes: 64 * 1024,
  avatar: 16 * 1024,
  /** Channels and topics of one subscriber in a bulk import. */
  importedChannels: 20,
  importedTopics: 20,
  /** Newest events or messages that a search by `status`, `detail` and the like reads without a narrower filter. */
  searchedHistory: 10_000,
  /** Rows of one page of the activity. */
  activityPage: 100,
  /** Rows of one export of the activity. */
  activityExport: 1_000_000,
  /** Groups of one answer about reasons. */
  errorGroups: 100,
  /** Bars of each of them. */
  errorGroupBars: 24,
  /** Of one message, the first one included. */
  deliveryAttempts: RETRY_WAITS_MS.length + 1,
  /** Rows of one answer about work that is stuck. */
  stuckRows: 1_000,
  /** Environments that a tail follows; of more, those that accept most. */
  tailedEnvironments: 50,
  /** Rows in one event of a stream of the activity, characters of a reason in it, and notifications that it counts. */
  streamedRows: 50,
  streamedReason: 300,
  streamedIds: 1_000,
  /** Lines of the summary of one transaction. */
  summaryLines: 1_000,
  recipients: 100,
  /** Channels that all recipients of one event bring along: as many as so many imported subscribers may have. */
  recipientChannels: 2_000,
  topicExclude: 100,
  topicSubscriptions: 100,
  /** Variables of payload and subscriber that the description of a workflow lists. */
  triggerVariables: 100,
  /** Topic keys that the description of a subscriber lists. */
  subscriberTopics: 100,
  /** Subscribers of one page of messages that are shown with their channels and topics. */
  describedSubscribers: 100,
  /** Workflows that one topic subscription may have preferences for, also when it names them by tag. */
  subscriptionPreferences: 100,
  contexts: 5,
  /** Characters of the type and of the id of a context. */
  contextType: 100,
  contextId: 256,
  /** Bytes of the types and ids of all contexts of one request: they are the key of an index. */
  contextBytes: 2_000,
  countCap: 50_000,
  /** Holds of one environment at a time. */
  holds: 500,
  holdReason: 500,
  /** Of a trigger, in seconds: a year. */
  ttl: 31_536_000,
  deviceTokens: 100,
  /** Channel endpoints of one subscriber: every chat step reads all of them. */
  channelEndpoints: 100,
  /** Minutes for which the link of an OAuth flow and a mobile link are valid. */
  oauthLinkMinutes: 5,
  mobileLinkMinutes: 30,
  stepsPerWorkflow: 20,
  variantsPerStep: 20,
  /** Bytes of the payload schema of one workflow. */
  payloadSchemaBytes: 64 * 1024,
  tags: 16,
  tagLength: 64,
  topicKey: 100,
  topicName: 100,
  /** Notifications that the usage of a topic counts. */
  topicUsage: 1_000,
  /** Bytes of one event, attachments left out. */
  eventBytes: 512 * 1024,
  bodyBytes: 1024 * 1024,
  bulkBodyBytes: 8 * 1024 * 1024,
  /** Decoded bytes of all files of one event: what fits into `eventsBodyBytes` as base64. */
  attachmentBytes: 20_000_000,
  /** Resources that one diff describes. */
  diffResources: 200,
  /** Resources that one publish changes, and the bytes of their definitions in source and target together. */
  publishedResources: 1_000,
  publishedBytes: 32 * 1024 * 1024,
  /** Tags that one environment lists. */
  environmentTags: 1_000,
  /** Workflows that the usage of a layout lists. */
  layoutUsers: 500,
  /** Environment variables of one environment, the characters of one value, and of all values of an environment. */
  environmentVariables: 100,
  variableCharacters: 4 * 1024,
  variablesCharacters: 64 * 1024,
  /** Workflows, and layouts, that the usage of a variable lists. */
  variableUsers: 500,
  /** Locales of one workflow or layout, and translations of one environment. */
  locales: 50,
  translations: 10_000,
  /** Keys in one locale of a workflow or layout, the characters of one key, and the bytes of the content as JSON. */
  translationKeys: 2_000,
  translationKey: 256,
  translationBytes: 128 * 1024,
  /** Characters of one text after the keys that it names are written into it. */
  translatedCharacters: 64 * 1024,
  /** Bytes of all translations of an environment in one locale: they are exported and imported as one file. */
  masterJsonBytes: 4 * 1024 * 1024,
  /** Files of one upload, the characters of one file, and the bytes of the body. */
  uploadFiles: 50,
  uploadedCharacters: 6 * 1024 * 1024,
  uploadBytes: 8 * 1024 * 1024,
  /** Files of one event. */
  attachments: 100,
  eventsBodyBytes: 26 * 1024 * 1024,
  /** Characters of a request's path and query, and of one parameter in the path. */
  url: 16 * 1024,
  pathParameter: 8 * 1024,
  /** Levels of objects and lists in one body; in a bulk call, in each element. */
  jsonDepth: 32,
  /**
   * Values (texts, numbers, objects, lists, ...) in one body, and in a whole bulk call. They are counted before a body
   * is parsed, because a small text can make millions of objects. Parsing so many keys takes less than 0.1 s.
   */
  jsonValues: 50_000,
  bulkJsonValues: 100_000,
  /** Elements of a list whose field has no smaller limit. */
  listElements: 1_000,
  /** Objects of a known class (steps, filters, channels, ...) in one body; in a bulk call, in each element. */
  bodyObjects: 5_000,
  /** Faulty fields that one refusal names, and that one bulk call describes in full. */
  describedFaults: 100,
  /** Unknown fields that one response names. */
  unknownFields: 20,
  idempotencyKey: 255,
  /** Longest email address or phone number. */
  address: 320,
  /** Longest text of a query filter. */
  filterText: 256,
  /** Groups of one condition, and comparisons of one group. */
  filterGroups: 50,
  filterChildren: 50,
  /** Integrations of one environment; the list of them is not paged. */
  integrations: 500,
  /** Messages a second that an integration can be limited to. */
  integrationRate: 10_000,
  /** Bytes of the credentials, configurations and conditions of one integration, and of all of one environment. */
  integrationBytes: 64 * 1024,
  integrationsBytes: 3 * 1024 * 1024,
  /** The largest offset, in rows, of a page-based list. */
  pageOffset: 10_000_000,
  /** Versions of a workflow in one answer: each is read with all its steps. */
  workflowVersions: 20,
  messagesPage: 1_000,
  /** Bytes of JSON and texts on one page of a list; parsing takes up to 30 ms for each megabyte. */
  pageBytes: 3 * 1024 * 1024,
  /** Subscribers that one filter of the events list may match. */
  searchedSubscribers: 1_000,
  /** Size and depth of the partial payload that filters a feed. */
  feedPayloadBytes: 4 * 1024,
  feedPayloadDepth: 8,
  bulkPreferences: 100,
  /** Workflows in one answer about the preferences of a subscriber. */
  preferredWorkflows: 500,
  /** Time ranges of one day of a schedule. */
  rangesPerDay: 24,
  /** Counts of unread and unseen messages stop here. */
  inboxCount: 100,
  inboxCountFilters: 30,
  /** Bytes of the partial data by which an inbox is filtered. */
  inboxDataBytes: 4 * 1024,
  /** Messages that one call names by id. */
  inboxIds: 100,
  inboxTagGroups: 20,
  snoozeDays: 180,
  /** The longest wait of a delay or a digest, and the longest window of a throttle. */
  waitDays: 180,
  /** Identifiers that an organization gave up by renaming and that stay reserved for it. */
  formerIdentifiers: 100,
  /** Topic subscriptions of one subscriber that the subscriber made in the inbox or a backend made. */
  inboxSubscriptions: 200,
  /** Origins whose pages may show the inbox of an environment. */
  allowedOrigins: 50,
  /** Steps that one replay queues again. */
  replaySteps: 10_000,
  /** Notifications that a bulk action names by id, items of its frozen set, and notifications that its sample lists. */
  bulkActionIds: 10_000,
  bulkActionItems: 100_000,
  /** Notifications that are looked at to find the items of a bulk action by a filter without an index. */
  bulkActionSearch: 300_000,
  bulkActionSample: 20,
  /** Actions of an environment that were not run yet and their items, how long they can be run; of an organization. */
  plannedBulkActions: 50,
  plannedBulkActionItems: 1_000_000,
  plannedBulkActionHours: 24,
  plannedBulkActionsOfOrganization: 200,
  /** Actions of an environment that were started and have not ended; of an organization. */
  startedBulkActions: 50,
  startedBulkActionsOfOrganization: 200,
  /** Recipients that a dry run explains: of one event, and of one call. */
  dryRunEventRecipients: 20,
  dryRunRecipients: 100,
  /** Notifications that the explanation of a past time lists. */
  explainedHistory: 20,
  /** Newest notifications of a subscriber whose open steps are counted before the subscriber is deleted. */
  usageNotifications: 1_000,
  /** Notifications on one page of the export of a subscriber, and rows of each other list on its first page. */
  exportedNotifications: 200,
  exportedRows: 5_000,
  /** An outbox keeps this many messages, none older than this many days. It is trimmed every hour. */
  outboxMessages: 1_000,
  outboxDays: 7,
  /** A session of the dashboard lasts this long, or until its key expires; a sign-in link until it is used. */
  sessionHours: 12,
  signInTokenHours: 24,
  /** Open sessions of one key; a further one ends the oldest. */
  sessionsPerKey: 50,
  /** Sessions that the list of an environment shows. */
  listedSessions: 200,
  /** A token of an inbox session lasts this long. */
  inboxTokenHours: 24,
  /** Connections of one subscriber's inboxes at one gateway. */
  socketsPerSubscriber: 20,
  /** Days of one reconciliation over HTTP; the command line has no limit. */
  auditDays: 1,
  /** Ids that a reconciliation over HTTP lists for each figure and each check. */
  auditIds: 100,
  /** Notifications of an hour whose rows a reconciliation reads also when the counted outcomes add up. */
  auditedRows: 10_000,
  /** Days of one overview. */
  overviewDays: 31,
  overviewIntegrations: 200,
  /** Newest messages of each channel that are counted by integration. */
  integrationMessages: 2_000,
  overviewWorkflows: 1_000,
  /** Webhook endpoints of one environment; the list of them is not paged. */
  webhookEndpoints: 20,
  webhookUrl: 2_000,
  webhookDescription: 500,
  /** Workflows in the filter of one webhook endpoint. */
  webhookWorkflows: 100,
  /** For how long a replaced secret of a webhook endpoint still signs, beside the new one. */
  webhookSecretOverlapHours: 24,
  /** For how long a replaced inbox secret can still sign. */
  inboxSecretOverlapHours: 24,
  /** Ended webhook deliveries are shown this long. */
  webhookDeliveryDays: 7,
  /** Days that a mirror may run. */
  mirrorDays: 30,
  /** Copies, and bytes of copies, that wait for the other system before a mirror ends. */
  mirrorBacklog: 100_000,
  mirrorBacklogBytes: 1024 * 1024 * 1024,
  /** Differences that are stored for one mirror; later ones are only counted. */
  mirrorDifferences: 10_000,
  /** Differences that are stored for one transaction. */
  mirrorDifferencesOfOne: 100,
  /** A transaction with more recipients is not compared. */
  mirrorRecipients: 500,
  /** Entries of one page of the event log, and entries that a page with a filter reads. */
  eventLogPage: 1_000,
  eventLogScan: 10_000,
} as const;
