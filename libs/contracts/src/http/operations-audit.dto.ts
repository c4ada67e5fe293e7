import { LIMITS } from '../limits';
import { AUDITED_BY, type AuditedBy, type Channel, CHANNELS, type Outcome, OUTCOMES } from '../vocabulary';
import { Child, Children, Choice, Flag, QueryFlag, Text, Texts, Whole } from './fields';
import { OutcomeTotalsDto } from './overview.dto';

export class AuditQuery {
  @Text('The transactionId of one trigger of the environment.') transactionId!: string;
}

export class AuditRangeQuery {
  @Text(`ISO 8601; default: one hour before \`until\`. The range has at most ${LIMITS.auditDays} day.`, {
    optional: true,
  })
  since?: string;

  @Text('ISO 8601; default: now.', { optional: true }) until?: string;
  @Text('One environment of the organization; default: all.', { optional: true }) environmentId?: string;
  @QueryFlag('Read all rows; otherwise not those of hours with many notifications whose counted outcomes add up.', {
    optional: true,
  })
  rows?: boolean;
}

class AuditedEventsDto {
  @Whole('Triggers that were answered with 201.') accepted!: number;
  @Whole('Did not become notifications; the trigger says why.') failed!: number;
  @Whole() canceled!: number;
  @Whole('Not all of their notifications are made yet.') open!: number;
}

class AuditedIdsDto {
  @Choice(OUTCOMES) outcome!: Outcome;
  @Texts(`The ids of the first ${LIMITS.auditIds} steps.`) ids!: string[];
}

class AuditedChannelDto {
  @Text() environmentId!: string;
  @Choice(CHANNELS) channel!: Channel;
  @Child(() => OutcomeTotalsDto) totals!: OutcomeTotalsDto;
  @Whole('accepted minus the sum of the other totals. 0 unless there is a fault.') difference!: number;
  @Flag('Whether the figures of the overview, which are counted separately, are the same as the records.')
  agreesWithOverview!: boolean;
  @Children(() => AuditedIdsDto) steps!: AuditedIdsDto[];
}

class AuditCheckDto {
  @Text() name!: string;
  @Text('What is wrong with a row that the check counts.') description!: string;
  @Whole('0 unless there is a fault.') count!: number;
  @Texts(`The first ${LIMITS.auditIds} ids.`) ids!: string[];
}

export class AuditDto {
  @Flag('accepted = delivered + failed + skipped + in flight + in doubt, and no check found a row.')
  reconciles!: boolean;
  @Child(() => AuditedEventsDto) events!: AuditedEventsDto;
  @Whole() notifications!: number;
  @Child(() => OutcomeTotalsDto) totals!: OutcomeTotalsDto;
  @Children(() => AuditedChannelDto) channels!: AuditedChannelDto[];
  @Children(() => AuditCheckDto) checks!: AuditCheckDto[];
}

export class AuditRangeDto extends AuditDto {
  @Text('The range that is counted: the given one, rounded outward to whole minutes or hours.') after!: string;
  @Text('The end of the range, exclusive.') before!: string;
  @Choice(
    AUDITED_BY,
    '`rows`: all rows were read. `rollups`: the counted outcomes and the open work of hours with more than ' +
      `${LIMITS.auditedRows} notifications add up, so only their open steps and events were checked and listed.`,
  )
  comparedBy!: AuditedBy;
}
