/**
 * The words of Clarion. Read this file first: every list below is the single source of its kind, and each union type is
 * derived from the list, so a value that is not here does not compile.
 *
 * trigger        one accepted event: a workflow, recipients, a payload
 * notification   one trigger for one subscriber (the interface's "event" in the activity API)
 * step           one step of one notification (the interface's "job")
 * message        what one channel step produced for one address
 * detail         one line of the record of a step, the thing the on-call engineer reads
 */

/** Channels through which a message can reach a subscriber. */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Every kind of step; `trigger` is kept because the interface lists it among the activity's channels. */
export const STEP_TYPES = [...CHANNELS, 'digest', 'trigger', 'delay', 'throttle', 'custom'] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** Step types a workflow author may use. */
export const AUTHORED_STEP_TYPES = [...CHANNELS, 'digest', 'delay', 'throttle', 'custom'] as const;
export type AuthoredStepType = (typeof AUTHORED_STEP_TYPES)[number];

export const EMAIL_PROVIDERS = [
  'emailjs',
  'mailgun',
  'mailjet',
  'mandrill',
  'nodemailer',
  'postmark',
  'sendgrid',
  'sendinblue',
  'ses',
  'netcore',
  'infobip-email',
  'resend',
  'plunk',
  'mailersend',
  'mailtrap',
  'outlook365',
  'platform-email',
  'sparkpost',
  'email-webhook',
  'braze',
] as const;

export const SMS_PROVIDERS = [
  'clickatell',
  'nexmo',
  'plivo',
  'sms77',
  'sms-central',
  'sns',
  'telnyx',
  'twilio',
  'gupshup',
  'firetext',
  'infobip-sms',
  'burst-sms',
  'bulk-sms',
  'isend-sms',
  'forty-six-elks',
  'kannel',
  'maqsam',
  'termii',
  'africas-talking',
  'platform-sms',
  'sendchamp',
  'generic-sms',
  'clicksend',
  'bandwidth',
  'messagebird',
  'simpletexting',
  'azure-sms',
  'ring-central',
  'brevo-sms',
  'eazy-sms',
  'mobishastra',
  'afro-message',
  'unifonic',
  'smsmode',
  'imedia',
  'sinch',
] as const;

export const PUSH_PROVIDERS = [
  'fcm',
  'apns',
  'expo',
  'one-signal',
  'pushpad',
  'push-webhook',
  'pusher-beams',
  'appio',
] as const;

export const CHAT_PROVIDERS = [
  'slack',
  'discord',
  'msteams',
  'mattermost',
  'ryver',
  'zulip',
  'grafana-on-call',
  'getstream',
  'rocket-chat',
  'whatsapp-business',
  'chat-webhook',
  'platform-slack',
] as const;

export const IN_APP_PROVIDERS = ['platform'] as const;

/** Every provider id of the interface (spec 2.12, "job provider enum"). */
export const PROVIDER_IDS = [
  ...EMAIL_PROVIDERS,
  ...SMS_PROVIDERS,
  ...PUSH_PROVIDERS,
  ...IN_APP_PROVIDERS,
  ...CHAT_PROVIDERS,
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Providers a subscriber can hold credentials for (spec 2.2). */
export const CHANNEL_PROVIDER_IDS = [...CHAT_PROVIDERS, ...PUSH_PROVIDERS] as const;
export type ChannelProviderId = (typeof CHANNEL_PROVIDER_IDS)[number];

/** Providers by channel; also tells which channel a provider id belongs to. */
export const PROVIDERS_BY_CHANNEL: Record<Channel, readonly ProviderId[]> = {
  in_app: IN_APP_PROVIDERS,
  email: EMAIL_PROVIDERS,
  sms: SMS_PROVIDERS,
  chat: CHAT_PROVIDERS,
  push: PUSH_PROVIDERS,
};

/** Channels of which one integration is the default choice, the primary one. */
export const PRIMARY_CHANNELS: readonly Channel[] = ['email', 'sms'];

/** The provider id that steps without a provider of their own (digest, delay, ...) carry. */
export const BUILT_IN_PROVIDER = 'platform' satisfies ProviderId;

/**
 * Built-in providers that deliver into the outbox of the environment, so that messages can be seen without an account
 * anywhere. They step back as soon as a channel has a real one.
 */
export const DEMO_PROVIDERS = ['platform-email', 'platform-sms', 'platform-slack'] as const satisfies ProviderId[];

export const isDemoProvider = (providerId: string): boolean =>
  (DEMO_PROVIDERS as readonly string[]).includes(providerId);

export const TRIGGER_STATUSES = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'processed',
  'no_tenant_found',
  'invalid_recipients',
] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

