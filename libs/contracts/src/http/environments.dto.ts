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
  @Flag('Whether opened emails are recorded. Default false.', { optional: true }) opens?: boolean;
  @Flag('Whether followed links of emails are recorded. Default false.', { optional: true }) clicks?: boolean;
}

export class TrackingDto {
  @Flag('Whether opened emails are recorded.') opens!: boolean;
  @Flag('Whether followed links of emails are recorded.') clicks!: boolean;
}

export class SandboxRedirectDto {
  @Text('Gets every email. Without it, emails go into the outbox.', {
    optional: true,
    nullable: true,
    format: 'email',
    maxLength: 254,
    example: 'team@example.com',
  })
  email?: string | null;

  @Text('Gets every text message. Without it, text messages go into the outbox.', {
    optional: true,
    nullable: true,
    pattern: /^\+[1-9]\d{6,14}$/,
    patternMessage: 'sandboxRedirect.phone must be a phone number such as +15550001111',
    example: '+15550001111',
  })
  phone?: string | null;
}

export class CreateEnvironmentDto {
  @Text(NAME) name!: string;
  @Text(PARENT) parentId?: string | null;
  @Text(COLOR) color?: string;
  @Choice(ENVIRONMENT_TYPES, 'Default prod.', { optional: true }) type?: EnvironmentType;

  @Choice(ENVIRONMENT_KINDS, `${KIND} Default \`production\`, or \`development\` with the type dev.`, {
    optional: true,
  })
  kind?: EnvironmentKind;

  @Child(() => SandboxRedirectDto, SANDBOX_REDIRECT, { optional: true, nullable: true })
  sandboxRedirect?: SandboxRedirectDto | null;

  @Choice(WITHOUT_INTEGRATION, `${WITHOUT} Default \`fail\`.`, { optional: true })
  withoutIntegration?: WithoutIntegration;

  @Choice(DIALECTS, DIALECT, { optional: true, nullable: true }) dialect?: Dialect | null;
  @Flag(ALLOW_RECIPIENT_OVERRIDES, { optional: true }) allowRecipientOverrides?: boolean;
  @Flag(ALLOW_RAISED_PRIORITY, { optional: true }) allowRaisedPriority?: boolean;
  @Texts(GIVEN_ORIGINS) allowedOrigins?: string[] | null;
  @Choice(INBOX_SIGNATURES, GIVEN_SIGNATURES) inboxSignatures?: InboxSignatures | null;
  @Flag(`${EVENT_LOG} Default true, or false with the kind \`production\`.`, { optional: true }) eventLog?: boolean;
  @Child(() => GivenTrackingDto, TRACKING, { optional: true }) tracking?: GivenTrackingDto;
  @Flag(ONE_CLICK_UNSUBSCRIBE, { optional: true }) oneClickUnsubscribe?: boolean;
  @Text({ ...DEFAULT_LOCALE, optional: true }) defaultLocale?: string;
}

/** Fields that are left out stay as they are. */
export class UpdateEnvironmentDto {
  @Text({ ...NAME, optional: true }) name?: string;

  @Text(
    'The applicationIdentifier of the inbox. Clients that still use the old one can no longer sign in. Identifiers ' +
      'that the environments of an organization had, deleted ones included, stay reserved for the organization.',
    {
      optional: true,
      minLength: 3,
      maxLength: 60,
      pattern: /^(?!deleted_)[A-Za-z0-9_-]+$/,
      patternMessage: 'identifier must consist of letters, digits, _ and -, and not begin with deleted_',
    },
  )
  identifier?: string;

  @Text(PARENT) parentId?: string | null;
  @Text(COLOR) color?: string;

  @Choice(
    ENVIRONMENT_KINDS,
    `${KIND} Changing it to \`production\` switches the demo providers off. Changing it from \`sandbox\` removes ` +
      'the `sandboxRedirect`.',
    { optional: true },
  )
  kind?: EnvironmentKind;

  @Child(() => SandboxRedirectDto, `${SANDBOX_REDIRECT} Replaces both addresses.`, { optional: true, nullable: true })
  sandboxRedirect?: SandboxRedirectDto | null;

  @Choice(WITHOUT_INTEGRATION, WITHOUT, { optional: true }) withoutIntegration?: WithoutIntegration;
  @Choice(DIALECTS, DIALECT, { optional: true, nullable: true }) dialect?: Dialect | null;
  @Flag(ALLOW_RECIPIENT_OVERRIDES, { optional: true }) allowRecipientOverrides?: boolean;
  @Flag(ALLOW_RAISED_PRIORITY, { optional: true }) allowRaisedPriority?: boolean;
  @Texts(GIVEN_ORIGINS) allowedOrigins?: string[] | null;
  @Choice(INBOX_SIGNATURES, GIVEN_SIGNATURES) inboxSignatures?: InboxSignatures | null;
  @Flag(EVENT_LOG, { optional: true }) eventLog?: boolean;
  @Child(() => GivenTrackingDto, TRACKING, { optional: true }) tracking?: GivenTrackingDto;
  @Flag(ONE_CLICK_UNSUBSCRIBE, { optional: true }) oneClickUnsubscribe?: boolean;
  @Text({ ...DEFAULT_LOCALE, optional: true }) defaultLocale?: string;
}

