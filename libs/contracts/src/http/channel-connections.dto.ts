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
  @Text({ minLength: 1, maxLength: 256, description: 'The id of the workspace (Slack) or the tenant (Teams).' })
  id!: string;
  @Text({ optional: true, maxLength: 256 }) name?: string;
  @Text({ optional: true, maxLength: 256, description: 'The user that the app has in the workspace.' })
  botUserId?: string;
}

export class AuthDto {
  @Text({
    ...TOKEN,
    minLength: 1,
    description: 'The token that sends. Masked for keys that may not change it; a mask that is sent back keeps it.',
  })
  accessToken!: string;
  @Text({ ...TOKEN, optional: true, description: 'For tokens that expire: gets the next one.' }) refreshToken?: string;
  @Text({ optional: true, format: 'date-time', description: 'ISO 8601.' }) expiresAt?: string;
  @Text({ optional: true, format: 'date-time', description: 'ISO 8601.' }) refreshTokenExpiresAt?: string;
}

export class CreateChannelConnectionDto {
  @Text({ ...CHANNEL_IDENTIFIER, description: 'Unique in the environment; made if absent.' })
  identifier?: string;

  @Text({ ...SUBSCRIBER, description: 'The owner of the connection. Absent for a shared one.' })
  subscriberId?: string;

  @JsonMap(CONTEXT_OF_CHANNEL) context?: JsonObject;

  @Choice(CONNECTION_MODES, {
    optional: true,
    description: 'Default subscriber. `shared`: all subscribers with its contexts use it, and none owns it.',
  })
  connectionMode?: ConnectionMode;

  @Text({ minLength: 1, maxLength: 256, description: 'The identifier of a chat integration.' })
  integrationIdentifier!: string;

  @Child(() => WorkspaceDto) workspace!: WorkspaceDto;
  @Child(() => AuthDto) auth!: AuthDto;
}

export class UpdateChannelConnectionDto {
  @Child(() => WorkspaceDto) workspace!: WorkspaceDto;
  @Child(() => AuthDto) auth!: AuthDto;
}

/** Filters that the lists of connections and endpoints share. */
export class ChannelListQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: CursorOrder = '_id';

  @Text({ optional: true, maxLength: 512, description: 'The whole subscriberId.' })
  subscriberId?: string;

  @Choice(CHANNELS, { optional: true }) channel?: Channel;
  @BrandedChoice(PROVIDER_IDS, { optional: true }) providerId?: ProviderId;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'The whole identifier.' })
  integrationIdentifier?: string;

  @QueryTexts({
    maxLength: LIMITS.contextBytes,
    max: LIMITS.contexts,
    description: 'Exactly these contexts (`type:id`), in any order; one empty text: those without any.',
  })
  contextKeys?: string[];
}

export class ListChannelConnectionsQuery extends ChannelListQuery {
  @Choice(CONNECTION_MODES, { optional: true, description: 'Only those with an owner, or only the shared ones.' })
  connectionMode?: ConnectionMode;
}

export class ChannelConnectionDto {
  @Text() identifier!: string;
  @Choice(CHANNELS, { nullable: true }) channel!: Channel | null;
  @Text({ nullable: true }) providerId!: ProviderId | null;
  @Text({ nullable: true }) integrationIdentifier!: string | null;
  @Text({ nullable: true, description: 'Null for a shared connection.' }) subscriberId!: string | null;
  @Texts() contextKeys!: string[];
  @Child(() => WorkspaceDto) workspace!: WorkspaceDto;
  @Child(() => AuthDto) auth!: AuthDto;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class ChannelConnectionListDto extends CursorEnvelope {
  @Children(() => ChannelConnectionDto) data!: ChannelConnectionDto[];
}
