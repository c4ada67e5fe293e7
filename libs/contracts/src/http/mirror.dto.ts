import { LIMITS } from '../limits';
import {
  type Channel,
  CHANNELS,
  MIRROR_DIFFERENCES,
  MIRROR_SENDERS,
  MIRROR_STATES,
  type MirrorDifferenceKind,
  type MirrorSender,
  type MirrorState,
} from '../vocabulary';
import { Child, Children, Choice, QueryChoices, QueryFlag, Text, Whole } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';

const SENDER =
  '`other`: the other system sends to people, and this environment is of the kind `sandbox`. `clarion`: this ' +
  'environment sends, and the other system must not.';
const PERCENT = 'Of the triggers, so many percent are compared. All of them are copied.';
const SETTLE = 'Seconds after a trigger was copied until the results are compared for the first time.';
const UNTIL = `It ends at this time, at most ${LIMITS.mirrorDays} days ahead.`;

export class StartMirrorDto {
  @Text({
    trim: true,
    minLength: 1,
    maxLength: LIMITS.webhookUrl,
    description:
      'The base URL of the other system, to which paths such as /v1/events/trigger are added. Plain http is possible ' +
      'for hosts that the operator lists in CLARION_EGRESS_ALLOW.',
    example: 'https://notifications.example.com',
  })
  url!: string;

  @Text({
    trim: true,
    minLength: 1,
    maxLength: 500,
    description: 'An API key of the other system that may trigger and read notifications. It is stored encrypted.',
    example: 'a key of the other system',
  })
  key!: string;

  @Text({ format: 'date-time', description: UNTIL }) until!: string;

  @Choice(MIRROR_SENDERS, { optional: true, description: `${SENDER} Default other.` })
  delivers: MirrorSender = 'other';

  @Whole({ min: 1, max: 100, default: 100, optional: true, description: PERCENT })
  comparePercent: number = 100;

  @Whole({ min: 1, max: 86_400, default: 60, optional: true, description: SETTLE })
  settleSeconds: number = 60;
}

export class StopMirrorQuery {
  @QueryFlag({ description: 'Copies that were not sent are deleted; without it they are still sent.' })
  discard: boolean = false;
}

export class MirrorFiguresDto {
  @Whole({ description: 'Copies that the other system accepted.' }) sent!: number;
  @Whole({ description: 'Copies that it refused.' }) refused!: number;
  @Whole({ description: 'Copies that could not be sent in all attempts.' }) failed!: number;
  @Whole({ description: 'Compared triggers with the same outcome in both systems.' }) same!: number;
  @Whole({ description: 'Compared triggers with another outcome.' }) different!: number;
  @Whole({
    description: `Triggers outside of the sample, with over ${LIMITS.mirrorRecipients} recipients, or too large.`,
  })
  notCompared!: number;
  @Whole({ description: 'Subscribers and channels with the same outcome.' }) outcomesSame!: number;
  @Whole({ description: 'With another outcome.' }) outcomesDifferent!: number;
  @Whole({ description: 'That only Clarion has.' }) outcomesMissing!: number;
  @Whole({ description: 'That only the other system has.' }) outcomesExtra!: number;
}

export class MirrorFailureDto {
  @Whole({ description: 'Calls that failed since the last one that succeeded.' }) failures!: number;
  @Text({ format: 'date-time', description: 'The first of these failures.' }) since!: string;
  @Text({ optional: true, description: 'Why the last call failed.' }) error?: string;
  @Text({ optional: true, format: 'date-time', description: 'No call before this time.' }) pausedUntil?: string;
}

export class MirrorDto {
  @Choice(MIRROR_STATES, { description: '`off`: the environment was never mirrored, and all other fields are absent.' })
  state!: MirrorState;

  @Text({ optional: true }) url?: string;
  @Choice(MIRROR_SENDERS, { optional: true, description: SENDER }) delivers?: MirrorSender;
  @Text({ optional: true, format: 'date-time', description: UNTIL }) until?: string;
  @Whole({ optional: true, description: PERCENT }) comparePercent?: number;
  @Whole({ optional: true, description: SETTLE }) settleSeconds?: number;
  @Text({ optional: true, format: 'date-time' }) startedAt?: string;
  @Text({ optional: true, format: 'date-time' }) endedAt?: string;
  @Text({ optional: true, description: 'Why it ended.' }) endedReason?: string;
  @Whole({ optional: true, description: 'Copies that wait to be sent, also after the end.' }) waiting?: number;
  @Whole({ optional: true, description: 'The age of the oldest of them in seconds.' }) oldestWaitingSeconds?: number;
  @Whole({ optional: true, description: 'Sent triggers that wait to be compared.' }) settling?: number;
  @Text({ optional: true, format: 'date-time', description: 'When a call to the other system last succeeded.' })
  lastAnsweredAt?: string;
  @Child(() => MirrorFailureDto, { optional: true, description: 'Present while calls to the other system fail.' })
  failing?: MirrorFailureDto;
  @Child(() => MirrorFiguresDto, { optional: true }) figures?: MirrorFiguresDto;
}

export class ListMirrorDifferencesQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: UnchangingOrder = '_id';

  @QueryChoices(MIRROR_DIFFERENCES, { description: 'Only differences of these kinds.' })
  kind?: MirrorDifferenceKind[];

  @Text({ optional: true, maxLength: 512 }) transactionId?: string;
}

export class MirrorDifferenceDto {
  @Text() _id!: string;
  @Choice(MIRROR_DIFFERENCES, {
    description:
      '`outcome`: both systems have the subscriber and the channel, with another outcome. `missing`: only Clarion ' +
      'has them. `extra`: only the other system. `refused`: the other system did not accept the copy. `failed`: the ' +
      'copy could not be sent.',
  })
  kind!: MirrorDifferenceKind;
  @Text() transactionId!: string;
  @Text({ optional: true, description: 'Absent when the whole trigger was refused or failed.' }) subscriberId?: string;
  @Choice(CHANNELS, { optional: true }) channel?: Channel;
  @Text({
    optional: true,
    description: 'What Clarion recorded: `sent`, `skipped`, `failed` or `open` for each step of the channel.',
    example: 'sent',
  })
  here?: string;
  @Text({ optional: true, description: 'The same of the other system.', example: 'skipped' }) other?: string;
  @Text({ optional: true, description: 'The last execution details of both, or the answer of the other system.' })
  reason?: string;
  @Text() createdAt!: string;
}

export class MirrorDifferenceListDto extends CursorEnvelope {
  @Children(() => MirrorDifferenceDto) data!: MirrorDifferenceDto[];
}
