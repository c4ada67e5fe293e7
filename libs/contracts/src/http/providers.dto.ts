import type { ProviderId } from '../provider-ids';
import { type Channel, CHANNELS } from '../vocabulary';
import { Child, Children, Choice, Flag, Text, Texts, Whole } from './fields';

const FIELD_TYPES = ['text', 'boolean', 'number', 'object', 'choice'] as const;
const EVIDENCE = ['official', 'third-party', 'reported'] as const;

export class ProviderFieldDto {
  @Text('The name in `credentials` or `configurations` of an integration.') name!: string;
  @Text('The same name in words, for a form.') label!: string;
  @Choice(FIELD_TYPES) type!: (typeof FIELD_TYPES)[number];
  @Flag('An active integration must have it.') required!: boolean;
  @Texts('An active integration must have at least one of these fields.', { optional: true }) oneOf?: string[];
  @Flag('Encrypted, and shown as a mask.') secret!: boolean;
  @Texts('The values of a choice.', { optional: true }) options?: string[];
  @Text('What a value must look like, or what it does.', { optional: true }) hint?: string;
}

export class ProviderEventsDto {
  @Text('How the provider proves that a report is its own.') proof!: string;
  @Flag('The signing key is part of the address, as `?token=`.') keyInUrl!: boolean;
  @Text('The address below the host of this installation; the names in braces are ids.') path!: string;
  @Text('The public base URL of this installation, if `CLARION_PUBLIC_URL` is configured.', { optional: true })
  baseUrl?: string;
  @Texts('The steps that set the reports up.') help!: string[];
}

export class ProviderDto {
  @Text() id!: ProviderId;
  @Choice(CHANNELS) channel!: Channel;
  @Text() displayName!: string;
  @Flag('Needs no account: the inbox, and the providers that fill the outbox.') builtIn!: boolean;
  @Children(() => ProviderFieldDto) credentials!: ProviderFieldDto[];
  @Children(() => ProviderFieldDto) configurations!: ProviderFieldDto[];
  @Flag('The credentials can be tried out without sending a message.') check!: boolean;
  @Whole('The most messages in one call to the provider.') batchSize!: number;
  @Text('What keeps a message that is sent again from arriving twice.', { optional: true }) duplicateDetection?: string;
  @Child(() => ProviderEventsDto, 'Absent if it reports no delivery events.', { optional: true })
  deliveryEvents?: ProviderEventsDto;
  @Texts('Fields of its request that a trigger may set; `*` means any.') overrides!: string[];
  @Choice(
    EVIDENCE,
    "The source of the wire format: `official`, the provider's documentation, specification or SDK; " +
      "`third-party`, working code or pages of third parties; `reported`, another project's adapter.",
  )
  evidence!: (typeof EVIDENCE)[number];
}

export class ProviderListDto {
  @Children(() => ProviderDto) data!: ProviderDto[];
}
