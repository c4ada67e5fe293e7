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

  @Choice(
    IN_DOUBT_POLICIES,
    'What happens to a message that may have been sent before a worker died: `resend` (default, same ' +
      'idempotency key) or `hold`.',
    { optional: true },
  )
  inDoubt?: InDoubtPolicy;

  @Whole(
    'The most messages a second that all workers together send through this integration; more wait. 0 or absent: ' +
      'no limit.',
    { optional: true, min: 0, max: LIMITS.integrationRate },
  )
  rateLimit?: number;
}

export class IntegrationHealthDto {
  @Choice(
    INTEGRATION_STATES,
    '`open`: the circuit breaker keeps messages back. `paused`: the provider asked for it. `failing`: calls are ' +
      'made, and none of at least 10 messages was sent for a minute or longer.',
  )
  state!: IntegrationState;
  @Text('ISO 8601.') since!: string;
  @Text('When the next message is tried, ISO 8601.', { optional: true }) until?: string;
  @Text('What the provider said last; only the kind of failure if the payload had fields marked as sensitive.', {
    optional: true,
  })
  reason?: string;
}

/** What may be given at creation and changed later. */
export class IntegrationSettingsDto {
  @Text('Display name.', { optional: true, trim: true, minLength: 1, maxLength: 256 }) name?: string;
  @Text('Unique in the environment.', { optional: true, trim: true, minLength: 1, maxLength: 256 }) identifier?: string;

  @Text('The environment of the API key; nothing else is found.', { optional: true, format: 'uuid' })
  _environmentId?: string;

  @Child(
    () => CredentialsDto,
    'Replaces all stored credentials; a masked value stands for the stored one, as long as the address it is ' +
      'sent to (host, port, base URL, region, TLS settings) stays the same. With another address each secret must' +
      ' be sent in clear, otherwise the answer is 422 and names it.',
    { optional: true },
  )
  credentials?: CredentialsDto;

  @Flag('True: the credentials are validated, and the integration is used for sending.', { optional: true })
  active?: boolean;

  @Flag(
    'True: the credentials are validated also while the integration is not active, and tried out where the ' +
      'provider has a way to.',
    { optional: true },
  )
  check?: boolean;

  @Children(
    () => StepFilterInputDto,
    'For which triggers this integration is chosen before the primary one; an integration with conditions is ' +
      'not primary.',
    { optional: true, max: LIMITS.filterGroups },
  )
  conditions?: StepFilterInputDto[];

  @Child(() => ConfigurationsDto, 'Given fields are set, absent ones stay.', { optional: true })
  configurations?: ConfigurationsDto;
}

export class CreateIntegrationDto extends IntegrationSettingsDto {
  @Text('A provider of the channel.', { maxLength: 100 }) providerId!: string;
  @Choice(CHANNELS) channel!: Channel;
}

export class UpdateIntegrationDto extends IntegrationSettingsDto {}

export class ListIntegrationsQuery {
  @QueryFlag(
    `True: the deleted ones instead, the last ${LIMITS.integrations} of them, without credentials. Default ` + `false.`,
  )
  deleted: boolean = false;
}

export class RetrieveIntegrationQuery {
  @QueryFlag('True: found although it is deleted, without credentials. Default false.') deleted: boolean = false;
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
  @Text('Of a deleted one, which `?deleted=true` shows.', { optional: true }) deletedAt?: string;
  @Text('The API key that deleted it.', { optional: true }) deletedBy?: string;
  @Flag('The default choice of its channel; email and sms only.') primary!: boolean;
  @Whole('Order of choice among the active ones of email or sms, the highest first.') priority!: number;
  @Children(() => StepFilterDto, { optional: true }) conditions?: StepFilterDto[];
  @Child(() => IntegrationHealthDto, 'Absent while all is well.', { optional: true }) health?: IntegrationHealthDto;
  @Texts('Stored fields that the configured encryption keys do not open; send them again.', { optional: true })
  unreadableFields?: string[];
}

export class IntegrationCheckDto {
  @Flag('The credentials are complete, and the provider accepts them if it was asked.') ok!: boolean;
  @Flag('False: the provider has no call for a check, so only the fields were checked.') asked!: boolean;
  @Text("The provider's answer in words.") message!: string;
}

export class IntegrationOrderDto {
  @Texts('All active integrations of one channel (email or sms), best first. The first becomes primary.', {
    max: LIMITS.integrations,
    maxLength: 36,
  })
  ids!: string[];
}

export class IntegrationHealthListDto {
  @Child(() => IntegrationHealthDto, 'Absent while all is well.', { optional: true }) current?: IntegrationHealthDto;
  @Children(() => IntegrationHealthDto, 'The last states, newest first; `closed` means well.')
  history!: IntegrationHealthDto[];
}

export class IntegrationUsageDto {
  @Whole(`Subscribers with credentials for it; counted up to ${LIMITS.countCap + 1}.`) subscribers!: number;
  @Flag('No other active integration sends on its channel.') lastOfChannel!: boolean;
  @Whole('Active workflows with a step of its channel.') workflows!: number;
  @Texts('The names of the first of them.') workflowNames!: string[];
  @Whole('Steps that wait because it is on hold; a deletion releases them.') waitingSteps!: number;
}
