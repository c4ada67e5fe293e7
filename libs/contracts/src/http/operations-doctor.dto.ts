import { Children, Choice, Flag, Text } from './fields';

export const FINDING_SEVERITIES = ['ok', 'warn', 'bad'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

export class FindingDto {
  @Text({ description: 'What was looked at.' }) check!: string;
  @Choice(FINDING_SEVERITIES, { description: '`bad`: a promise does not hold, or work does not get done.' })
  severity!: FindingSeverity;
  @Text({ description: 'What was found.' }) found!: string;
  @Text({ nullable: true, description: 'What to do about it.' }) advice!: string | null;
}

export class DoctorDto {
  @Flag({ description: 'No finding is bad.' }) isFine!: boolean;
  @Children(() => FindingDto) findings!: FindingDto[];
}
