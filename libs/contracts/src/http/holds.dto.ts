import { LIMITS } from '../limits';
import { HOLD_CAUSES, HOLD_TARGETS, type HoldCause, type HoldTarget } from '../vocabulary';
import { Children, Choice, Text, Whole } from './fields';

const HOLD_STATES = ['held', 'resuming'] as const;

/** The reason of a hold, which the activity shows. */
export class PauseDto {
  @Text('Shown in the activity of every step that waits.', {
    optional: true,
    trim: true,
    maxLength: LIMITS.holdReason,
    example: 'the provider has an incident',
  })
  reason?: string;
}

export class CreateHoldDto extends PauseDto {
  @Choice(HOLD_TARGETS, 'What is held.', { example: 'channel' }) target!: HoldTarget;

  @Text(
    'The id of the environment, the id or the `identifier` of the integration, the id or the `workflowId` of the ' +
      'workflow, or the name of the channel.',
    { trim: true, minLength: 1, maxLength: 256, example: 'email' },
  )
  id!: string;
}

export class HoldDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Choice(
    HOLD_CAUSES,
    '`missing_integration`: the channel has no active integration, and its environment holds such steps. This hold ' +
      'ends by itself when an integration of the channel is active.',
  )
  target!: HoldCause;
  @Text('The id of the target, or the name of the channel.') id!: string;
  @Text('The name of the target when it was held.') name!: string;
  @Text() reason!: string;
  @Text(
    '`operator`, the name of the API key, or the setting of the environment. What the operator holds, only the ' +
      'operator resumes.',
  )
  setBy!: string;
  @Text('The same as `setBy`, for older callers.') heldBy!: string;
  @Text('Since when it is held.', { format: 'date-time' }) createdAt!: string;
  @Choice(HOLD_STATES, '`resuming`: new steps run again, and the steps that waited are released at a bounded rate.')
  state!: (typeof HOLD_STATES)[number];
  @Text({ optional: true, format: 'date-time' }) resumedAt?: string;
  @Whole(`Steps that wait for it; counted up to ${LIMITS.countCap + 1}.`) waitingSteps!: number;
}

export class HoldListDto {
  @Children(() => HoldDto, 'Newest first.') data!: HoldDto[];
}