export class EnvironmentKeyDto {
  @Text('The key itself; shown at creation and never again.') key!: string;
  @Text() _userId!: string;
  @Text({ optional: true }) hash?: string;
}

export class EnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text() _organizationId!: string;
  @Text('The public name of the environment: the applicationIdentifier of the inbox.') identifier!: string;
  @Choice(ENVIRONMENT_TYPES, { optional: true }) type?: EnvironmentType;
  @Choice(ENVIRONMENT_KINDS, KIND) kind!: EnvironmentKind;
  @Child(() => SandboxRedirectDto, SANDBOX_REDIRECT, { nullable: true }) sandboxRedirect!: SandboxRedirectDto | null;
  @Choice(WITHOUT_INTEGRATION, WITHOUT) withoutIntegration!: WithoutIntegration;
  @Text({ optional: true }) color?: string;
  @Text({ optional: true }) _parentId?: string;
  @Text({ optional: true }) slug?: string;
  @Choice(DIALECTS, DIALECT, { nullable: true }) dialect!: Dialect | null;
  @Flag(ALLOW_RECIPIENT_OVERRIDES) allowRecipientOverrides!: boolean;
  @Flag(ALLOW_RAISED_PRIORITY) allowRaisedPriority!: boolean;
  @Texts(ORIGINS) allowedOrigins!: string[] | null;
  @Choice(INBOX_SIGNATURES, SIGNATURES) inboxSignatures!: InboxSignatures;
  @Flag(EVENT_LOG) eventLog!: boolean;
  @Child(() => TrackingDto, TRACKING) tracking!: TrackingDto;
  @Flag(ONE_CLICK_UNSUBSCRIBE) oneClickUnsubscribe!: boolean;
  @Text(DEFAULT_LOCALE) defaultLocale!: string;
  @Children(() => EnvironmentKeyDto, 'Only in the answer to its creation.', { optional: true })
  apiKeys?: EnvironmentKeyDto[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class DeletedEnvironmentDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text('From then on the environment is hidden; its rows are deleted in the background.') deletedAt!: string;
}

export class EnvironmentTagDto {
  @Text() name!: string;
}

export class CreateApiKeyDto {
  @Text({ optional: true, trim: true, minLength: 1, maxLength: 100 }) name?: string;

  @Choice(
    KEY_SCOPES,
    '`full` (default), `read`, `trigger` (events only) or `admin` (the organization). A key cannot create a key' +
      ' of a wider scope than its own.',
    { optional: true },
  )
  scope?: KeyScope;

  @Text('The key is refused from this time on (401). A key cannot create a key that outlives it.', {
    optional: true,
    format: 'date-time',
  })
  expiresAt?: string;

  @Texts(
    'IP addresses and CIDR ranges that the key may be used from; any other address is refused (403). A key with' +
      ' such a list cannot create a key for other addresses: without this field the new key gets the same list.',
    { optional: true, max: LIMITS.keyAddresses, maxLength: 64, example: ['203.0.113.7', '2001:db8::/32'] },
  )
  allowedAddresses?: string[];
}

export class ApiKeyDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Text() name!: string;
  @Text('The readable beginning of the key.') prefix!: string;
  @Choice(KEY_SCOPES) scope!: KeyScope;
  @Text({ optional: true }) expiresAt?: string;
  @Texts({ optional: true }) allowedAddresses?: string[];
  @Text() createdAt!: string;
  @Text({ optional: true }) lastUsedAt?: string;
  @Text({ optional: true }) revokedAt?: string;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @Text('The key itself; shown now and never again.') key!: string;
}

export class RotateInboxSecretDto {
  @Whole('For how long the replaced secret still signs. Default 0: its sessions end at once.', {
    optional: true,
    min: 0,
    max: LIMITS.inboxSecretOverlapHours,
  })
  overlapHours?: number;
}

export class InboxSecretDto {
  @Text(
    'The key of `subscriberHash` and `contextHash`. A session of the dashboard that reads it gets a mask; the answer ' +
      'to a rotation has the new secret.',
  )
  secret!: string;
  @Text({ format: 'date-time' }) createdAt!: string;
}

export class CreateOrganizationDto {
  @Text({ trim: true, minLength: 1, maxLength: 100 }) name!: string;
  @Text('Name of its first environment. Default Development.', { ...NAME, optional: true }) environmentName?: string;
}

export class CreatedOrganizationDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Child(() => EnvironmentDto, 'Its first environment, with a key of the scope admin, shown once.')
  environment!: EnvironmentDto;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}
