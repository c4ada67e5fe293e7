import { LIMITS } from '../limits';
import {
  DIALECTS,
  type Dialect,
  ENVIRONMENT_KINDS,
  ENVIRONMENT_TYPES,
  type EnvironmentKind,
  type EnvironmentType,
  INBOX_SIGNATURES,
  type InboxSignatures,
  KEY_SCOPES,
  type KeyScope,
  WITHOUT_INTEGRATION,
  type WithoutIntegration,
} from '../vocabulary';
import { Child, Children, Choice, Flag, Text, type TextOptions, Texts, Whole } from './fields';

const NAME: TextOptions = { trim: true, minLength: 1, maxLength: 60, description: 'Unique in the organization.' };
const COLOR: TextOptions = {
  optional: true,
  pattern: /^#[0-9a-fA-F]{6}$/,
  patternMessage: 'color must look like #1a2b3c',
};
const PARENT: TextOptions = {
  optional: true,
  nullable: true,
  format: 'uuid',
  description: 'The environment this one takes its resources from: the default source of diff and publish.',
};
const DIALECT =
  'How responses are spelt: `spec` as documented here, `novu` as the SDKs of that name parse them. null means the ' +
  'default of the installation (CLARION_DIALECT). Requests whose User-Agent names such an SDK always get `novu`. ' +
  'With `spec`, closed lists have no added values: the provider `telegram` is shown as `chat-webhook`, and a ' +
  'condition on `steps` as one on the field `steps...` of `payload`.';
const ALLOW_RECIPIENT_OVERRIDES =
  'Whether keys of the scope `trigger` may change sender and recipients by overrides. Default false.';
const ALLOW_RAISED_PRIORITY =
  'Whether keys of the scope `trigger` may give an event a higher `priority` than its default. Default false.';
const KIND =
  '`development`: the demo providers put messages of channels without another integration into the outbox. ' +
  '`sandbox`: all messages go into the outbox, or to the addresses of `sandboxRedirect`; no provider is called for ' +
  'any other address. `production`: nothing goes into the outbox.';
const SANDBOX_REDIRECT =
  'Only with the kind `sandbox`: emails and text messages are really sent, through the integrations of the ' +
  'environment, but all of them to these addresses. null puts them into the outbox.';
const DEFAULT_LOCALE: TextOptions = {
  pattern: /^[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|\d{3}))?$/,
  patternMessage: 'defaultLocale must be a locale such as en_US',
  description: 'The locale of the texts for subscribers without a text in their own.',
};
const WITHOUT =
  'What happens to the steps of a channel without an active integration: they fail, or they are held and sent as ' +
  'soon as an integration of the channel is active.';
const EVENT_LOG =
  'Whether what happens is recorded in the event log (`GET /v1/events/log`). An environment with a webhook endpoint ' +
  'records it anyway.';

const ORIGINS = {
  nullable: true,
  description:
    'The origins whose pages may use the inbox, each as scheme, host and port. null, the default, means every ' +
    'origin. Requests without an `Origin`, for example of an app, are not limited.',
  example: ['https://app.example.com'],
} as const;
const GIVEN_ORIGINS = { ...ORIGINS, optional: true, max: LIMITS.allowedOrigins, maxLength: 300 } as const;

const SIGNATURES =
  'Whether sessions of the inbox need a signature of your backend (`subscriberHash`). With `optional`, a session ' +
  'without one reads and marks the messages of its inbox and can do nothing else. `required` also ends such sessions.';
const GIVEN_SIGNATURES = {
  optional: true,
  nullable: true,
  description: `${SIGNATURES} null, the default, means \`required\` with the kind \`production\`, else \`optional\`.`,
} as const;

const TRACKING = 'What is recorded about emails, with links of this installation (`CLARION_PUBLIC_URL`).';
const ONE_CLICK_UNSUBSCRIBE =
  'Whether emails of workflows that are not critical have the headers List-Unsubscribe and List-Unsubscribe-Post, ' +
  'if `CLARION_PUBLIC_URL` is configured. Default true.';

export class GivenTrackingDto {
  @Flag({ optional: true, description: 'Whether opened emails are recorded. Default false.' })
  opens?: boolean;

  @Flag({ optional: true, description: 'Whether followed links of emails are recorded. Default false.' })
  clicks?: boolean;
}

export class TrackingDto {
  @Flag({ description: 'Whether opened emails are recorded.' }) opens!: boolean;
  @Flag({ description: 'Whether followed links of emails are recorded.' }) clicks!: boolean;
}

export class SandboxRedirectDto {
  @Text({
    optional: true,
    nullable: true,
    format: 'email',
    maxLength: 254,
    description: 'Gets every email. Without it, emails go into the outbox.',
    example: 'team@example.com',
  })
  email?: string | null;

