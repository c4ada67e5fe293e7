import { Children, Choice, Flag, Text } from './fields';

export const FINDING_SEVERITIES = ['ok', 'warn', 'bad'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

export class FindingDto {
  @Text('What was looked at.') check!: string;
  @Choice(FINDING_SEVERITIES, '`bad`: a promise does not hold, or work does not get done.') severity!: FindingSeverity;
  @Text('What was found.') found!: string;
  @Text('What to do about it.', { nullable: true }) advice!: string | null;
}

export class DoctorDto {
  @Flag('No finding is bad.') isFine!: boolean;
  @Children(() => FindingDto) findings!: FindingDto[];
}
