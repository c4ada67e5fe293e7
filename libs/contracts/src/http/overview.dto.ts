import { LIMITS } from '../limits';
import type { ProviderId } from '../provider-ids';
import { type Channel, CHANNELS, INTEGRATION_STATES, type IntegrationState } from '../vocabulary';
import { RetriedGroupDto } from './activity.dto';
import { Amount, Child, Children, Choice, Flag, Text, Whole } from './fields';

export class OverviewQuery {
  @Text(`ISO 8601; default: 24 hours before \`before\`. The range has at most ${LIMITS.overviewDays} days.`, {
    optional: true,
  })
  after?: string;

  @Text('ISO 8601; default: now.', { optional: true }) before?: string;
}

class EndedOutcomesDto {
  @Whole('Channel steps of the notifications that were made in the range.') accepted!: number;
  @Whole('Handed to the provider or to the inbox.') delivered!: number;
  @Whole('Steps that are failed now. A replay takes its steps out of this figure.') failed!: number;
  @Whole('Nothing was to be sent: skipped, canceled or merged into a digest.') skipped!: number;
}

export class OutcomeTotalsDto extends EndedOutcomesDto {
  @Whole('Open or not reached yet. Counted from the open work, independently of the other figures.') inFlight!: number;
  @Whole('May have been sent, and is held until a person decides.') inDoubt!: number;
}

const FAILURES = {
  description:
    'How often a step of these notifications failed or ended in doubt, also what was replayed since: `failed` and ' +
    '`inDoubt`, and every failure before a replay. It never becomes smaller.',
};
const RECOVERED = { description: 'Steps that failed, were replayed and then delivered.' };

class CountedOutcomesDto extends EndedOutcomesDto {
  @Whole(FAILURES) failures!: number;
  @Whole(RECOVERED) recovered!: number;
}

export class OverviewTotalsDto extends OutcomeTotalsDto {
  @Whole(FAILURES) failures!: number;
  @Whole(RECOVERED) recovered!: number;
}

export class BacklogDto {
  @Whole('Steps that could run now.') due!: number;
  @Whole('Steps that wait for a later time.') delayed!: number;
  @Text('Since when the oldest due step has been due.', { nullable: true }) oldestDueAt!: string | null;
  @Amount('How long the oldest due step has been due.') lagSeconds!: number;
}

export class ChannelOverviewDto {
  @Choice(CHANNELS) channel!: Channel;
  @Child(() => OverviewTotalsDto) totals!: OverviewTotalsDto;
  @Whole('accepted minus the sum of the other totals. 0 unless there is a fault.') difference!: number;
  @Child(() => BacklogDto, 'The current backlog; it does not depend on the range.') backlog!: BacklogDto;
}

export class OverviewPointDto extends CountedOutcomesDto {
  @Text('When the bucket begins.') at!: string;
  @Choice(CHANNELS) channel!: Channel;
  @Whole('Open steps that wait for the release of a hold.') held!: number;
  @Whole('Open steps that failed and wait for their next attempt.') retrying!: number;
}

export class OverviewDto {
  @Text('The range that is counted: the given one, rounded outward to whole buckets.') after!: string;
  @Text('The end of the range, exclusive.') before!: string;

  @Whole() bucketSeconds!: number;
  @Child(() => OverviewTotalsDto) totals!: OverviewTotalsDto;

  @Flag('Whether accepted = delivered + failed + skipped + inFlight + inDoubt holds, in total and by channel.')
  reconciles!: boolean;

  @Whole('accepted minus the sum of the other totals.') difference!: number;
  @Children(() => ChannelOverviewDto, 'Every channel.') channels!: ChannelOverviewDto[];

  @Children(() => OverviewPointDto, 'By time and channel. Buckets without any count are left out.')
  series!: OverviewPointDto[];

  @Children(
    () => RetriedGroupDto,
    'Attempts that failed and will be made again: steps that are in flight, whenever they were made, by reason. ' +
      `The largest first, at most ${LIMITS.errorGroups}.`,
  )
  retrying!: RetriedGroupDto[];
}

export class AccountHealthDto {
  @Choice(INTEGRATION_STATES) state!: IntegrationState;
  @Text('Since when it has this state; null while all is well.', { nullable: true }) since!: string | null;
  @Text('No calls are made before this time.', { nullable: true }) pausedUntil!: string | null;
  @Text('Why the last message failed, or why calls stopped.', { nullable: true }) lastError!: string | null;
  @Text({ nullable: true }) lastErrorAt!: string | null;
  @Flag('True if the message of the last error was replayed and then delivered.') lastErrorRecovered!: boolean;
}

export class IntegrationHourDto {
  @Text('When the hour begins.') at!: string;
  @Whole() messages!: number;
  @Whole() failedMessages!: number;
}

export class IntegrationOverviewDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text() identifier!: string;
  @Text() providerId!: ProviderId;
  @Choice(CHANNELS) channel!: Channel;
  @Flag() active!: boolean;
  @Flag() primary!: boolean;
  @Child(() => AccountHealthDto) health!: AccountHealthDto;
  @Whole(`Among the newest ${LIMITS.integrationMessages} messages of its channel of the last 24 hours.`)
  messages!: number;
  @Whole('Those of `messages` that failed.') failedMessages!: number;
  @Children(() => IntegrationHourDto, 'The same messages by hour. Hours without any are left out.')
  hours!: IntegrationHourDto[];
}

export class IntegrationOverviewListDto {
  @Children(() => IntegrationOverviewDto, `By channel, at most ${LIMITS.overviewIntegrations}; the active ones first.`)
  data!: IntegrationOverviewDto[];
}

export class WorkflowStatisticsDto extends CountedOutcomesDto {
  @Text() _id!: string;
  @Text() workflowId!: string;
  @Text({ nullable: true }) lastTriggeredAt!: string | null;
}

export class WorkflowStatisticsListDto {
  @Children(
    () => WorkflowStatisticsDto,
    `Workflows with channel steps in the range, at most ${LIMITS.overviewWorkflows}; ` +
      'those with the most accepted steps first.',
  )
  data!: WorkflowStatisticsDto[];
}
