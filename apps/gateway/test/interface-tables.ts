/**
 * The interface that clients are generated from, as tables. A field is its type, `[]` for a list of it, `|null` if it
 * may be null, and `?` if it is optional. Names in capitals are enums, other capitalized names are schemas. Limits
 * follow: `1..50` (values of a number, characters of a text, elements of a list) and `=10` (default).
 */
export type Fields = Record<string, string>;

const words = (text: string): string[] => text.trim().split(/\s+/);

const CHANNEL_PROVIDER = words(`slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat
  whatsapp-business chat-webhook platform-slack fcm apns expo one-signal pushpad push-webhook pusher-beams appio`);

export const ENUMS: Record<string, string[]> = {
  ACTION_STATUS: words('pending done'),
  ACTOR: words('none user system_icon system_custom'),
  ALIGN: words('center left right'),
  BLOCK: words('button text'),
  BUTTON: words('primary secondary'),
  CHANNEL: words('in_app email sms chat push'),
  CHANNEL_PROVIDER,
  CTA: ['redirect'],
  DAY: words('monday tuesday wednesday thursday friday saturday sunday'),
  DETAIL_SOURCE: words('Credentials Internal Payload Webhook'),
  DETAIL_STATUS: words('Success Warning Failed Pending Queued ReadConfirmation'),
  DIGEST: words('regular backoff timed'),
  DIRECTION: words('ASC DESC'),
  EVENT: ['event'],
  FILTER: words('BOOLEAN TEXT DATE NUMBER STATEMENT LIST MULTI_LIST GROUP'),
  FILTER_GROUP: words('AND OR'),
  FILTER_OPERATOR: words(`LARGER SMALLER LARGER_EQUAL SMALLER_EQUAL EQUAL NOT_EQUAL ALL_IN ANY_IN NOT_IN BETWEEN
    NOT_BETWEEN LIKE NOT_LIKE IN`),
  FILTER_SOURCE: words('subscriber payload'),
  MESSAGE_STATUS: words('sent error warning'),
  MONTHLY: words('each on'),
  ORDINAL: words('1 2 3 4 5 last'),
  ORDINAL_VALUE: words('day weekday weekend sunday monday tuesday wednesday thursday friday saturday'),
  REGULAR: ['regular'],
  REGULAR_DIGEST: words('regular backoff'),
  SCHEDULED: ['scheduled'],
  TIMED_DIGEST: ['timed'],
  ORIGIN: words('platform-cloud platform-cloud-v1 external'),
  PROVIDER: [
    ...words(`emailjs mailgun mailjet mandrill nodemailer postmark sendgrid sendinblue ses netcore infobip-email resend
      plunk mailersend mailtrap clickatell outlook365 platform-email sparkpost email-webhook braze nexmo plivo sms77
      sms-central sns telnyx twilio gupshup firetext infobip-sms burst-sms bulk-sms isend-sms forty-six-elks kannel
      maqsam termii africas-talking platform-sms sendchamp generic-sms clicksend bandwidth messagebird simpletexting
      azure-sms ring-central brevo-sms eazy-sms mobishastra afro-message unifonic smsmode imedia sinch platform`),
    ...CHANNEL_PROVIDER,
  ],
  SEVERITY: words('high medium low none'),
  STEP: words('in_app email sms chat push digest trigger delay throttle custom'),
  TRIGGER_STATUS: words(`error trigger_not_active no_workflow_active_steps_defined no_workflow_steps_defined processed
    no_tenant_found invalid_recipients`),
  UNIT: words('seconds minutes hours days weeks months'),
};

const same = (type: string, names: string): Fields => Object.fromEntries(words(names).map((name) => [name, type]));

const TIMED = {
  ...{ atTime: 'string?', weekDays: 'DAY[]?', ordinal: 'ORDINAL?', ordinalValue: 'ORDINAL_VALUE?' },
  ...{ monthlyType: 'MONTHLY?' },
};

const PAGE = { hasMore: 'boolean', pageSize: 'number', page: 'number' };
const CURSOR = {
  ...{ next: 'string|null', previous: 'string|null' },
  ...{ totalCount: 'number', totalCountCapped: 'boolean' },
};

