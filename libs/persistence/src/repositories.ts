import { ActivityRepository } from './history/activity.repository';
import { AttachmentRepository } from './work/attachment.repository';
import { AuditLogRepository } from './operations/audit-log.repository';
import { BulkActionRepository } from './operations/bulk-action.repository';
import { ChannelConnectionRepository } from './channels/channel-connection.repository';
import { ChannelEndpointRepository } from './channels/channel-endpoint.repository';
import { ContextRepository } from './audience/context.repository';
import { DeliveryEventRepository } from './history/delivery-event.repository';
import { DryRunRepository } from './authoring/dry-run.repository';
import { EnvironmentRepository } from './tenancy/environment.repository';
import { EventLogRepository } from './history/event-log.repository';
import { EnvironmentVariableRepository } from './authoring/environment-variable.repository';
import { FanOutRepository } from './work/fan-out/fan-out.repository';
import { HoldRepository } from './operations/hold.repository';
import { IdempotencyRepository } from './tenancy/idempotency.repository';
import { ImportRunRepository } from './operations/import-run.repository';
import { InboxRepository } from './inbox/inbox.repository';
import { InboxSecretRepository } from './inbox/inbox-secret.repository';
import { IntegrationRepository } from './channels/integration.repository';
import { LagRepository } from './work/lag.repository';
import { LayoutRepository } from './authoring/layout.repository';
import { LookupRepository } from './history/lookup.repository';
import { MessageRepository } from './history/message.repository';
import { NotificationRepository } from './history/notification.repository';
import { AuditRepository } from './operations/audit.repository';
import { DatabaseActivityRepository } from './operations/database-activity.repository';
import { DoctorRepository } from './operations/doctor.repository';
import { EveryEnvironmentRepository } from './operations/every-environment.repository';
import { LimitRepository } from './tenancy/limit.repository';
import { QueuedRowsRepository } from './operations/queued-rows.repository';
import { StuckRepository } from './operations/stuck.repository';
import { UsageRepository } from './operations/usage.repository';
import { OutboxRepository } from './history/outbox.repository';
import { OverviewRepository } from './history/overview.repository';
import { PreferenceRepository } from './audience/preference.repository';
import { PromotionRepository } from './authoring/promotion.repository';
import { PresenceRepository } from './inbox/presence.repository';
import { RealtimeRepository } from './inbox/realtime.repository';
import { RedactionRepository } from './history/redaction.repository';
import { ReplayRepository } from './work/replay.repository';
import { SealedRowRepository } from './tenancy/sealed-row.repository';
import { SendRateRepository } from './channels/send-rate.repository';
import { SessionRepository } from './tenancy/session.repository';
import { SetupLinkRepository } from './channels/setup-link.repository';
import { DigestRepository } from './work/steps/digest.repository';
import { EarlierStepRepository } from './work/steps/earlier-step.repository';
import { StepClaimRepository } from './work/steps/step-claim.repository';
import { StepOutcomeRepository } from './work/steps/step-outcome.repository';
import { ThrottleRepository } from './work/steps/throttle.repository';
import { SubscriberChannelRepository } from './audience/subscriber-channel.repository';
import { SubscriberErasureRepository } from './audience/subscriber-erasure.repository';
import { SubscriberExportRepository } from './audience/subscriber-export.repository';
import { SubscriberRepository } from './audience/subscriber.repository';
import { SuppressionRepository } from './audience/suppression.repository';
import { SurroundingsRepository } from './work/surroundings.repository';
import { SweepRepository } from './work/sweep.repository';
import { TenantRepository } from './audience/tenant.repository';
import { TopicSubscriptionRepository } from './audience/topic-subscription.repository';
import { TopicRepository } from './audience/topic.repository';
import { TranslationRepository } from './authoring/translation.repository';
import { TriggerRepository } from './work/trigger.repository';
import { MirrorRepository } from './operations/mirror/mirror.repository';
import { MirrorSendingRepository } from './operations/mirror/mirror-sending.repository';
import { WebhookEndpointRepository } from './channels/webhooks/webhook-endpoint.repository';
import { WebhookSendingRepository } from './channels/webhooks/webhook-sending.repository';
import { WorkflowRepository } from './authoring/workflow.repository';
import { WorkflowVersionRepository } from './authoring/workflow-version.repository';

