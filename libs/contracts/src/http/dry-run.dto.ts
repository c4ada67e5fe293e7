import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { PROVIDER_IDS, type ProviderId } from '../provider-ids';
import { AUTHORED_STEP_TYPES, type AuthoredStepType } from '../step-types';
import {
  DETAIL_SOURCES,
  DETAIL_STATUSES,
  type DetailSource,
  type DetailStatus,
  RULE_NAMES,
  type RuleName,
} from '../vocabulary';
import { Child, Children, Choice, Flag, JsonMap, QueryFlag, Text, Texts, Whole } from './fields';
import { IntegrationHealthDto } from './integrations.dto';

/** complete: a throttle that lets through, or a custom step. merge: joins a digest that is open. */
export const DRY_RUN_OUTCOMES = [
  'would_send',
  'would_skip',
  'would_fail',
  'would_wait',
  'would_merge',
  'would_complete',
] as const;
export type DryRunOutcome = (typeof DRY_RUN_OUTCOMES)[number];

export class DryRunQuery {
  @QueryFlag(
    'Explain what would happen, and let nothing happen: no event is stored, no subscriber changed, no ' +
      'idempotency-key used up. Needs a key with full scope.',
  )
  dryRun?: boolean;
}

export class TriggerQuery extends DryRunQuery {
  @QueryFlag('Mark the event as a test. It is sent like any other, and its execution details have `isTest: true`.')
  test?: boolean;
}

export class DryRunDetailDto {
  @Choice(DETAIL_STATUSES) status!: DetailStatus;
  @Text() detail!: string;
  @Choice(DETAIL_SOURCES, { optional: true }) source?: DetailSource;
  @Choice(PROVIDER_IDS, { optional: true }) providerId?: ProviderId;
  @ApiProperty({ required: false, oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }] })
  raw?: unknown;
}

export class DryRunProviderDto {
  @Text() identifier!: string;
  @Choice(PROVIDER_IDS) providerId!: ProviderId;
  @Text() name!: string;
  @Child(() => IntegrationHealthDto, { optional: true }) health?: IntegrationHealthDto;
}

export class DryRunTargetDto {
  @Text() identifier!: string;
  @Choice(PROVIDER_IDS) providerId!: ProviderId;
  @Whole('Devices that a push message would go to.', { optional: true }) devices?: number;
}

/** What would be sent: the fields that the channel has. */
export class DryRunContentDto {
  @Texts('Email addresses, or the phone number.', { optional: true }) to?: string[];
  @Texts({ optional: true }) cc?: string[];
  @Texts({ optional: true }) bcc?: string[];
  @Text({ optional: true }) subject?: string;
  @Text({ optional: true }) preheader?: string;
  @Text({ optional: true }) html?: string;
  @Text('The part of an email for readers without HTML.', { optional: true }) text?: string;
  @Text({ optional: true }) title?: string;
  @Text('Of every channel but email.', { optional: true }) body?: string;
  @Text({ optional: true }) avatar?: string;
  @JsonMap({ optional: true }) cta?: JsonObject;
  @JsonMap({ optional: true }) data?: JsonObject;
  @Children(() => DryRunTargetDto, 'Where a chat or push message would go.', { optional: true })
  targets?: DryRunTargetDto[];
}

export class EvaluatedRuleDto {
  @Choice(RULE_NAMES) rule!: RuleName;
  @Flag('False: the step stops here, and later rules are not evaluated.') passed!: boolean;
  @Text('The result in words.') detail!: string;
  @JsonMap('What the rule compared; empty when there was nothing to compare.') values!: JsonObject;
}

export class DryRunStepDto {
  @Text() stepId!: string;
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;
  @Choice(DRY_RUN_OUTCOMES) outcome!: DryRunOutcome;
  @Text('The detail that decides the outcome.') why!: string;
  @Text('When a step that waits goes on.', { optional: true }) until?: string;
  @Children(() => DryRunDetailDto, 'The execution details of the step, if the providers accept its messages.')
  details!: DryRunDetailDto[];
  @Children(() => EvaluatedRuleDto, 'In the order of their evaluation; only in the explanation for one subscriber.', {
    optional: true,
  })
  rules?: EvaluatedRuleDto[];
  @Children(() => DryRunProviderDto, 'In the order in which they would be tried.', { optional: true })
  providers?: DryRunProviderDto[];
  @Child(() => DryRunContentDto, { optional: true }) content?: DryRunContentDto;
  @Flag('The contents are too large, all together, to be shown.', { optional: true }) contentOmitted?: boolean;
}

export class DryRunRecipientDto {
  @Text() subscriberId!: string;
  @Flag('False when the subscriber would be created.') exists!: boolean;
  @Texts('Keys of the topics through which the recipient is reached.', { optional: true }) topics?: string[];
  @Children(() => DryRunStepDto) steps!: DryRunStepDto[];
}

export class DryRunDto {
  @Whole('Of topics with more members than are explained, those count too whose own rules may still keep them out.')
  recipientCount!: number;
  @Flag(`There are more than ${LIMITS.countCap}.`, { optional: true }) recipientCountCapped?: boolean;
  @Children(
    () => DryRunRecipientDto,
    `At most ${LIMITS.dryRunEventRecipients} of one event and ${LIMITS.dryRunRecipients} of one call, but one ` +
      `of each event.`,
  )
  recipients!: DryRunRecipientDto[];
  @Flag('Not all recipients are explained.', { optional: true }) truncated?: boolean;
  @Flag('The event was accepted before under its transactionId: nothing would happen.', { optional: true })
  alreadyAccepted?: boolean;
}