const STEP = {
  ...same('string?', '_id uuid name _templateId _parentId'),
  ...same('boolean?', 'active shouldStopOnFail'),
  ...{ template: 'object?', filters: 'StepFilter[]?', metadata: 'StepMetadata?', replyCallback: 'ReplyCallback?' },
};

export const SCHEMAS: Record<string, Fields> = {
  Subscriber: {
    ...{ _id: 'string?', subscriberId: 'string' },
    ...same('string|null?', 'firstName lastName email phone avatar locale lastOnlineAt timezone'),
    ...{ channels: 'ChannelSettings[]?', topics: 'string[]?', isOnline: 'boolean|null?', __v: 'number?' },
    ...{ data: 'object|null?', deleted: 'boolean' },
    ...same('string', '_organizationId _environmentId createdAt updatedAt'),
  },
  ChannelSettings: {
    ...{ providerId: 'CHANNEL_PROVIDER', integrationIdentifier: 'string?' },
    ...{ credentials: 'ChannelCredentials', _integrationId: 'string' },
  },
  ChannelCredentials: {
    ...same('string?', 'webhookUrl channel alertUid title imageUrl state externalUrl'),
    deviceTokens: 'string[]?',
  },
  Integration: {
    ...{ _id: 'string?', deletedAt: 'string?', deletedBy: 'string?', channel: 'CHANNEL' },
    ...same('string', '_environmentId _organizationId name identifier providerId'),
    ...same('boolean', 'active deleted primary'),
    ...{ credentials: 'Credentials', configurations: 'Configurations?', conditions: 'StepFilter[]?' },
  },
  Credentials: {
    ...same(
      'string?',
      `apiKey user secretKey domain password host port region accountSid messageProfileId token from senderName
      projectName applicationId clientId baseUrl webhookUrl redirectUrl serviceAccount ipPoolName apiKeyRequestHeader
      secretKeyRequestHeader idPath datePath apiToken authenticationTokenKey instanceId alertUid title imageUrl state
      externalLink channelId phoneNumberIdentification accessKey appSid senderId AppIOBaseUrl`,
    ),
    ...same('boolean?', 'secure requireTls ignoreTls hmac authenticateByToken'),
    tlsOptions: 'object?',
  },
  Configurations: { inboundWebhookEnabled: 'boolean?', inboundWebhookSigningKey: 'string?' },
  StepFilter: { isNegated: 'boolean', type: 'FILTER', value: 'FILTER_GROUP', children: 'FieldFilterPart[]' },
  FieldFilterPart: { field: 'string', value: 'string', operator: 'FILTER_OPERATOR', on: 'FILTER_SOURCE' },
  Topic: { ...same('string', '_id key'), ...same('string?', 'name createdAt updatedAt') },
  TopicSubscription: { _id: 'string', createdAt: 'string', topic: 'Topic', subscriber: 'SubscriberSummary' },
  SubscriberSummary: {
    ...same('string', '_id subscriberId'),
    ...same('string|null?', 'avatar firstName lastName email'),
  },
  FeedItem: {
    ...same(
      'string',
      '_id _templateId _environmentId _organizationId _notificationId _subscriberId _jobId transactionId content',
    ),
    ...same('string|null?', '_feedId createdAt updatedAt templateIdentifier providerId subject'),
    ...{ _messageTemplateId: 'string?', actor: 'Actor?', subscriber: 'FeedSubscriber?', channel: 'CHANNEL' },
    ...{ read: 'boolean', seen: 'boolean', deviceTokens: 'string[]|null?', cta: 'MessageCta' },
    ...{ status: 'MESSAGE_STATUS', payload: 'object?', data: 'object|null?', overrides: 'object?' },
    tags: 'string[]|null?',
  },
  Actor: { data: 'string|null', type: 'ACTOR' },
  FeedSubscriber: { ...same('string?', '_id firstName lastName avatar'), subscriberId: 'string' },
  MessageCta: { type: 'CTA?', data: 'CtaData?', action: 'MessageAction?' },
  CtaData: { url: 'string?' },
  MessageAction: { status: 'ACTION_STATUS?', buttons: 'MessageButton[]?', result: 'ActionResult?' },
  ActionResult: { payload: 'object?', type: 'BUTTON?' },
  MessageButton: { type: 'BUTTON', content: 'string', resultContent: 'string?' },
  Message: {
    ...same('string|null?', '_templateId _messageTemplateId _feedId'),
    ...same('string', '_environmentId _organizationId _notificationId _subscriberId createdAt transactionId'),
    ...same(
      'string?',
      `_id templateIdentifier lastSeenDate lastReadDate snoozedUntil subject email phone directWebhookUrl providerId
      title errorId errorText`,
    ),
    ...{ subscriber: 'Subscriber?', template: 'Workflow?', deliveredAt: 'string[]?', channel: 'CHANNEL' },
    ...{ content: 'EmailBlock[]/string?', read: 'boolean', seen: 'boolean', deviceTokens: 'string[]?' },
    ...{ cta: 'MessageCta', status: 'MESSAGE_STATUS', payload: 'object?', overrides: 'object?' },
    contextKeys: 'string[]?',
  },
  EmailBlock: { type: 'BLOCK', content: 'string', url: 'string?', styles: 'EmailBlockStyles?' },
  EmailBlockStyles: { textAlign: 'ALIGN?' },
  Workflow: {
    ...same('string?', '_id _parentId'),
    ...same(
      'string',
      'name description _organizationId _creatorId _environmentId _notificationGroupId deletedAt deletedBy',
    ),
    ...same('boolean', 'active draft critical deleted'),
    ...{ preferenceSettings: 'PreferenceSettings', tags: 'string[]', steps: 'NotificationStep[]' },
    ...{ triggers: 'NotificationTrigger[]', notificationGroup: 'NotificationGroup?' },
    ...{ data: 'object?', workflowIntegrationStatus: 'object?' },
  },
  NotificationGroup: {
    ...same('string?', '_id _parentId'),
    ...same('string', 'name _environmentId _organizationId'),
  },
  PreferenceSettings: same('boolean?', 'email sms in_app chat push'),
  NotificationTrigger: {
    ...{ type: 'EVENT', identifier: 'string' },
    ...{ variables: 'TriggerVariable[]', subscriberVariables: 'TriggerVariable[]?' },
  },
  TriggerVariable: { name: 'string' },
  NotificationStep: { ...STEP, variants: 'StepVariant[]?' },
  StepVariant: STEP,
  ReplyCallback: { active: 'boolean?', url: 'string?' },
  DigestRegularMetadata: {
    ...{ type: 'REGULAR_DIGEST', amount: 'number?', unit: 'UNIT?', digestKey: 'string?' },
    ...{ backoff: 'boolean?', backoffAmount: 'number?', backoffUnit: 'UNIT?', updateMode: 'boolean?' },
  },
  DigestTimedMetadata: {
    ...{ type: 'TIMED_DIGEST', amount: 'number?', unit: 'UNIT?', digestKey: 'string?' },
    timed: 'TimedConfig?',
  },
  DelayRegularMetadata: { type: 'REGULAR', amount: 'number?', unit: 'UNIT?' },
  DelayScheduledMetadata: { type: 'SCHEDULED', delayPath: 'string' },
  TimedConfig: { ...TIMED, monthDays: 'string[]?' },
  Notification: {
    ...same('string', '_environmentId _organizationId _subscriberId transactionId'),
    ...same('string?', '_id _templateId _digestedNotificationId createdAt updatedAt'),
    ...{ channels: 'STEP[]?', subscriber: 'NotificationSubscriber?', template: 'NotificationTemplate?' },
    ...{ jobs: 'Job[]?', payload: 'object?', controls: 'object?', to: 'object?', tags: 'string[]?' },
    ...{ topics: 'NotificationTopic[]?', severity: 'SEVERITY?', critical: 'boolean?', contextKeys: 'string[]?' },
  },
  NotificationSubscriber: {
    ...same('string', '_id subscriberId'),
    ...same('string?', 'firstName lastName email phone'),
  },
  NotificationTemplate: { _id: 'string?', name: 'string', origin: 'ORIGIN?', triggers: 'NotificationTrigger[]' },
  NotificationTopic: same('string', '_topicId topicKey'),
  Job: {
    ...{ _id: 'string', type: 'STEP', digest: 'JobDigest?', executionDetails: 'ExecutionDetail[]' },
    ...{ step: 'JobStep', overrides: 'object?', payload: 'object?', providerId: 'PROVIDER', status: 'string' },
    ...{ updatedAt: 'string?', scheduleExtensionsCount: 'number?' },
  },
  JobDigest: {
    ...{ type: 'DIGEST', digestKey: 'string?', amount: 'number?', unit: 'UNIT?', events: 'object[]?' },
    ...{ backoff: 'boolean?', backoffAmount: 'number?', backoffUnit: 'UNIT?', updateMode: 'boolean?' },
    timed: 'JobTimed?',
  },
  JobTimed: { ...TIMED, monthDays: 'number[]?', cronExpression: 'string?', untilDate: 'string?' },
  ExecutionDetail: {
    ...{ _id: 'string', createdAt: 'string?', status: 'DETAIL_STATUS', detail: 'string', isRetry: 'boolean' },
    ...{ isTest: 'boolean', providerId: 'PROVIDER?', raw: 'string|null?', source: 'DETAIL_SOURCE' },
  },
  JobStep: {
    ...{ _id: 'string', active: 'boolean', filters: 'StepFilter[]', _templateId: 'string' },
    ...same('object?', 'replyCallback controlVariables metadata issues template'),
    ...{ variants: 'JobStep[]?', name: 'string?', _parentId: 'string|null?' },
  },
  TriggerResult: {
    ...{ acknowledged: 'boolean', status: 'TRIGGER_STATUS', error: 'string[]?', transactionId: 'string?' },
  },
  FeedPage: { ...PAGE, data: 'FeedItem[]', totalCount: 'number?' },
  MessagePage: { ...PAGE, data: 'Message[]', totalCount: 'number?' },
  NotificationPage: { ...PAGE, data: 'Notification[]' },
  SubscriberPage: { ...CURSOR, data: 'Subscriber[]' },
  TopicPage: { ...CURSOR, data: 'Topic[]' },
  TopicSubscriptionPage: { ...CURSOR, data: 'TopicSubscription[]' },
};

