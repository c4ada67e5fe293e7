import { LIMITS } from '../limits';
import type { ProviderId } from '../provider-ids';
import { type Channel, CHANNELS, INTEGRATION_STATES, type IntegrationState } from '../vocabulary';
import { RetriedGroupDto } from './activity.dto';
import { Amount, Child, Children, Choice, Flag, Text, Whole } from './fields';

export class OverviewQuery {
  @Text({
    optional: true,
    description: `ISO 8601; default: 24 hours before \`before\`. The range has at most ${LIMITS.overviewDays} days.`,
  })
  after?: string;

  @Text({ optional: true, description: 'ISO 8601; default: now.' }) before?: string;
}

class EndedOutcomesDto {
  @Whole({ description: 'Channel steps of the notifications that were made in the range.' })
  accepted!: number;

  @Whole({ description: 'Handed to the provider or to the inbox.' }) delivered!: number;

  @Whole({ description: 'Steps that are failed now. A replay takes its steps out of this figure.' })
  failed!: number;

  @Whole({ description: 'Nothing was to be sent: skipped, canceled or merged into a digest.' })
  skipped!: number;
}

export class OutcomeTotalsDto extends EndedOutcomesDto {
  @Whole({ description: 'Open or not reached yet. Counted from the open work, independently of the other figures.' })
  inFlight!: number;

  @Whole({ description: 'May have been sent, and is held until a person decides.' })
  inDoubt!: number;
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
  @Whole({ description: 'Steps that could run now.' }) due!: number;
  @Whole({ description: 'Steps that wait for a later time.' }) delayed!: number;

  @Text({ nullable: true, description: 'Since when the oldest due step has been due.' })
  oldestDueAt!: string | null;

  @Amount({ description: 'How long the oldest due step has been due.' }) lagSeconds!: number;
}

export class ChannelOverviewDto {
  @Choice(CHANNELS) channel!: Channel;
  @Child(() => OverviewTotalsDto) totals!: OverviewTotalsDto;
  @Whole({ description: 'accepted minus the sum of the other totals. 0 unless there is a fault.' })
  difference!: number;
  @Child(() => BacklogDto, { description: 'The current backlog; it does not depend on the range.' })
  backlog!: BacklogDto;
}

export class OverviewPointDto extends CountedOutcomesDto {
  @Text({ description: 'When the bucket begins.' }) at!: string;
  @Choice(CHANNELS) channel!: Channel;
}

export class OverviewDto {
  @Text({ description: 'The range that is counted: the given one, rounded outward to whole buckets.' })
  after!: string;

  @Text({ description: 'The end of the range, exclusive.' }) before!: string;

  @Whole() bucketSeconds!: number;
  @Child(() => OverviewTotalsDto) totals!: OverviewTotalsDto;

  @Flag({
    description: 'Whether accepted = delivered + failed + skipped + inFlight + inDoubt holds, in total and by channel.',
  })
  reconciles!: boolean;

  @Whole({ description: 'accepted minus the sum of the other totals.' }) difference!: number;

  @Children(() => ChannelOverviewDto, { description: 'Every channel.' })
  channels!: ChannelOverviewDto[];

  @Children(() => OverviewPointDto, { description: 'By time and channel. Buckets without any count are left out.' })
  series!: OverviewPointDto[];

  @Children(() => RetriedGroupDto, {
    description:
      'Attempts that failed and will be made again: steps that are in flight, whenever they were made, by reason. ' +
      `The largest first, at most ${LIMITS.errorGroups}.`,
  })
  retrying!: RetriedGroupDto[];
}

export class AccountHealthDto {
  @Choice(INTEGRATION_STATES) state!: IntegrationState;
  @Text({ nullable: true, description: 'Since when it has this state; null while all is well.' }) since!: string | null;
  @Text({ nullable: true, description: 'No calls are made before this time.' }) pausedUntil!: string | null;
  @Text({ nullable: true, description: 'Why the last message failed, or why calls stopped.' })
  lastError!: string | null;
  @Text({ nullable: true }) lastErrorAt!: string | null;
  @Flag({ description: 'True if the message of the last error was replayed and then delivered.' })
  lastErrorRecovered!: boolean;
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
  @Whole({
    description: `Among the newest ${LIMITS.integrationMessages} messages of its channel of the last 24 hours.`,
  })
  messages!: number;
  @Whole({ description: 'Those of `messages` that failed.' }) failedMessages!: number;
}

export class IntegrationOverviewListDto {
  @Children(() => IntegrationOverviewDto, {
    description: `By channel, at most ${LIMITS.overviewIntegrations}; the active ones first.`,
  })
  data!: IntegrationOverviewDto[];
}

export class WorkflowStatisticsDto extends CountedOutcomesDto {
  @Text() _id!: string;
  @Text() workflowId!: string;
  @Text({ nullable: true }) lastTriggeredAt!: string | null;
}

export class WorkflowStatisticsListDto {
  @Children(() => WorkflowStatisticsDto, {
    description:
      `Workflows with channel steps in the range, at most ${LIMITS.overviewWorkflows}; ` +
      'those with the most accepted steps first.',
  })
  data!: WorkflowStatisticsDto[];
}
