import type { JsonObject } from '../json';
import { CLOCK_TIME, type DaySchedule, type SubscriberSchedule, type TimeRange } from '../subscriber-preferences';
import { LIMITS } from '../limits';
import { type Channel, CHANNELS, SEVERITIES, type Severity } from '../vocabulary';
import { Child, Children, Choice, Flag, JsonMap, QueryTexts, QueryWhole, Text, Texts } from './fields';

export class TimeRangeDto implements TimeRange {
  @Text('On a clock of twelve hours.', {
    pattern: CLOCK_TIME,
    patternMessage: 'start must be a time such as 09:00 AM',
    example: '09:00 AM',
  })
  start!: string;

  @Text('At or before `start`: on the next day. 11:59 PM: to the end of the day.', {
    pattern: CLOCK_TIME,
    patternMessage: 'end must be a time such as 05:00 PM',
    example: '05:00 PM',
  })
  end!: string;
}

export class DayScheduleDto implements DaySchedule {
  @Flag() isEnabled!: boolean;

  @Children(() => TimeRangeDto, 'None: closed all day.', { optional: true, max: LIMITS.rangesPerDay })
  hours?: TimeRangeDto[];
}

const DAY = [() => DayScheduleDto, { optional: true }] as const;

export class WeeklyScheduleDto {
  @Child(...DAY) monday?: DayScheduleDto;
  @Child(...DAY) tuesday?: DayScheduleDto;
  @Child(...DAY) wednesday?: DayScheduleDto;
  @Child(...DAY) thursday?: DayScheduleDto;
  @Child(...DAY) friday?: DayScheduleDto;
  @Child(...DAY) saturday?: DayScheduleDto;
  @Child(...DAY) sunday?: DayScheduleDto;
}

export class ScheduleDto implements SubscriberSchedule {
  @Flag('False: at any time.') isEnabled!: boolean;

  @Child(
    () => WeeklyScheduleDto,
    "By the clock of the subscriber's time zone, else UTC. A day that is not named is closed.",
    { optional: true },
  )
  weeklySchedule?: WeeklyScheduleDto;
}

export class ChannelFlagsDto implements Partial<Record<Channel, boolean>> {
  @Flag({ optional: true }) in_app?: boolean;
  @Flag({ optional: true }) email?: boolean;
  @Flag({ optional: true }) sms?: boolean;
  @Flag({ optional: true }) chat?: boolean;
  @Flag({ optional: true }) push?: boolean;
}

/** Changes as clients of the interface may send them: they know one channel more. */
export class ChannelChangesDto extends ChannelFlagsDto {
  @Flag('There is no such channel: it has no effect.', { optional: true, deprecated: true }) tool?: boolean;
}

const CONTEXT = {
  optional: true,
  description: `Up to ${LIMITS.contexts} contexts (type to id, or type to {id}) to which alone the change applies.`,
  example: { region: 'eu' },
} as const;
const WORKFLOW_ID = { maxLength: 256, description: 'The workflowId, the id or the slug.' } as const;

export class PatchPreferencesDto {
  @Child(() => ChannelChangesDto, 'What is left out stays as it is.', { optional: true }) channels?: ChannelChangesDto;

  @Text(`${WORKFLOW_ID.description} None: the global preference.`, { ...WORKFLOW_ID, optional: true })
  workflowId?: string;

  @Child(() => ScheduleDto, 'Of the global preference. Without `weeklySchedule` the week stays as it is.', {
    optional: true,
  })
  schedule?: ScheduleDto;

  @JsonMap(CONTEXT) context?: JsonObject;
}

export class BulkPreferenceDto {
  @Text(WORKFLOW_ID) workflowId!: string;
  @Child(() => ChannelChangesDto, 'What is left out stays as it is.') channels!: ChannelChangesDto;
}

export class BulkPreferencesDto {
  @Children(() => BulkPreferenceDto, 'All are changed, or none.', { max: LIMITS.bulkPreferences })
  preferences!: BulkPreferenceDto[];

  @JsonMap(CONTEXT) context?: JsonObject;
}

export const CRITICALITIES = ['critical', 'nonCritical', 'all'] as const;
export type Criticality = (typeof CRITICALITIES)[number];

export class ListPreferencesQuery {
  @Choice(CRITICALITIES, 'Default nonCritical: what the subscriber can switch off.', { optional: true })
  criticality: Criticality = 'nonCritical';

  @QueryTexts('What applies in exactly these contexts (`type:id`); none: without context.', {
    maxLength: LIMITS.contextBytes,
    max: LIMITS.contexts,
  })
  contextKeys?: string[];

  @QueryWhole('Workflows of one answer.', {
    min: 1,
    max: LIMITS.preferredWorkflows,
    default: LIMITS.preferredWorkflows,
  })
  limit: number = LIMITS.preferredWorkflows;

  @QueryWhole({ min: 0, max: LIMITS.pageOffset, default: 0 }) offset: number = 0;
}

export const PREFERENCE_SOURCES = ['subscriber', 'template'] as const;
export type PreferenceSource = (typeof PREFERENCE_SOURCES)[number];

export class PreferenceOverrideDto {
  @Choice(CHANNELS) channel!: Channel;
  @Choice(PREFERENCE_SOURCES, 'Who decided: the subscriber, or the workflow.') source!: PreferenceSource;
}

export class SubscriberGlobalPreferenceDto {
  @Flag() enabled!: boolean;
  @Child(() => ChannelFlagsDto) channels!: ChannelFlagsDto;
  @Child(() => ScheduleDto, { optional: true }) schedule?: ScheduleDto;
}

export class PreferenceWorkflowDto {
  @Text() slug!: string;
  @Text() identifier!: string;
  @Text() name!: string;
  @Flag() critical!: boolean;
  @Text() updatedAt!: string;
}

export class SubscriberWorkflowPreferenceDto {
  @Flag() enabled!: boolean;
  @Child(() => ChannelFlagsDto, 'Of the channels that the workflow uses.') channels!: ChannelFlagsDto;

  @Children(
    () => PreferenceOverrideDto,
    'One entry for each channel that the subscriber or the workflow decided about.',
  )
  overrides!: PreferenceOverrideDto[];

  @Child(() => PreferenceWorkflowDto) workflow!: PreferenceWorkflowDto;
  @Text('When the subscriber changed it; absent when that never happened.', { optional: true }) updatedAt?: string;
}

export class SubscriberPreferencesDto {
  @Child(() => SubscriberGlobalPreferenceDto) global!: SubscriberGlobalPreferenceDto;
  @Children(() => SubscriberWorkflowPreferenceDto) workflows!: SubscriberWorkflowPreferenceDto[];
  @Flag('True when there are more workflows after these.') hasMore!: boolean;
}

export class PreferenceSubjectDto {
  @Text() id!: string;
  @Text() identifier!: string;
  @Text() name!: string;
  @Flag() critical!: boolean;
  @Texts() tags!: string[];
  @Choice(SEVERITIES) severity!: Severity;
}

export const PREFERENCE_LEVELS = ['global', 'template'] as const;
export type PreferenceLevel = (typeof PREFERENCE_LEVELS)[number];

export class ChangedPreferenceDto {
  @Choice(PREFERENCE_LEVELS) level!: PreferenceLevel;
  @Child(() => PreferenceSubjectDto) workflow!: PreferenceSubjectDto;
  @Flag() enabled!: boolean;
  @Child(() => ChannelFlagsDto) channels!: ChannelFlagsDto;
}