/** The forms of a schema that is one of several. */
export const UNIONS: Record<string, string[]> = {
  StepMetadata: ['DigestRegularMetadata', 'DigestTimedMetadata', 'DelayRegularMetadata', 'DelayScheduledMetadata'],
};

const LIST = { ...same('string?', 'after before orderBy'), orderDirection: 'DIRECTION?', includeCursor: 'boolean?' };
const PROFILE = {
  ...same('string?', 'firstName lastName email phone avatar timezone locale'),
  data: 'object?',
};
const FILTER_INPUT = {
  ...{ isNegated: 'boolean?', type: 'FILTER?', value: 'FILTER_GROUP?', children: 'FieldFilterPart[]' },
};
const INTEGRATION = {
  ...same('string?', 'name identifier _environmentId'),
  ...{ active: 'boolean?', credentials: 'Credentials?', check: 'boolean?', conditions: 'StepFilterInput[]?' },
  configurations: 'object?',
};

/** The bodies of requests. */
export const INPUTS: Record<string, Fields> = {
  StepFilterInput: FILTER_INPUT,
  UpdateCredentials: {
    ...{ providerId: 'CHANNEL_PROVIDER', integrationIdentifier: 'string?', credentials: 'ChannelCredentials' },
  },
  CreateSubscriber: { ...PROFILE, subscriberId: 'string' },
  PatchSubscriber: PROFILE,
  UpdateIntegration: INTEGRATION,
  CreateIntegration: { ...INTEGRATION, providerId: 'string', channel: 'CHANNEL' },
  CreateTopic: { key: 'string 1..100', name: 'string? 0..100' },
  BulkTrigger: { events: 'Event[] ..100' },
  Event: {
    ...{ name: 'string', payload: 'object?', overrides: 'object?', to: 'Recipient[]', transactionId: 'string?' },
    ...{ actor: 'string?', tenant: 'string?', context: 'object?' },
  },
  Recipient: { ...PROFILE, subscriberId: 'string', channels: 'RecipientChannel[]?' },
  RecipientChannel: {
    ...{ providerId: 'CHANNEL_PROVIDER', integrationIdentifier: 'string?', credentials: 'RecipientCredentials' },
  },
  RecipientCredentials: { webhookUrl: 'string?', deviceTokens: 'string[]?' },
};

