/**
 * The closed lists of values that the interface and the rows use. Each list is the single source of its kind, and the
 * union type is derived from it, so a value that is not in the list does not compile. Step types, provider ids,
 * limits and execution details have files beside this one. docs/glossary.md defines the nouns.
 */

/** Channels through which a message can reach a subscriber. */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What a subscriber has besides the subscriberId. */
export const PROFILE_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'avatar',
  'locale',
  'timezone',
  'data',
] as const;

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

/**
 * The outcome of a channel step. delivered: it was handed to the provider or to the inbox. skipped: nothing was to be
 * sent. in_doubt: it may have been sent, and is held. The order decides about a notification: it has the first of these
 * outcomes that one of its channel steps has.
 */
export const OUTCOMES = ['in_flight', 'in_doubt', 'failed', 'delivered', 'skipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const MESSAGE_STATUSES = ['sent', 'error', 'warning'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const DETAIL_STATUSES = ['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation'] as const;
export type DetailStatus = (typeof DETAIL_STATUSES)[number];

export const DETAIL_SOURCES = ['Credentials', 'Internal', 'Payload', 'Webhook'] as const;
export type DetailSource = (typeof DETAIL_SOURCES)[number];

/** The rules that decide about a step, each under the name that an explanation shows. */
export const RULE_NAMES = [
  'workflow',
  'limits',
  'payload',
  'previous_steps',
  'hold',
  'conditions',
  'skip',
  'runIf',
  'preferences',
  'schedule',
  'timing',
  'integration',
  'content',
  'address',
  'suppression',
  'provider',
] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** Where the result of a rule comes from: an execution detail, or an evaluation by the rules of today. */
export const EVIDENCE_SOURCES = ['recorded', 'recomputed'] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

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

export const FILTER_SOURCES = ['subscriber', 'payload', 'steps'] as const;
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

/** What a subscriber does with an in-app message. InboxRepository applies the changes that each one implies. */
export type MessageMark = 'read' | 'unread' | 'seen' | 'unseen' | 'archived' | 'unarchived';

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

/** The spelling of responses: as the interface describes them, or as the clients of `@novu/` parse them. */
export const DIALECTS = ['spec', 'novu'] as const;
export type Dialect = (typeof DIALECTS)[number];

/**
 * What changed the configuration: a request with an API key, the command line, the operator over HTTP, the first start,
 * a person without a key, who opened a setup link or uses an inbox, or Clarion itself.
 */
export const AUDIT_ACTOR_TYPES = ['key', 'cli', 'operator', 'setup', 'person', 'system'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** The kinds of resources whose changes the audit log records. */
export const AUDIT_RESOURCES = [
  'api_key',
  'bulk_action',
  'channel_connection',
  'channel_endpoint',
  'context',
  'environment',
  'environment_variable',
  'hold',
  'inbox_secret',
  'integration',
  'layout',
  'mirror',
  'organization',
  'publish',
  'subscriber',
  'suppression',
  'tenant',
  'translation',
  'trigger',
  'webhook_endpoint',
  'workflow',
] as const;
export type AuditResource = (typeof AUDIT_RESOURCES)[number];

/** What can be published from one environment to another. */
export const PROMOTED_TYPES = ['workflow', 'layout', 'translation'] as const;
export type PromotedType = (typeof PROMOTED_TYPES)[number];

/** Where the resources of a publish came from. */
export const PUBLISH_ORIGINS = ['publish', 'sync', 'files', 'undo'] as const;
export type PublishOrigin = (typeof PUBLISH_ORIGINS)[number];

/** What is shown instead of a secret environment variable. */
export const SECRET_MASK = '••••••••';

/** What translations belong to. */
export const TRANSLATED_RESOURCES = ['workflow', 'layout'] as const;
export type TranslatedResource = (typeof TRANSLATED_RESOURCES)[number];

/** What a bulk action does with the items of its frozen set. */
export const BULK_ACTION_KINDS = ['replay', 'cancel'] as const;
export type BulkActionKind = (typeof BULK_ACTION_KINDS)[number];

/** planned: the set is frozen and waits for the confirmation. stopped: a caller stopped it, also before it ran. */
export const BULK_ACTION_STATES = ['planned', 'running', 'stopped', 'done'] as const;
export type BulkActionState = (typeof BULK_ACTION_STATES)[number];

/**
 * Why an item of a bulk action was left unchanged. A replay: the step was opened again (`open`), has run and ended
 * again (`ended_again`), has lost its payload (`redacted`), or no longer exists (`deleted`). A cancellation: no step
 * was open (`ended`), or a provider was being called (`sending`).
 */
export const UNCHANGED_REASONS = ['open', 'ended_again', 'redacted', 'deleted', 'ended', 'sending'] as const;
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number];

export const AUDIT_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export const ACTIVITY_FORMATS = ['csv', 'json'] as const;
export type ActivityFormat = (typeof ACTIVITY_FORMATS)[number];

export const ENVIRONMENT_TYPES = ['dev', 'prod'] as const;
export type EnvironmentType = (typeof ENVIRONMENT_TYPES)[number];

/** The demo providers send in `development` and `sandbox`; `production` never records a message as sent without one. */
export const ENVIRONMENT_KINDS = ['development', 'production', 'sandbox'] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** The kind of an environment that names none. */
export const kindOfType = (type: EnvironmentType): EnvironmentKind => (type === 'dev' ? 'development' : 'production');

/** Whether sessions of the inbox need a signature of a backend. */
export const INBOX_SIGNATURES = ['required', 'optional'] as const;
export type InboxSignatures = (typeof INBOX_SIGNATURES)[number];

/** The setting that applies. Without one, only production requires signatures. */
export const inboxSignaturesOf = (environment: {
  kind: EnvironmentKind;
  inboxSignatures: InboxSignatures | null;
}): InboxSignatures => environment.inboxSignatures ?? (environment.kind === 'production' ? 'required' : 'optional');

/** What happens to the steps of a channel without an active integration. */
export const WITHOUT_INTEGRATION = ['fail', 'hold'] as const;
export type WithoutIntegration = (typeof WITHOUT_INTEGRATION)[number];

/**
 * closed: calls are allowed. open: no calls until `until`, then one test call. paused: the provider asked to wait.
 * failing: calls are allowed, and none has sent a message for a while.
 */
export const INTEGRATION_STATES = ['closed', 'open', 'paused', 'failing'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

/** What can be held: its steps wait until it is resumed. */
export const HOLD_TARGETS = ['integration', 'channel', 'workflow', 'environment'] as const;
export type HoldTarget = (typeof HOLD_TARGETS)[number];

/** The beginning of the reason marks the holds of "hold installation" among those of the operator. */
export const INSTALLATION_HELD = 'The installation is held: ';

/** Why steps wait: a target was held, or a channel has no active integration and its environment lets them wait. */
export const HOLD_CAUSES = [...HOLD_TARGETS, 'missing_integration'] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/** What the use of the system is grouped by. */
export const USAGE_GROUPS = ['environment', 'workflow', 'integration', 'channel'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/**
 * What open work waits for, in the order in which the reasons are checked. `delayed`: its time has not come, which is
 * no reason to call it stuck.
 */
export const STUCK_REASONS = [
  'held',
  'running',
  'lease_ended',
  'in_doubt',
  'crashed',
  'no_integration',
  'provider_paused',
  'limit',
  'retry',
  'delayed',
  'unclaimed',
  'not_offered',
] as const;
export type StuckReason = (typeof STUCK_REASONS)[number];

/** What an open step of a notification waits for. */
export const WAIT_KINDS = [
  'queue',
  'hold',
  'retry',
  'rate_limit',
  'breaker',
  'earlier_step',
  'window',
  'delay',
  'digest',
] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/**
 * Why a due step is not done. More processes help `runnable` ones only: the others wait for an account or a budget. A
 * step that waits for an earlier one is not due: it is in the row of the earlier one.
 */
export const DUE_CAUSES = ['runnable', 'rate_limit', 'breaker', 'budget'] as const;
export type DueCause = (typeof DUE_CAUSES)[number];

/** What a reconciliation has read: of some hours only counted outcomes and open work, or all rows. */
export const AUDITED_BY = ['rollups', 'rows'] as const;
export type AuditedBy = (typeof AUDITED_BY)[number];

/** The parts of the time that a step takes. */
export const SPAN_KINDS = ['queue', 'hold', 'retry', 'render', 'provider'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** The limit that a step waits for: messages a second of an integration, or milliseconds a second of render time. */
export type LimitWait =
  | { figure: number; limit: 'rate_limit'; integrationId: string; integration: string }
  | { figure: number; limit: 'render_time' };
export type WaitedLimit = LimitWait['limit'];
export type NotedLimits = Partial<Record<WaitedLimit, true>>;

/** The health of an integration as the workers store it. Times are ISO 8601 text. */
export type IntegrationHealth = { state: IntegrationState; since: string; until?: string; reason?: string };

/** Channels whose addresses can be suppressed. In chat these are phone numbers, for providers that send to one. */
export const SUPPRESSIBLE_CHANNELS = ['email', 'sms', 'chat'] as const satisfies Channel[];
export type SuppressibleChannel = (typeof SUPPRESSIBLE_CHANNELS)[number];

/** Why an address is suppressed: it does not exist, its owner reported spam, or a caller added it. */
export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'manual'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** What a worker does with a message that is in doubt: it may or may not have been sent. */
export const IN_DOUBT_POLICIES = ['resend', 'hold'] as const;
export type InDoubtPolicy = (typeof IN_DOUBT_POLICIES)[number];

/** What the event log of an environment records. */
export const LOG_ENTRY_TYPES = [
  'message.sent',
  'message.delivered',
  'message.failed',
  'message.seen',
  'message.read',
  'message.unread',
  'message.archived',
  'message.unarchived',
  'message.snoozed',
  'message.unsnoozed',
  'message.deleted',
  'workflow.created',
  'workflow.updated',
  'workflow.published',
  'workflow.deleted',
  'preference.updated',
  'integration.unavailable',
  'integration.failing',
  'integration.available',
  'webhook_endpoint.disabled',
] as const;
export type LogEntryType = (typeof LOG_ENTRY_TYPES)[number];

/** The type of the entry that a test of a webhook endpoint sends. It is in no event log. */
export const TEST_ENTRY_TYPE = 'webhook_endpoint.test';

/** A webhook delivery waits for its first or next attempt, or has ended. */
export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

/** Which of the two systems sends to people while an environment is mirrored. */
export const MIRROR_SENDERS = ['other', 'clarion'] as const;
export type MirrorSender = (typeof MIRROR_SENDERS)[number];

export const MIRROR_STATES = ['off', 'running', 'ended'] as const;
export type MirrorState = (typeof MIRROR_STATES)[number];

/** What a copy repeats at the other system. */
export type MirrorCopyKind = 'trigger' | 'broadcast' | 'cancel';

/** waiting: to be sent. settling: sent, and compared when the time of its workflow has passed. */
export type MirrorCopyState = 'waiting' | 'settling';

/**
 * How the two systems differ about a copy. outcome: both have the subscriber and the channel, with another result.
 * missing: only Clarion has them. extra: only the other system has them. refused: the other system did not accept the
 * copy. failed: it could not be sent.
 */
export const MIRROR_DIFFERENCES = ['outcome', 'missing', 'extra', 'refused', 'failed'] as const;
export type MirrorDifferenceKind = (typeof MIRROR_DIFFERENCES)[number];

/**
 * What a mirror counts. Copies: sent, refused by the other system, failed after the last attempt. Of the sent triggers:
 * same, different, not compared. Of the outcomes of one subscriber and channel in compared triggers: outcomes...
 */
export const MIRROR_FIGURES = [
  'sent',
  'refused',
  'failed',
  'same',
  'different',
  'notCompared',
  'outcomesSame',
  'outcomesDifferent',
  'outcomesMissing',
  'outcomesExtra',
] as const;
export type MirrorFigure = (typeof MIRROR_FIGURES)[number];

/** The request header of a copy. Clarion never mirrors a trigger that has it, so two mirrors do not form a loop. */
export const MIRROR_HEADER = 'clarion-mirror';

/** Whether the steps behind a step that waits for a retry run meanwhile. */
export const WHILE_RETRYING = ['continue', 'wait'] as const;
export type WhileRetrying = (typeof WHILE_RETRYING)[number];
