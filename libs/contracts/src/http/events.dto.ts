import { Allow, IsDefined } from 'class-validator';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { Json, JsonObject } from '../json';
import { PRIORITIES, type Priority } from '../lanes';
import { LIMITS } from '../limits';
import { CHANNEL_PROVIDER_IDS, type ChannelProviderId } from '../provider-ids';
import { TRIGGER_STATUSES, type TriggerStatus } from '../vocabulary';
import { DryRunDto } from './dry-run.dto';
import { BrandedChoice, Child, Children, Choice, Flag, JsonList, JsonMap, Text, Texts, Whole } from './fields';
import { ChannelCredentialsDto, SubscriberProfileDto } from './subscribers.dto';

export class RecipientChannelDto {
  @BrandedChoice(CHANNEL_PROVIDER_IDS) providerId!: ChannelProviderId;
  @Text({ optional: true, maxLength: 256 }) integrationIdentifier?: string;
  @Child(() => ChannelCredentialsDto) credentials!: ChannelCredentialsDto;
}

/** A subscriber named in `to`: the given profile fields are written to the subscriber, which is created if absent. */
export class RecipientDto extends SubscriberProfileDto {
  @Text({ trim: true, minLength: 1, maxLength: 512 }) subscriberId!: string;
  @Children(() => RecipientChannelDto, { optional: true, max: 100 }) channels?: RecipientChannelDto[];
}

/** All members of a topic except the actor and the subscribers in `exclude`. */
export class TopicRecipientDto {
  @Choice(['Topic']) type!: 'Topic';
  @Text({ trim: true, minLength: 1, maxLength: LIMITS.topicKey }) topicKey!: string;
  @Texts({ optional: true, max: LIMITS.topicExclude, maxLength: 512 }) exclude?: string[];
}

class EventDto {
  @Text('Identifier of the workflow (workflowId).', { minLength: 1, maxLength: 256 }) name!: string;
  @JsonMap('Overrides for workflow, steps, channels and providers.', { optional: true }) overrides?: JsonObject;

  @JsonMap('Kept with the notifications, which show it as `controls`; changes nothing.', { optional: true })
  controls?: JsonObject;

  @Text(
    'One effect per transactionId: the same event again answers the same and does nothing; another event under ' +
      'it is an error.',
    { optional: true, minLength: 1, maxLength: 256 },
  )
  transactionId?: string;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description: 'Who caused it: a subscriberId or a subscriber.',
  })
  @Allow()
  actor?: Json;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    description: 'Identifier of an existing tenant.',
  })
  @Allow()
  tenant?: Json;

  @JsonMap(
    `Up to ${LIMITS.contexts} contexts: type (1 to ${LIMITS.contextType} characters) to id (1 to ` +
      `${LIMITS.contextId}), or type to {id, data}; types and ids have at most ${LIMITS.contextBytes} bytes together.`,
    { optional: true, example: { region: 'eu' } },
  )
  context?: JsonObject;

  @Whole(
    'Time to live in seconds, from the acceptance of the event. A message that would be sent later, for example ' +
      'after a delay, a hold or a retry, is not sent, and the activity says so. A digest has that of its first event.',
    { optional: true, min: 1, max: LIMITS.ttl, example: 3600 },
  )
  ttl?: number;

  @Choice(
    PRIORITIES,
    'Who goes first. Default `critical` for a critical workflow, `bulk` for a broadcast or a topic with more than ' +
      '1,000 members, and `normal` otherwise. A key of the scope `trigger` may raise it above its default only in an ' +
      'environment with `allowRaisedPriority`.',
    { optional: true },
  )
  priority?: Priority;
}

const ONE_RECIPIENT = [
  { type: 'string' },
  { $ref: getSchemaPath(RecipientDto) },
  { $ref: getSchemaPath(TopicRecipientDto) },
];

@ApiExtraModels(RecipientDto, TopicRecipientDto)
export class TriggerEventDto extends EventDto {
  @JsonMap('Variables of the workflow.', { optional: true }) payload?: JsonObject;

  @ApiProperty({
    description: `A subscriberId, subscriber, topic {type: "Topic", topicKey}, or up to ${LIMITS.recipients} of these.`,
    oneOf: [...ONE_RECIPIENT, { type: 'array', items: { oneOf: ONE_RECIPIENT }, maxItems: LIMITS.recipients }],
  })
  @IsDefined({ message: 'to is required' })
  to!: Json;
}

export class BroadcastEventDto extends EventDto {
  @JsonMap() payload!: JsonObject;
}

@ApiExtraModels(TriggerEventDto)
export class BulkTriggerDto {
  @JsonList(() => TriggerEventDto, 'Each element gets a separate result.', { max: LIMITS.bulkEvents })
  events!: unknown[];
}

export class TriggerResultDto {
  @Flag() acknowledged!: boolean;
  @Choice(TRIGGER_STATUSES) status!: TriggerStatus;
  @Texts({ optional: true }) error?: string[];
  @Text({ optional: true }) transactionId?: string;
  @Child(() => DryRunDto, 'What would happen; of a dry run only.', { optional: true }) dryRun?: DryRunDto;
}
