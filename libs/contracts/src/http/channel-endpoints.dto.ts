import { ENDPOINT_TYPES, endpointTypeFacts, type EndpointFields, type EndpointType } from '../channel-endpoints';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import type { ProviderId } from '../provider-ids';
import { type Channel, CHANNELS } from '../vocabulary';
import { CHANNEL_IDENTIFIER, ChannelListQuery, CONTEXT_OF_CHANNEL } from './channel-connections.dto';
import { Children, Choice, Flag, JsonMap, Text, Texts } from './fields';
import { CursorEnvelope } from './lists.dto';

const fieldsOf = (type: EndpointType): string => {
  const { required, optional = [] } = endpointTypeFacts(type);
  return [...required, ...optional.map((field) => `${field}?`)].join(', ');
};

const FIELDS = `By type: ${ENDPOINT_TYPES.map((type) => `${type} (${fieldsOf(type)})`).join('; ')}.`;

class NewChannelEndpointDto {
  @Text('Unique in the environment; made if absent.', { ...CHANNEL_IDENTIFIER }) identifier?: string;
  @JsonMap(CONTEXT_OF_CHANNEL) context?: JsonObject;
  @Text('The identifier of a chat integration.', { minLength: 1, maxLength: 256 }) integrationIdentifier!: string;

  @Text(
    'The connection whose token sends. Absent: the newest connection of the integration with the same contexts ' +
      'that the subscriber owns, else a shared one.',
    { optional: true, maxLength: 256 },
  )
  connectionIdentifier?: string;

  @Choice(ENDPOINT_TYPES) type!: EndpointType;
  @JsonMap(FIELDS, { example: { channelId: 'C0123456789' } }) endpoint!: JsonObject;
}

export class CreateChannelEndpointDto extends NewChannelEndpointDto {
  @Text({ minLength: 1, maxLength: 512 }) subscriberId!: string;

  @Flag('True: a missing subscriber is created. Default false.', { optional: true })
  createSubscriberIfMissing?: boolean;
}

export class CreateInboxEndpointDto extends NewChannelEndpointDto {
  @Text('The subscriber of the session.', { optional: true, maxLength: 512 }) subscriberId?: string;
}

export class UpdateChannelEndpointDto {
  @JsonMap(`Replaces what is there. ${FIELDS}`, { example: { channelId: 'C0123456789' } }) endpoint!: JsonObject;
}

export class ListChannelEndpointsQuery extends ChannelListQuery {
  @Text('The whole identifier of the connection.', { optional: true, maxLength: LIMITS.filterText })
  connectionIdentifier?: string;
}

export class ChannelEndpointDto {
  @Text() identifier!: string;
  @Choice(CHANNELS, { nullable: true }) channel!: Channel | null;
  @Text({ nullable: true }) providerId!: ProviderId | null;
  @Text({ nullable: true }) integrationIdentifier!: string | null;
  @Text({ nullable: true }) connectionIdentifier!: string | null;
  @Text({ nullable: true }) subscriberId!: string | null;
  @Texts() contextKeys!: string[];
  @Choice(ENDPOINT_TYPES) type!: EndpointType;
  @JsonMap(`${FIELDS} A webhook URL is masked for keys that may not change it.`) endpoint!: EndpointFields;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class ChannelEndpointListDto extends CursorEnvelope {
  @Children(() => ChannelEndpointDto) data!: ChannelEndpointDto[];
}
