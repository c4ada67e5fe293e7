import { CONNECTION_MODES, type ConnectionMode } from '../channel-endpoints';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { PROVIDER_IDS, type ProviderId } from '../provider-ids';
import { type Channel, CHANNELS } from '../vocabulary';
import { BrandedChoice, Child, Children, Choice, JsonMap, QueryTexts, Text, Texts } from './fields';
import { CURSOR_ORDER, CursorEnvelope, type CursorOrder, CursorQuery } from './lists.dto';

const NAME = /^[a-zA-Z0-9_.:@-]+$/;

/** The identifier of a connection or an endpoint, which the caller may choose. */
export const CHANNEL_IDENTIFIER = {
  optional: true,
  minLength: 1,
  maxLength: 256,
  pattern: NAME,
  patternMessage: 'identifier may have letters, digits and _ . : @ -',
} as const;

export const CONTEXT_OF_CHANNEL = {
  optional: true,
  description: 'Only notifications with exactly these contexts use it: type to id, or type to {id, data}.',
  example: { workspace: 'acme' },
} as const;

const SUBSCRIBER = { optional: true, minLength: 1, maxLength: 512 } as const;
const TOKEN = { maxLength: 16_384 } as const;

export class WorkspaceDto {
  @Text('The id of the workspace (Slack) or the tenant (Teams).', { minLength: 1, maxLength: 256 }) id!: string;
  @Text({ optional: true, maxLength: 256 }) name?: string;
  @Text('The user that the app has in the workspace.', { optional: true, maxLength: 256 }) botUserId?: string;
}

export class AuthDto {
  @Text('The token that sends. Masked for keys that may not change it; a mask that is sent back keeps it.', {
    ...TOKEN,
    minLength: 1,
  })
  accessToken!: string;
  @Text('For tokens that expire: gets the next one.', { ...TOKEN, optional: true }) refreshToken?: string;
  @Text('ISO 8601.', { optional: true, format: 'date-time' }) expiresAt?: string;
  @Text('ISO 8601.', { optional: true, format: 'date-time' }) refreshTokenExpiresAt?: string;
}

export class CreateChannelConnectionDto {
  @Text('Unique in the environment; made if absent.', { ...CHANNEL_IDENTIFIER }) identifier?: string;
  @Text('The owner of the connection. Absent for a shared one.', { ...SUBSCRIBER }) subscriberId?: string;
  @JsonMap(CONTEXT_OF_CHANNEL) context?: JsonObject;

  @Choice(
    CONNECTION_MODES,
    'Default subscriber. `shared`: all subscribers with its contexts use it, and none owns it.',
    { optional: true },
  )
  connectionMode?: ConnectionMode;

  @Text('The identifier of a chat integration.', { minLength: 1, maxLength: 256 }) integrationIdentifier!: string;
  @Child(() => WorkspaceDto) workspace!: WorkspaceDto;
  @Child(() => AuthDto) auth!: AuthDto;
}

export class UpdateChannelConnectionDto {
  @Child(() => WorkspaceDto) workspace!: WorkspaceDto;
  @Child(() => AuthDto) auth!: AuthDto;
}

export class ChannelListQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, 'Default _id.', { optional: true }) orderBy: CursorOrder = '_id';
  @Text('The whole subscriberId.', { optional: true, maxLength: 512 }) subscriberId?: string;
  @Choice(CHANNELS, { optional: true }) channel?: Channel;
  @BrandedChoice(PROVIDER_IDS, { optional: true }) providerId?: ProviderId;
  @Text('The whole identifier.', { optional: true, maxLength: LIMITS.filterText }) integrationIdentifier?: string;

  @QueryTexts('Exactly these contexts (`type:id`), in any order; one empty text: those without any.', {
    maxLength: LIMITS.contextBytes,
    max: LIMITS.contexts,
  })
  contextKeys?: string[];
}

export class ListChannelConnectionsQuery extends ChannelListQuery {
  @Choice(CONNECTION_MODES, 'Only those with an owner, or only the shared ones.', { optional: true })
  connectionMode?: ConnectionMode;
}

export class ChannelConnectionDto {
  @Text() identifier!: string;
  @Choice(CHANNELS, { nullable: true }) channel!: Channel | null;
  @Text({ nullable: true }) providerId!: ProviderId | null;
  @Text({ nullable: true }) integrationIdentifier!: string | null;
  @Text('Null for a shared connection.', { nullable: true }) subscriberId!: string | null;
  @Texts() contextKeys!: string[];
  @Child(() => WorkspaceDto) workspace!: WorkspaceDto;
  @Child(() => AuthDto) auth!: AuthDto;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class ChannelConnectionListDto extends CursorEnvelope {
  @Children(() => ChannelConnectionDto) data!: ChannelConnectionDto[];
}