  @Text({
    optional: true,
    nullable: true,
    pattern: /^\+[1-9]\d{6,14}$/,
    patternMessage: 'sandboxRedirect.phone must be a phone number such as +15550001111',
    description: 'Gets every text message. Without it, text messages go into the outbox.',
    example: '+15550001111',
  })
  phone?: string | null;
}

export class CreateEnvironmentDto {
  @Text(NAME) name!: string;
  @Text(PARENT) parentId?: string | null;
  @Text(COLOR) color?: string;

  @Choice(ENVIRONMENT_TYPES, { optional: true, description: 'Default prod.' })
  type?: EnvironmentType;

  @Choice(ENVIRONMENT_KINDS, {
    optional: true,
    description: `${KIND} Default \`production\`, or \`development\` with the type dev.`,
  })
  kind?: EnvironmentKind;

  @Child(() => SandboxRedirectDto, { optional: true, nullable: true, description: SANDBOX_REDIRECT })
  sandboxRedirect?: SandboxRedirectDto | null;

  @Choice(WITHOUT_INTEGRATION, { optional: true, description: `${WITHOUT} Default \`fail\`.` })
  withoutIntegration?: WithoutIntegration;

  @Choice(DIALECTS, { optional: true, nullable: true, description: DIALECT })
  dialect?: Dialect | null;

  @Flag({ optional: true, description: ALLOW_RECIPIENT_OVERRIDES })
  allowRecipientOverrides?: boolean;

  @Flag({ optional: true, description: ALLOW_RAISED_PRIORITY }) allowRaisedPriority?: boolean;
  @Texts(GIVEN_ORIGINS) allowedOrigins?: string[] | null;
  @Choice(INBOX_SIGNATURES, GIVEN_SIGNATURES) inboxSignatures?: InboxSignatures | null;

  @Flag({ optional: true, description: `${EVENT_LOG} Default true, or false with the kind \`production\`.` })
  eventLog?: boolean;

  @Child(() => GivenTrackingDto, { optional: true, description: TRACKING })
  tracking?: GivenTrackingDto;

  @Flag({ optional: true, description: ONE_CLICK_UNSUBSCRIBE }) oneClickUnsubscribe?: boolean;
  @Text({ ...DEFAULT_LOCALE, optional: true }) defaultLocale?: string;
}

/** Fields that are left out stay as they are. */
export class UpdateEnvironmentDto {
  @Text({ ...NAME, optional: true }) name?: string;

  @Text({
    optional: true,
    minLength: 3,
    maxLength: 60,
    pattern: /^(?!deleted_)[A-Za-z0-9_-]+$/,
    patternMessage: 'identifier must consist of letters, digits, _ and -, and not begin with deleted_',
    description:
      'The applicationIdentifier of the inbox. Clients that still use the old one can no longer sign in. Identifiers ' +
      'that the environments of an organization had, deleted ones included, stay reserved for the organization.',
  })
  identifier?: string;

  @Text(PARENT) parentId?: string | null;
  @Text(COLOR) color?: string;

  @Choice(ENVIRONMENT_KINDS, {
    optional: true,
    description:
      `${KIND} Changing it to \`production\` switches the demo providers off. Changing it from \`sandbox\` removes ` +
      'the `sandboxRedirect`.',
  })
  kind?: EnvironmentKind;

  @Child(() => SandboxRedirectDto, {
    optional: true,
    nullable: true,
    description: `${SANDBOX_REDIRECT} Replaces both addresses.`,
  })
  sandboxRedirect?: SandboxRedirectDto | null;

  @Choice(WITHOUT_INTEGRATION, { optional: true, description: WITHOUT })
  withoutIntegration?: WithoutIntegration;

  @Choice(DIALECTS, { optional: true, nullable: true, description: DIALECT })
  dialect?: Dialect | null;

  @Flag({ optional: true, description: ALLOW_RECIPIENT_OVERRIDES })
  allowRecipientOverrides?: boolean;

  @Flag({ optional: true, description: ALLOW_RAISED_PRIORITY }) allowRaisedPriority?: boolean;
  @Texts(GIVEN_ORIGINS) allowedOrigins?: string[] | null;
  @Choice(INBOX_SIGNATURES, GIVEN_SIGNATURES) inboxSignatures?: InboxSignatures | null;
  @Flag({ optional: true, description: EVENT_LOG }) eventLog?: boolean;

  @Child(() => GivenTrackingDto, { optional: true, description: TRACKING })
  tracking?: GivenTrackingDto;

  @Flag({ optional: true, description: ONE_CLICK_UNSUBSCRIBE }) oneClickUnsubscribe?: boolean;
  @Text({ ...DEFAULT_LOCALE, optional: true }) defaultLocale?: string;
}

