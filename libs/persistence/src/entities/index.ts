/** Every table, in the order of the migrations. */
import { Organization } from './organization.entity';
import { Environment } from './environment.entity';
import { FormerIdentifier } from './former-identifier.entity';
import { EnvironmentContent } from './environment-content.entity';
import { EnvironmentLimit } from './environment-limit.entity';
import { EnvironmentVariable } from './environment-variable.entity';
import { Translation } from './translation.entity';
import { GatewayProcess } from './gateway-process.entity';
import { ApiKey } from './api-key.entity';
import { InboxSecret } from './inbox-secret.entity';
import { Subscriber } from './subscriber.entity';
import { Integration } from './integration.entity';
import { SubscriberChannel } from './subscriber-channel.entity';
import { Topic } from './topic.entity';
import { TopicSubscription } from './topic-subscription.entity';
import { Workflow } from './workflow.entity';
import { WorkflowVersion } from './workflow-version.entity';
import { Layout } from './layout.entity';
import { Tenant } from './tenant.entity';
import { Context } from './context.entity';
import { Preference } from './preference.entity';
import { Transaction } from './transaction.entity';
import { OpenDigest } from './open-digest.entity';
import { StepWindow } from './step-window.entity';
import { Attachment } from './attachment.entity';
import { OutboxMessage } from './outbox-message.entity';
import { DeliveryEventRecord } from './delivery-event.entity';
import { Suppression } from './suppression.entity';
import { IdempotencyRecord } from './idempotency-record.entity';
import { Work } from './work.entity';
import { Claim } from './claim.entity';
import { Sweep } from './sweep.entity';
import { Trigger } from './trigger.entity';
import { Notification } from './notification.entity';
import { Step } from './step.entity';
import { Message } from './message.entity';
import { ExecutionDetail } from './execution-detail.entity';
import { AuditLogEntry } from './audit-log-entry.entity';
import { OutcomeCount, OutcomeDelta } from './outcome-count.entity';
import { Session } from './session.entity';
import { SignInToken } from './sign-in-token.entity';
import { BulkAction, BulkActionItem } from './bulk-action.entity';
import { Hold } from './hold.entity';
import { Publish } from './publish.entity';
import { SendRate } from './send-rate.entity';
import { ImportRun } from './import-run.entity';
import { Presence, PresenceLease } from './presence.entity';
import { ChannelConnection } from './channel-connection.entity';
import { ChannelEndpoint } from './channel-endpoint.entity';
import { SetupLink } from './setup-link.entity';
import { EventLog, EventLogEntry, NewLogEntry } from './event-log.entity';
import { Mirror, MirrorCopy, MirrorDifference } from './mirror.entity';
import { WebhookDelivery, WebhookEndpoint } from './webhook.entity';
import { Redaction } from './redaction.entity';

export * from './organization.entity';
export * from './environment.entity';
export * from './environment-content.entity';
export * from './environment-limit.entity';
export * from './environment-variable.entity';
export * from './gateway-process.entity';
export * from './send-rate.entity';
export * from './api-key.entity';
export * from './inbox-secret.entity';
export * from './subscriber.entity';
export * from './integration.entity';
export * from './subscriber-channel.entity';
export * from './topic.entity';
export * from './topic-subscription.entity';
export * from './workflow.entity';
export * from './workflow-version.entity';
export * from './layout.entity';
export * from './translation.entity';
export * from './tenant.entity';
export * from './context.entity';
export * from './preference.entity';
export * from './transaction.entity';
export * from './open-digest.entity';
export * from './step-window.entity';
export * from './attachment.entity';
export * from './outbox-message.entity';
export * from './delivery-event.entity';
export * from './suppression.entity';
export * from './idempotency-record.entity';
export * from './work.entity';
export * from './claim.entity';
export * from './sweep.entity';
export * from './trigger.entity';
export * from './notification.entity';
export * from './step.entity';
export * from './message.entity';
export * from './execution-detail.entity';
export * from './audit-log-entry.entity';
export * from './outcome-count.entity';
export * from './session.entity';
export * from './sign-in-token.entity';
export * from './bulk-action.entity';
export * from './hold.entity';
export * from './publish.entity';
export * from './import-run.entity';
export * from './presence.entity';
export * from './channel-connection.entity';
export * from './channel-endpoint.entity';
export * from './setup-link.entity';
export * from './event-log.entity';
export * from './mirror.entity';
export * from './webhook.entity';
export * from './redaction.entity';

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
  Trigger,
  Notification,
  Step,
  Message,
  ExecutionDetail,
  AuditLogEntry,
  OutcomeDelta,
  OutcomeCount,
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
  EventLog,
  EventLogEntry,
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