export const STEP_STATUSES = [
  'pending',
  'queued',
  'running',
  'completed',
  'failed',
  'delayed',
  'canceled',
  'merged',
  'skipped',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const MESSAGE_STATUSES = ['sent', 'error', 'warning'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const DETAIL_STATUSES = ['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation'] as const;
export type DetailStatus = (typeof DETAIL_STATUSES)[number];

export const DETAIL_SOURCES = ['Credentials', 'Internal', 'Payload', 'Webhook'] as const;
export type DetailSource = (typeof DETAIL_SOURCES)[number];

export const SEVERITIES = ['high', 'medium', 'low', 'none'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const FILTER_TYPES = ['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP'] as const;
export type FilterType = (typeof FILTER_TYPES)[number];

export const FILTER_GROUP_VALUES = ['AND', 'OR'] as const;
export type FilterGroupValue = (typeof FILTER_GROUP_VALUES)[number];

export const FILTER_OPERATORS = [
  'LARGER',
  'SMALLER',
  'LARGER_EQUAL',
  'SMALLER_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ALL_IN',
  'ANY_IN',
  'NOT_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
  'IN',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export const FILTER_SOURCES = ['subscriber', 'payload'] as const;
export type FilterSource = (typeof FILTER_SOURCES)[number];

export const TIME_UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

export const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

export const ORDINALS = ['1', '2', '3', '4', '5', 'last'] as const;
export const ORDINAL_VALUES = ['day', 'weekday', 'weekend', ...WEEK_DAYS] as const;
export const MONTHLY_TYPES = ['each', 'on'] as const;

export const DIGEST_TYPES = ['regular', 'backoff', 'timed'] as const;
export type DigestType = (typeof DIGEST_TYPES)[number];

export const WORKFLOW_ORIGINS = ['platform-cloud', 'platform-cloud-v1', 'external'] as const;
export type WorkflowOrigin = (typeof WORKFLOW_ORIGINS)[number];

export const WORKFLOW_STATUSES = ['ACTIVE', 'INACTIVE', 'ERROR'] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

export const ACTOR_TYPES = ['none', 'user', 'system_icon', 'system_custom'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export const BUTTON_TYPES = ['primary', 'secondary'] as const;
export type ButtonType = (typeof BUTTON_TYPES)[number];

export const ACTION_STATUSES = ['pending', 'done'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** What a subscriber does to an in-app message, each with what it implies (libs/persistence, InboxRepository). */
export const MESSAGE_MARKS = ['read', 'unread', 'seen', 'unseen', 'archived', 'unarchived'] as const;
export type MessageMark = (typeof MESSAGE_MARKS)[number];

export const REDIRECT_TARGETS = ['_self', '_blank', '_parent', '_top', '_unfencedTop'] as const;
export type RedirectTarget = (typeof REDIRECT_TARGETS)[number];

export const ORDER_DIRECTIONS = ['ASC', 'DESC'] as const;
export type OrderDirection = (typeof ORDER_DIRECTIONS)[number];

/**
 * What an API key may do. `trigger` posts events, `read` reads, `full` does everything in the environment of the key,
 * `admin` also creates environments and manages the keys of all environments of the organization.
 */
export const KEY_SCOPES = ['admin', 'full', 'read', 'trigger'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** How responses are spelt: as the interface describes them, or as the clients of `@novu/` parse them. */
export const DIALECTS = ['spec', 'novu'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Who changed the configuration: an API key, the command line, or the first start. */
export const AUDIT_ACTOR_TYPES = ['key', 'cli', 'setup'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** What the audit log records changes of. */
export const AUDIT_RESOURCES = [
  'api_key',
  'context',
  'environment',
  'integration',
  'layout',
  'organization',
  'suppression',
  'tenant',
  'workflow',
] as const;
export type AuditResource = (typeof AUDIT_RESOURCES)[number];

export const AUDIT_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export const ENVIRONMENT_TYPES = ['dev', 'prod'] as const;
export type EnvironmentType = (typeof ENVIRONMENT_TYPES)[number];

/** Numbers of the interface (spec section 8 and design section 9), in one place. */
export const LIMITS = {
  keyAddresses: 50,
  bulkEvents: 100,
  bulkSubscribers: 500,
  /** Channels, and topics, that one subscriber of a bulk import brings. */
  importedChannels: 20,
  importedTopics: 20,
  /** Events or messages, the newest ones, among which `status`, `detail` and the like are looked for when nothing narrower is given. */
  searchedHistory: 10_000,
  /** Lines of the summary of one transaction. */
  summaryLines: 1_000,
  recipients: 100,
  topicExclude: 100,
  topicSubscriptions: 100,
  /** Variables that a workflow is shown to read, of the payload and of the subscriber. */
  triggerVariables: 100,
  /** Topic keys that one subscriber is shown with. */
  subscriberTopics: 100,
  /** Workflows that one topic subscription may have preferences for, also when it names them by tag. */
  subscriptionPreferences: 100,
  contexts: 5,
  countCap: 50_000,
  deviceTokens: 100,
  stepsPerWorkflow: 20,
  variantsPerStep: 20,
  /** Bytes of the payload schema of one workflow. */
  payloadSchemaBytes: 64 * 1024,
  tags: 16,
  tagLength: 64,
  topicKey: 100,
  topicName: 100,
  /** Bytes of one event, attachments left out. */
  eventBytes: 512 * 1024,
  bodyBytes: 1024 * 1024,
  bulkBodyBytes: 8 * 1024 * 1024,
  /** Of all files of one event, decoded: what fits into `eventsBodyBytes` as base64. */
  attachmentBytes: 20_000_000,
  /** Workflows that the usage of a layout shows. */
  layoutUsers: 500,
  /** Files of one event. */
  attachments: 100,
  eventsBodyBytes: 26 * 1024 * 1024,
  /** Characters of a request's path and query, and of one parameter in the path. */
  url: 16 * 1024,
  pathParameter: 8 * 1024,
  /** Levels of objects and lists in one body; in a bulk call, in each element. */
  jsonDepth: 32,
  /** Values (texts, numbers, objects, lists, ...) in one body; in a bulk call, in each element. */
  jsonValues: 100_000,
  /** Values in a whole bulk call. Counted before it is parsed, because a small text can make millions of objects. */
  bulkJsonValues: 1_000_000,
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
  /** Bytes of the credentials, configurations and conditions of one integration. */
  integrationBytes: 64 * 1024,
  /** How far into a page-based list a caller may jump, in rows. */
  pageOffset: 10_000_000,
  messagesPage: 1_000,
  /** Subscribers that one filter of the events list may stand for. */
  searchedSubscribers: 1_000,
  /** The partial payload by which a feed is filtered. */
  feedPayloadBytes: 4 * 1024,
  feedPayloadDepth: 8,
  bulkPreferences: 100,
  /** Workflows in one answer about the preferences of a subscriber. */
  preferredWorkflows: 500,
  /** Time ranges of one day of a schedule. */
  rangesPerDay: 24,
  /** Unread, unseen and the like are counted so far and no further. */
  inboxCount: 100,
  inboxCountFilters: 30,
  /** Bytes of the partial data by which an inbox is filtered. */
  inboxDataBytes: 4 * 1024,
  /** Messages that one call names by id. */
  inboxIds: 100,
  inboxTagGroups: 20,
  snoozeDays: 180,
  /** Steps that one replay queues again. */
  replaySteps: 10_000,
  /** Recipients that a dry run explains: of one event, and of one call. */
  dryRunEventRecipients: 20,
  dryRunRecipients: 100,
  /** What an outbox keeps: the newest messages, and none older than this. Trimmed every hour. */
  outboxMessages: 1_000,
  outboxDays: 7,
} as const;

/** closed: calls go through. open: no calls until `until`, then a single one as a probe. paused: the provider asked for a pause. */
export const INTEGRATION_STATES = ['closed', 'open', 'paused'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

/** The part of an integration that the workers write. Times as ISO text. */
export type IntegrationHealth = { state: IntegrationState; since: string; until?: string; reason?: string };

/** Channels whose addresses can be suppressed. In chat it is the phone number, of the providers that send to one. */
export const SUPPRESSIBLE_CHANNELS = ['email', 'sms', 'chat'] as const satisfies Channel[];
export type SuppressibleChannel = (typeof SUPPRESSIBLE_CHANNELS)[number];

/** Why nothing is sent to an address: it does not exist, its owner called a message spam, or somebody of ours said so. */
export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'manual'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** What to do with a message that may or may not have been sent. */
export const IN_DOUBT_POLICIES = ['resend', 'hold'] as const;
export type InDoubtPolicy = (typeof IN_DOUBT_POLICIES)[number];
