import { Amount, Children, Text, Whole } from './fields';

const MOST = 1_000_000_000;

export class LimitsDto {
  @Text() environmentId!: string;
  @Text() environment!: string;
  @Whole({ nullable: true, description: 'Events a second across all gateways; null is no limit.' })
  eventsPerSecond!: number | null;
  @Whole({ nullable: true, description: 'Messages a day, from midnight UTC; null is no limit.' })
  messagesPerDay!: number | null;
  @Whole({ nullable: true, description: 'Milliseconds of a render process a second; null is the default of 250.' })
  renderMsPerSecond!: number | null;
  @Amount({ description: 'Channel steps of the notifications of today that were not skipped.' })
  messagesToday!: number;
}

export class LimitsListDto {
  @Children(() => LimitsDto) data!: LimitsDto[];
}

export class SetLimitsDto {
  @Text({ optional: true, description: 'An environment of the organization; default: that of the API key.' })
  environmentId?: string;

  @Whole({
    nullable: true,
    optional: true,
    min: 1,
    max: MOST,
    description: 'null removes the limit; without the field it stays.',
  })
  eventsPerSecond?: number | null;

  @Whole({ nullable: true, optional: true, min: 1, max: MOST })
  messagesPerDay?: number | null;

  @Whole({ nullable: true, optional: true, min: 1, max: 1_000 })
  renderMsPerSecond?: number | null;
}
