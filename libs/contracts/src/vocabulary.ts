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
