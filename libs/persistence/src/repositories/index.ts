import { ActivityRepository } from './activity.repository';
import { AttachmentRepository } from './attachment.repository';
import { AuditLogRepository } from './audit-log.repository';
import { BulkActionRepository } from './bulk-action.repository';
import { ChannelConnectionRepository } from './channel-connection.repository';
import { ChannelEndpointRepository } from './channel-endpoint.repository';
import { ContextRepository } from './context.repository';
import { DeliveryEventRepository } from './delivery-event.repository';
import { DryRunRepository } from './dry-run.repository';
import { EnvironmentRepository } from './environment.repository';
import { EventLogRepository } from './event-log.repository';
import { EnvironmentVariableRepository } from './environment-variable.repository';
import { FanOutRepository } from './fan-out/fan-out.repository';
import { HoldRepository } from './hold.repository';
import { IdempotencyRepository } from './idempotency.repository';
import { ImportRunRepository } from './import-run.repository';
import { InboxRepository } from './inbox.repository';
import { InboxSecretRepository } from './inbox-secret.repository';
import { IntegrationRepository } from './integration.repository';
import { LagRepository } from './lag.repository';
import { LayoutRepository } from './layout.repository';
import { LookupRepository } from './lookup.repository';
import { MessageRepository } from './message.repository';
import { NotificationRepository } from './notification.repository';
import { AuditRepository } from './operations/audit.repository';
import { DatabaseActivityRepository } from './operations/database-activity.repository';
import { DoctorRepository } from './operations/doctor.repository';
import { EveryEnvironmentRepository } from './operations/every-environment.repository';
import { LimitRepository } from './operations/limit.repository';
import { QueuedRowsRepository } from './operations/queued-rows.repository';
import { StuckRepository } from './operations/stuck.repository';
import { UsageRepository } from './operations/usage.repository';
import { OutboxRepository } from './outbox.repository';
import { OverviewRepository } from './overview.repository';
import { PreferenceRepository } from './preference.repository';
import { PromotionRepository } from './promotion.repository';
import { PresenceRepository } from './presence.repository';
import { RealtimeRepository } from './realtime.repository';
import { RedactionRepository } from './redaction.repository';
import { ReplayRepository } from './replay.repository';
import { SealedRowRepository } from './sealed-row.repository';
import { SendRateRepository } from './send-rate.repository';
import { SessionRepository } from './session.repository';
import { SetupLinkRepository } from './setup-link.repository';
import { DigestRepository } from './steps/digest.repository';
import { EarlierStepRepository } from './steps/earlier-step.repository';
import { StepClaimRepository } from './steps/step-claim.repository';
import { StepOutcomeRepository } from './steps/step-outcome.repository';
import { ThrottleRepository } from './steps/throttle.repository';
import { SubscriberChannelRepository } from './subscriber-channel.repository';
import { SubscriberErasureRepository } from './subscriber-erasure.repository';
import { SubscriberExportRepository } from './subscriber-export.repository';
import { SubscriberRepository } from './subscriber.repository';
import { SuppressionRepository } from './suppression.repository';
import { SurroundingsRepository } from './surroundings.repository';
import { SweepRepository } from './sweep.repository';
import { TenantRepository } from './tenant.repository';
import { TopicSubscriptionRepository } from './topic-subscription.repository';
import { TopicRepository } from './topic.repository';
import { TranslationRepository } from './translation.repository';
import { TriggerRepository } from './trigger.repository';
import { MirrorRepository } from './mirror/mirror.repository';
import { MirrorSendingRepository } from './mirror/mirror-sending.repository';
import { WebhookEndpointRepository } from './webhooks/webhook-endpoint.repository';
import { WebhookSendingRepository } from './webhooks/webhook-sending.repository';
import { WorkflowRepository } from './workflow.repository';
import { WorkflowVersionRepository } from './workflow-version.repository';

export * from './activity-filter';
export * from './activity.repository';
export * from './attachment.repository';
export * from './audit-log.repository';
export * from './bulk-action.repository';
export * from './channel-connection.repository';
export * from './channel-endpoint.repository';
export * from './context.repository';
export * from './delivery-event.repository';
export * from './dry-run.repository';
export * from './environment.repository';
export * from './event-log.repository';
export * from './environment-variable.repository';
export * from './fan-out/fan-out-rows';
export * from './fan-out/fan-out.repository';
export * from './hold.repository';
export * from './idempotency.repository';
export * from './import-run.repository';
export * from './inbox.repository';
export { InboxSecretRepository, type InboxSigner } from './inbox-secret.repository';
export * from './integration.repository';
export * from './lag.repository';
export * from './layout.repository';
export * from './lookup.repository';
export * from './message.repository';
export * from './message.sql';
export * from './notification.repository';
export { ORPHANS_ENDED, type OrphanedRow } from './orphans';
export * from './operations/audit.repository';
export * from './operations/database-activity.repository';
export * from './operations/doctor.repository';
export * from './operations/every-environment.repository';
export * from './operations/limit.repository';
export * from './operations/queued-rows.repository';
export * from './operations/stuck.repository';
export { type EnvironmentIds, type Usage, UsageRepository } from './operations/usage.repository';
export * from './outbox.repository';
export * from './overview.repository';
export * from './preference.repository';
export * from './promotion.repository';
export * from './presence.repository';
export * from './realtime.repository';
export * from './redaction.repository';
export * from './replay.repository';
export { withSandboxOutbox } from './sandbox-integrations';
export * from './sealed-row.repository';
export * from './send-rate.repository';
export * from './session.repository';
export * from './setup-link.repository';
export * from './steps/digest.repository';
export * from './steps/earlier-step.repository';
export * from './steps/step-claim.repository';
export * from './steps/step-outcome.repository';
export * from './steps/step-rows';
export * from './steps/throttle.repository';
export * from './subscriber-channel.repository';
export * from './subscriber-erasure.repository';
export * from './subscriber-export.repository';
export * from './subscriber.repository';
export * from './suppression.repository';
export * from './surroundings.repository';
export * from './sweep.repository';
export * from './tenant.repository';
export * from './topic-subscription.repository';
export * from './topic.repository';
export * from './translation.repository';
export * from './trigger-rows';
export * from './trigger.repository';
export * from './mirror/mirror.repository';
export * from './mirror/mirror-sending.repository';
export * from './webhooks/webhook-endpoint.repository';
export * from './webhooks/webhook-sending.repository';
export * from './workflow.repository';
export * from './workflow-version.repository';

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
