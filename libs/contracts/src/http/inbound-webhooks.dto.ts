import { Child, Choice, Flag, Text } from './fields';

/** The delivery status of a message, as the interface names it. */
export const INBOUND_STATUSES = [
  'sent',
  'delivered',
  'deferred',
  'bounced',
  'rejected',
  'failed',
  'opened',
  'clicked',
  'complaint',
  'unsubscribed',
] as const;
export type InboundStatus = (typeof INBOUND_STATUSES)[number];

export class InboundEventBodyDto {
  @Choice(INBOUND_STATUSES) status!: InboundStatus;
  @Text('When it happened, ISO 8601.') date!: string;
  @Text("The provider's id of the message.", { optional: true }) externalId?: string;
  @Text('The reason that the provider reports.', { optional: true }) response?: string;
}

export class InboundEventDto {
  @Text("The provider's id of the event.") id!: string;
  @Child(() => InboundEventBodyDto) event!: InboundEventBodyDto;
  @Flag('False for a repetition, and where no message of this integration is known.') applied!: boolean;
}
