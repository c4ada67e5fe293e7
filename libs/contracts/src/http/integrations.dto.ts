import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import type { ProviderId } from '../provider-ids';
import {
  type Channel,
  CHANNELS,
  IN_DOUBT_POLICIES,
  type InDoubtPolicy,
  INTEGRATION_STATES,
  type IntegrationState,
} from '../vocabulary';
import { Child, Children, Choice, Flag, JsonMap, QueryFlag, Text, Texts, Whole } from './fields';
import { StepFilterDto, StepFilterInputDto } from './filters.dto';

const CREDENTIAL = { optional: true, maxLength: 16_384 } as const;

/**
 * Credentials of an integration: one flat set of names for all providers (spec 2.5, and at the end of the texts the few
 * that single providers cannot do without). Which of them a provider takes is the providers library's knowledge.
 */
export class CredentialsDto {
  @Text(CREDENTIAL) apiKey?: string;
  @Text(CREDENTIAL) user?: string;
  @Text(CREDENTIAL) secretKey?: string;
  @Text(CREDENTIAL) domain?: string;
  @Text(CREDENTIAL) password?: string;
  @Text(CREDENTIAL) host?: string;
  @Text(CREDENTIAL) port?: string;
  @Text(CREDENTIAL) region?: string;
  @Text(CREDENTIAL) accountSid?: string;
  @Text(CREDENTIAL) messageProfileId?: string;
  @Text(CREDENTIAL) token?: string;
  @Text(CREDENTIAL) from?: string;
  @Text(CREDENTIAL) senderName?: string;
  @Text(CREDENTIAL) projectName?: string;
  @Text(CREDENTIAL) applicationId?: string;
  @Text(CREDENTIAL) clientId?: string;
  @Text(CREDENTIAL) baseUrl?: string;
  @Text(CREDENTIAL) webhookUrl?: string;
  @Text(CREDENTIAL) redirectUrl?: string;
  @Text(CREDENTIAL) serviceAccount?: string;
  @Text(CREDENTIAL) ipPoolName?: string;
  @Text(CREDENTIAL) apiKeyRequestHeader?: string;
  @Text(CREDENTIAL) secretKeyRequestHeader?: string;
  @Text(CREDENTIAL) idPath?: string;
  @Text(CREDENTIAL) datePath?: string;
  @Text(CREDENTIAL) apiToken?: string;
  @Text(CREDENTIAL) authenticationTokenKey?: string;
  @Text(CREDENTIAL) instanceId?: string;
  @Text(CREDENTIAL) alertUid?: string;
  @Text(CREDENTIAL) title?: string;
  @Text(CREDENTIAL) imageUrl?: string;
  @Text(CREDENTIAL) state?: string;
  @Text(CREDENTIAL) externalLink?: string;
  @Text(CREDENTIAL) channelId?: string;
  @Text(CREDENTIAL) phoneNumberIdentification?: string;
  @Text(CREDENTIAL) accessKey?: string;
  @Text(CREDENTIAL) appSid?: string;
  @Text(CREDENTIAL) senderId?: string;
  @Text(CREDENTIAL) AppIOBaseUrl?: string;
  @Text(CREDENTIAL) apiURL?: string;
  @Text(CREDENTIAL) appID?: string;
  @Text(CREDENTIAL) servicePlanId?: string;
  @Text(CREDENTIAL) contentType?: string;
  @Text(CREDENTIAL) signingSecret?: string;
  @Text(CREDENTIAL) tenantId?: string;
  @Text(CREDENTIAL) apiVersion?: string;
  // Forms that know nothing but texts send these as `true` and `false` in quotes.
  @QueryFlag() secure?: boolean;
  @QueryFlag() requireTls?: boolean;
  @QueryFlag() ignoreTls?: boolean;
  @QueryFlag() hmac?: boolean;
  @QueryFlag() authenticateByToken?: boolean;
  @JsonMap({ optional: true }) tlsOptions?: JsonObject;
}

export class ConfigurationsDto {
  @Flag({ optional: true }) inboundWebhookEnabled?: boolean;
  @Text({ optional: true, maxLength: 4096 }) inboundWebhookSigningKey?: string;

  @Choice(IN_DOUBT_POLICIES, {
    optional: true,
    description:
      'What happens to a message that may have been sent before a worker died: `resend` (default, same ' +
      'idempotency key) or `hold`.',
  })
  inDoubt?: InDoubtPolicy;

  @Whole({
    optional: true,
    min: 0,
    max: LIMITS.integrationRate,
    description:
      'The most messages a second that all workers together send through this integration; more wait. 0 or absent: ' +
      'no limit.',
  })
  rateLimit?: number;
}

export class IntegrationHealthDto {
  @Choice(INTEGRATION_STATES, {
    description: '`open`: the circuit breaker keeps messages back. `paused`: the provider asked for it.',
  })
  state!: IntegrationState;
  @Text({ description: 'ISO 8601.' }) since!: string;
  @Text({ optional: true, description: 'When the next message is tried, ISO 8601.' }) until?: string;
  @Text({
    optional: true,
    description: 'What the provider said last; only the kind of failure if the payload had fields marked as sensitive.',
  })
  reason?: string;
}