export type InterfaceOperation = { path?: string[]; query?: Fields; body?: string; status: number; answer: string };

export const OPERATIONS: Record<string, InterfaceOperation> = {
  'PUT /v1/subscribers/{subscriberId}/credentials': {
    ...{ path: ['subscriberId'], body: 'UpdateCredentials' },
    ...{ status: 200, answer: 'Subscriber' },
  },
  'POST /v2/subscribers': {
    ...{ query: { failIfExists: 'boolean?' }, body: 'CreateSubscriber' },
    ...{ status: 201, answer: 'Subscriber' },
  },
  'PATCH /v2/subscribers/{subscriberId}': {
    ...{ path: ['subscriberId'], body: 'PatchSubscriber' },
    ...{ status: 200, answer: 'Subscriber' },
  },
  'GET /v1/subscribers/{subscriberId}/notifications/feed': {
    path: ['subscriberId'],
    query: {
      ...{ page: 'number?', limit: 'number? ..100 =10', read: 'boolean?', seen: 'boolean?', payload: 'string?' },
    },
    ...{ status: 200, answer: 'FeedPage' },
  },
  'GET /v2/subscribers': {
    query: { ...LIST, ...same('string?', 'email name phone subscriberId'), limit: 'number? ..*' },
    ...{ status: 200, answer: 'SubscriberPage' },
  },
  'GET /v2/topics/{topicKey}/subscriptions': {
    path: ['topicKey'],
    query: { ...LIST, limit: 'number? ..100', subscriberId: 'string?' },
    ...{ status: 200, answer: 'TopicSubscriptionPage' },
  },
  'PUT /v1/integrations/{integrationId}': {
    ...{ path: ['integrationId'], body: 'UpdateIntegration' },
    ...{ status: 200, answer: 'Integration' },
  },
  'POST /v1/integrations': { body: 'CreateIntegration', status: 201, answer: 'Integration' },
  'DELETE /v1/integrations/{integrationId}': { path: ['integrationId'], status: 200, answer: 'Integration[]' },
  'GET /v2/topics': {
    query: { ...LIST, limit: 'number? ..100', key: 'string?', name: 'string?' },
    ...{ status: 200, answer: 'TopicPage' },
  },
  'POST /v2/topics': {
    ...{ query: { failIfExists: 'boolean?' }, body: 'CreateTopic' },
    ...{ status: 201, answer: 'Topic' },
  },
  'GET /v1/messages': {
    query: {
      ...{ channel: 'CHANNEL?', subscriberId: 'string?', transactionId: 'string[]?', contextKeys: 'string[]?' },
      ...{ page: 'number? =0', limit: 'number? ..* =10' },
    },
    ...{ status: 200, answer: 'MessagePage' },
  },
  'POST /v1/events/trigger/bulk': { body: 'BulkTrigger', status: 201, answer: 'TriggerResult[]' },
  'GET /v1/notifications': {
    query: {
      ...same('string[]?', 'channels templates emails subscriberIds severity contextKeys'),
      ...same('string?', 'search transactionId topicKey after before'),
      ...{ page: 'number? 0.. =0', limit: 'number? 1..50 =10' },
    },
    ...{ status: 200, answer: 'NotificationPage' },
  },
  'GET /v1/notifications/{notificationId}': { path: ['notificationId'], status: 200, answer: 'Notification' },
};