export class EnvironmentKeyDto {
  @Text({ description: 'The key itself; shown at creation and never again.' }) key!: string;
  @Text() _userId!: string;
  @Text({ optional: true }) hash?: string;
}

export class EnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text() _organizationId!: string;
  @Text({ description: 'The public name of the environment: the applicationIdentifier of the inbox.' })
  identifier!: string;
  @Choice(ENVIRONMENT_TYPES, { optional: true }) type?: EnvironmentType;
  @Choice(ENVIRONMENT_KINDS, { description: KIND }) kind!: EnvironmentKind;
  @Child(() => SandboxRedirectDto, { nullable: true, description: SANDBOX_REDIRECT })
  sandboxRedirect!: SandboxRedirectDto | null;
  @Choice(WITHOUT_INTEGRATION, { description: WITHOUT }) withoutIntegration!: WithoutIntegration;
  @Text({ optional: true }) color?: string;
  @Text({ optional: true }) _parentId?: string;
  @Text({ optional: true }) slug?: string;
  @Choice(DIALECTS, { nullable: true, description: DIALECT }) dialect!: Dialect | null;
  @Flag({ description: ALLOW_RECIPIENT_OVERRIDES }) allowRecipientOverrides!: boolean;
  @Flag({ description: ALLOW_RAISED_PRIORITY }) allowRaisedPriority!: boolean;
  @Texts(ORIGINS) allowedOrigins!: string[] | null;
  @Choice(INBOX_SIGNATURES, { description: SIGNATURES }) inboxSignatures!: InboxSignatures;
  @Flag({ description: EVENT_LOG }) eventLog!: boolean;
  @Child(() => TrackingDto, { description: TRACKING }) tracking!: TrackingDto;
  @Flag({ description: ONE_CLICK_UNSUBSCRIBE }) oneClickUnsubscribe!: boolean;
  @Text(DEFAULT_LOCALE) defaultLocale!: string;
  @Children(() => EnvironmentKeyDto, { optional: true, description: 'Only in the answer to its creation.' })
  apiKeys?: EnvironmentKeyDto[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class DeletedEnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text({ description: 'From then on the environment is hidden; its rows are deleted in the background.' })
  deletedAt!: string;
}

export class EnvironmentTagDto {
  @Text() name!: string;
}

export class CreateApiKeyDto {
  @Text({ optional: true, trim: true, minLength: 1, maxLength: 100 }) name?: string;

  @Choice(KEY_SCOPES, {
    optional: true,
    description:
      '`full` (default), `read`, `trigger` (events only) or `admin` (the organization). A key cannot create a key' +
      ' of a wider scope than its own.',
  })
  scope?: KeyScope;

  @Text({
    optional: true,
    format: 'date-time',
    description: 'The key is refused from this time on (401). A key cannot create a key that outlives it.',
  })
  expiresAt?: string;

  @Texts({
    optional: true,
    max: LIMITS.keyAddresses,
    maxLength: 64,
    description:
      'IP addresses and CIDR ranges that the key may be used from; any other address is refused (403). A key with' +
      ' such a list cannot create a key for other addresses: without this field the new key gets the same list.',
    example: ['203.0.113.7', '2001:db8::/32'],
  })
  allowedAddresses?: string[];
}

export class ApiKeyDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Text() name!: string;
  @Text({ description: 'The readable beginning of the key.' }) prefix!: string;
  @Choice(KEY_SCOPES) scope!: KeyScope;
  @Text({ optional: true }) expiresAt?: string;
  @Texts({ optional: true }) allowedAddresses?: string[];
  @Text() createdAt!: string;
  @Text({ optional: true }) lastUsedAt?: string;
  @Text({ optional: true }) revokedAt?: string;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @Text({ description: 'The key itself; shown now and never again.' }) key!: string;
}

export class RotateInboxSecretDto {
  @Whole({
    optional: true,
    min: 0,
    max: LIMITS.inboxSecretOverlapHours,
    description: 'For how long the replaced secret still signs. Default 0: its sessions end at once.',
  })
  overlapHours?: number;
}

export class InboxSecretDto {
  @Text({ description: 'The key of `subscriberHash` and `contextHash`. A session of the dashboard gets a mask.' })
  secret!: string;
  @Text({ format: 'date-time' }) createdAt!: string;
}

export class CreateOrganizationDto {
  @Text({ trim: true, minLength: 1, maxLength: 100 }) name!: string;

  @Text({ ...NAME, optional: true, description: 'Name of its first environment. Default Development.' })
  environmentName?: string;
}

export class CreatedOrganizationDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Child(() => EnvironmentDto, { description: 'Its first environment, with a key of the scope admin, shown once.' })
  environment!: EnvironmentDto;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}