export * from './history/activity-filter';
export * from './history/activity.repository';
export * from './work/attachment.repository';
export * from './operations/audit-log.repository';
export * from './operations/bulk-action.repository';
export * from './channels/channel-connection.repository';
export * from './channels/channel-endpoint.repository';
export * from './audience/context.repository';
export * from './history/delivery-event.repository';
export * from './authoring/dry-run.repository';
export * from './tenancy/environment.repository';
export * from './history/event-log.repository';
export * from './authoring/environment-variable.repository';
export * from './work/fan-out/fan-out-rows';
export * from './work/fan-out/fan-out.repository';
export * from './operations/hold.repository';
export * from './tenancy/idempotency.repository';
export * from './operations/import-run.repository';
export * from './inbox/inbox.repository';
export { InboxSecretRepository, type InboxSigner } from './inbox/inbox-secret.repository';
export * from './channels/integration.repository';
export * from './work/lag.repository';
export * from './authoring/layout.repository';
export * from './history/lookup.repository';
export * from './history/message.repository';
export * from './history/message.sql';
export * from './history/notification.repository';
export { ORPHANS_ENDED, type OrphanedRow } from './work/orphans';
export * from './operations/audit.repository';
export * from './operations/database-activity.repository';
export * from './operations/doctor.repository';
export * from './operations/every-environment.repository';
export * from './tenancy/limit.repository';
export * from './operations/queued-rows.repository';
export * from './operations/stuck.repository';
export { type EnvironmentIds, type Usage, UsageRepository } from './operations/usage.repository';
export * from './history/outbox.repository';
export * from './history/overview.repository';
export * from './audience/preference.repository';
export * from './authoring/promotion.repository';
export * from './inbox/presence.repository';
export * from './inbox/realtime.repository';
export * from './history/redaction.repository';
export * from './work/replay.repository';
export { withSandboxOutbox } from './channels/sandbox-integrations';
export * from './tenancy/sealed-row.repository';
export * from './channels/send-rate.repository';
export * from './tenancy/session.repository';
export * from './channels/setup-link.repository';
export * from './work/steps/digest.repository';
export * from './work/steps/earlier-step.repository';
export * from './work/steps/step-claim.repository';
export * from './work/steps/step-outcome.repository';
export * from './work/steps/step-rows';
export * from './work/steps/throttle.repository';
export * from './audience/subscriber-channel.repository';
export * from './audience/subscriber-erasure.repository';
export * from './audience/subscriber-export.repository';
export * from './audience/subscriber.repository';
export * from './audience/suppression.repository';
export * from './work/surroundings.repository';
export * from './work/sweep.repository';
export * from './audience/tenant.repository';
export * from './audience/topic-subscription.repository';
export * from './audience/topic.repository';
export * from './authoring/translation.repository';
export * from './work/trigger-rows';
export * from './work/trigger.repository';
export * from './operations/mirror/mirror.repository';
export * from './operations/mirror/mirror-sending.repository';
export * from './channels/webhooks/webhook-endpoint.repository';
export * from './channels/webhooks/webhook-sending.repository';
export * from './authoring/workflow.repository';
export * from './authoring/workflow-version.repository';

/** Every repository; each is made from the database alone. */
export const REPOSITORIES = [
  ActivityRepository,
  AttachmentRepository,
  AuditLogRepository,
  AuditRepository,
  BulkActionRepository,
  ChannelConnectionRepository,
  ChannelEndpointRepository,
  ContextRepository,
  DatabaseActivityRepository,
  DeliveryEventRepository,
  DigestRepository,
  DoctorRepository,
  DryRunRepository,
  EarlierStepRepository,
  EnvironmentRepository,
  EventLogRepository,
  EnvironmentVariableRepository,
  FanOutRepository,
  HoldRepository,
  IdempotencyRepository,
  ImportRunRepository,
  InboxRepository,
  InboxSecretRepository,
  IntegrationRepository,
  LagRepository,
  LayoutRepository,
  EveryEnvironmentRepository,
  LimitRepository,
  LookupRepository,
  MessageRepository,
  MirrorRepository,
  MirrorSendingRepository,
  NotificationRepository,
  OutboxRepository,
  OverviewRepository,
  PreferenceRepository,
  PromotionRepository,
  QueuedRowsRepository,
  PresenceRepository,
  RealtimeRepository,
  RedactionRepository,
  ReplayRepository,
  SealedRowRepository,
  SendRateRepository,
  SessionRepository,
  SetupLinkRepository,
  StepClaimRepository,
  StepOutcomeRepository,
  StuckRepository,
  SubscriberChannelRepository,
  SubscriberErasureRepository,
  SubscriberExportRepository,
  SubscriberRepository,
  SuppressionRepository,
  SurroundingsRepository,
  SweepRepository,
  TenantRepository,
  ThrottleRepository,
  TopicRepository,
  TopicSubscriptionRepository,
  TranslationRepository,
  TriggerRepository,
  UsageRepository,
  WebhookEndpointRepository,
  WebhookSendingRepository,
  WorkflowRepository,
  WorkflowVersionRepository,
];