/** What may be given at creation and changed later. */
export class IntegrationSettingsDto {
  @Text({ optional: true, trim: true, minLength: 1, maxLength: 256, description: 'Display name.' })
  name?: string;

  @Text({ optional: true, trim: true, minLength: 1, maxLength: 256, description: 'Unique in the environment.' })
  identifier?: string;

  @Text({ optional: true, format: 'uuid', description: 'The environment of the API key; nothing else is found.' })
  _environmentId?: string;

  @Child(() => CredentialsDto, {
    optional: true,
    description:
      'Replaces all stored credentials; a masked value stands for the stored one, as long as the address it is ' +
      'sent to (host, port, base URL, region, TLS settings) stays the same. With another address each secret must' +
      ' be sent in clear, otherwise the answer is 422 and names it.',
  })
  credentials?: CredentialsDto;

  @Flag({
    optional: true,
    description: 'True: the credentials are validated, and the integration is used for sending.',
  })
  active?: boolean;

  @Flag({
    optional: true,
    description:
      'True: the credentials are validated also while the integration is not active, and tried out where the ' +
      'provider has a way to.',
  })
  check?: boolean;

  @Children(() => StepFilterInputDto, {
    optional: true,
    max: LIMITS.filterGroups,
    description:
      'For which triggers this integration is chosen before the primary one; an integration with conditions is ' +
      'not primary.',
  })
  conditions?: StepFilterInputDto[];

  @Child(() => ConfigurationsDto, { optional: true, description: 'Given fields are set, absent ones stay.' })
  configurations?: ConfigurationsDto;
}

export class CreateIntegrationDto extends IntegrationSettingsDto {
  @Text({ maxLength: 100, description: 'A provider of the channel.' }) providerId!: string;
  @Choice(CHANNELS) channel!: Channel;
}

export class UpdateIntegrationDto extends IntegrationSettingsDto {}

export class ListIntegrationsQuery {
  @QueryFlag({
    description:
      `True: the deleted ones instead, the last ${LIMITS.integrations} of them, without credentials. Default ` +
      `false.`,
  })
  deleted: boolean = false;
}

export class RetrieveIntegrationQuery {
  @QueryFlag({ description: 'True: found although it is deleted, without credentials. Default false.' })
  deleted: boolean = false;
}

export class IntegrationDto {
  @Text({ optional: true }) _id?: string;
  @Text() _environmentId!: string;
  @Text() _organizationId!: string;
  @Text() name!: string;
  @Text() identifier!: string;
  @Text() providerId!: ProviderId;
  @Choice(CHANNELS) channel!: Channel;
  @Child(() => CredentialsDto) credentials!: CredentialsDto;
  @Child(() => ConfigurationsDto, { optional: true }) configurations?: ConfigurationsDto;
  @Flag() active!: boolean;
  @Flag() deleted!: boolean;
  @Text({ optional: true, description: 'Of a deleted one, which `?deleted=true` shows.' }) deletedAt?: string;
  @Text({ optional: true, description: 'The API key that deleted it.' }) deletedBy?: string;
  @Flag({ description: 'The default choice of its channel; email and sms only.' }) primary!: boolean;
  @Whole({ description: 'Order of choice among the active ones of email or sms, the highest first.' })
  priority!: number;
  @Children(() => StepFilterDto, { optional: true }) conditions?: StepFilterDto[];
  @Child(() => IntegrationHealthDto, { optional: true, description: 'Absent while all is well.' })
  health?: IntegrationHealthDto;
  @Texts({
    optional: true,
    description: 'Stored fields that the configured encryption keys do not open; send them again.',
  })
  unreadableFields?: string[];
}

export class IntegrationCheckDto {
  @Flag({ description: 'The credentials are complete, and the provider accepts them if it was asked.' }) ok!: boolean;
  @Flag({ description: 'False: the provider has no call for a check, so only the fields were checked.' })
  asked!: boolean;
  @Text({ description: "The provider's answer in words." }) message!: string;
}

export class IntegrationOrderDto {
  @Texts({
    max: LIMITS.integrations,
    maxLength: 36,
    description: 'All active integrations of one channel (email or sms), best first. The first becomes primary.',
  })
  ids!: string[];
}

export class IntegrationHealthListDto {
  @Child(() => IntegrationHealthDto, { optional: true, description: 'Absent while all is well.' })
  current?: IntegrationHealthDto;
  @Children(() => IntegrationHealthDto, { description: 'The last states, newest first; `closed` means well.' })
  history!: IntegrationHealthDto[];
}

/** What a deletion would affect. */
export class IntegrationUsageDto {
  @Whole({ description: `Subscribers with credentials for it; counted up to ${LIMITS.countCap + 1}.` })
  subscribers!: number;
  @Flag({ description: 'No other active integration sends on its channel.' }) lastOfChannel!: boolean;
  @Whole({ description: 'Active workflows with a step of its channel.' }) workflows!: number;
  @Texts({ description: 'The names of the first of them.' }) workflowNames!: string[];
  @Whole({ description: 'Steps that wait because it is on hold; a deletion releases them.' }) waitingSteps!: number;
}
