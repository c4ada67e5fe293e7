/** Every table, in the order of the migrations. */
import { Organization } from './tenancy/organization.entity';
import { Environment } from './tenancy/environment.entity';
import { FormerIdentifier } from './authoring/former-identifier.entity';
import { EnvironmentContent } from './authoring/environment-content.entity';
import { EnvironmentLimit } from './tenancy/environment-limit.entity';
import { EnvironmentVariable } from './authoring/environment-variable.entity';
import { Translation } from './authoring/translation.entity';
import { GatewayProcess } from './operations/gateway-process.entity';
import { ApiKey } from './tenancy/api-key.entity';
import { InboxSecret } from './inbox/inbox-secret.entity';
import { Subscriber } from './audience/subscriber.entity';
import { Integration } from './channels/integration.entity';
import { SubscriberChannel } from './audience/subscriber-channel.entity';
import { Topic } from './audience/topic.entity';
import { TopicSubscription } from './audience/topic-subscription.entity';
import { Workflow } from './authoring/workflow.entity';
import { WorkflowVersion } from './authoring/workflow-version.entity';
import { Layout } from './authoring/layout.entity';
import { Tenant } from './audience/tenant.entity';
import { Context } from './audience/context.entity';
import { Preference } from './audience/preference.entity';
import { Transaction } from './work/transaction.entity';
import { OpenDigest } from './work/open-digest.entity';
import { StepWindow } from './work/step-window.entity';
import { Attachment } from './work/attachment.entity';
import { OutboxMessage } from './history/outbox-message.entity';
import { DeliveryEventRecord } from './history/delivery-event.entity';
import { Suppression } from './audience/suppression.entity';
import { IdempotencyRecord } from './tenancy/idempotency-record.entity';
import { Work } from './work/work.entity';
import { Claim } from './work/claim.entity';
import { Sweep } from './work/sweep.entity';
import { MaintenanceRun } from './operations/maintenance.entity';
import { Trigger } from './work/trigger.entity';
import { Notification } from './history/notification.entity';
import { Step } from './history/step.entity';
import { Message } from './history/message.entity';
import { ExecutionDetail } from './history/execution-detail.entity';
import { AuditLogEntry } from './operations/audit-log-entry.entity';
import { OutcomeCount, OutcomeDelta } from './history/outcome-count.entity';
import { ReplayedFailure } from './history/replayed-failure.entity';
import { Session } from './tenancy/session.entity';
import { SignInToken } from './tenancy/sign-in-token.entity';
import { BulkAction, BulkActionItem } from './operations/bulk-action.entity';
import { Hold } from './operations/hold.entity';
import { Publish } from './authoring/publish.entity';
import { SendRate } from './channels/send-rate.entity';
import { ImportRun } from './operations/import-run.entity';
import { Presence, PresenceLease } from './inbox/presence.entity';
import { ChannelConnection } from './channels/channel-connection.entity';
import { ChannelEndpoint } from './channels/channel-endpoint.entity';
import { SetupLink } from './channels/setup-link.entity';
import { EventLog, EventLogBatch, EventLogEntry, NewLogBatch, NewLogEntry } from './history/event-log.entity';
import { Mirror, MirrorCopy, MirrorDifference } from './operations/mirror.entity';
import { WebhookDelivery, WebhookEndpoint } from './channels/webhook.entity';
import { Redaction } from './history/redaction.entity';

export * from './tenancy/organization.entity';
export * from './tenancy/environment.entity';
export * from './authoring/environment-content.entity';
export * from './tenancy/environment-limit.entity';
export * from './authoring/environment-variable.entity';
export * from './operations/gateway-process.entity';
export * from './channels/send-rate.entity';
export * from './tenancy/api-key.entity';
export * from './inbox/inbox-secret.entity';
export * from './audience/subscriber.entity';
export * from './channels/integration.entity';
export * from './audience/subscriber-channel.entity';
export * from './audience/topic.entity';
export * from './audience/topic-subscription.entity';
export * from './authoring/workflow.entity';
export * from './authoring/workflow-version.entity';
export * from './authoring/layout.entity';
export * from './authoring/translation.entity';
export * from './audience/tenant.entity';
export * from './audience/context.entity';
export * from './audience/preference.entity';
export * from './work/transaction.entity';
export * from './work/open-digest.entity';
export * from './work/step-window.entity';
export * from './work/attachment.entity';
export * from './history/outbox-message.entity';
export * from './history/delivery-event.entity';
export * from './audience/suppression.entity';
export * from './tenancy/idempotency-record.entity';
export * from './work/work.entity';
export * from './work/claim.entity';
export * from './work/sweep.entity';
export * from './work/trigger.entity';
export * from './history/notification.entity';
export * from './history/step.entity';
export * from './history/message.entity';
export * from './history/execution-detail.entity';
export * from './operations/audit-log-entry.entity';
export * from './history/outcome-count.entity';
export * from './tenancy/session.entity';
export * from './tenancy/sign-in-token.entity';
export * from './operations/bulk-action.entity';
export * from './operations/hold.entity';
export * from './authoring/publish.entity';
export * from './operations/import-run.entity';
export * from './inbox/presence.entity';
export * from './channels/channel-connection.entity';
export * from './channels/channel-endpoint.entity';
export * from './channels/setup-link.entity';
export * from './history/event-log.entity';
export * from './operations/mirror.entity';
export * from './channels/webhook.entity';
export * from './history/redaction.entity';

export const ENTITIES = [
  Organization,
  Environment,
  FormerIdentifier,
  ApiKey,
  InboxSecret,
  Subscriber,
  Integration,
  SubscriberChannel,
  Topic,
  TopicSubscription,
  Workflow,
  WorkflowVersion,
  Layout,
  Tenant,
  Context,
  Preference,
  Transaction,
  OpenDigest,
  StepWindow,
  Attachment,
  OutboxMessage,
  DeliveryEventRecord,
  Suppression,
  IdempotencyRecord,
  Redaction,
  Work,
  Claim,
  Sweep,
  MaintenanceRun,
  Trigger,
  Notification,
  Step,
  Message,
  ExecutionDetail,
  AuditLogEntry,
  OutcomeDelta,
  OutcomeCount,
  ReplayedFailure,
  Session,
  SignInToken,
  BulkAction,
  BulkActionItem,
  Hold,
  Publish,
  EnvironmentLimit,
  GatewayProcess,
  SendRate,
  Presence,
  PresenceLease,
  ChannelConnection,
  ChannelEndpoint,
  SetupLink,
  NewLogEntry,
  NewLogBatch,
  EventLog,
  EventLogEntry,
  EventLogBatch,
  WebhookEndpoint,
  WebhookDelivery,
  Mirror,
  MirrorCopy,
  MirrorDifference,
  EnvironmentContent,
  EnvironmentVariable,
  Translation,
  ImportRun,
];
