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
  @Text(
    'The base URL of the other system, to which paths such as /v1/events/trigger are added. Plain http is possible ' +
      'for hosts that the operator lists in CLARION_EGRESS_ALLOW.',
    { trim: true, minLength: 1, maxLength: LIMITS.webhookUrl, example: 'https://notifications.example.com' },
  )
  url!: string;

  @Text('An API key of the other system that may trigger and read notifications. It is stored encrypted.', {
    trim: true,
    minLength: 1,
    maxLength: 500,
    example: 'a key of the other system',
  })
  key!: string;

  @Text(UNTIL, { format: 'date-time' }) until!: string;
  @Choice(MIRROR_SENDERS, `${SENDER} Default other.`, { optional: true }) delivers: MirrorSender = 'other';
  @Whole(PERCENT, { min: 1, max: 100, default: 100, optional: true }) comparePercent: number = 100;
  @Whole(SETTLE, { min: 1, max: 86_400, default: 60, optional: true }) settleSeconds: number = 60;
}

export class StopMirrorQuery {
  @QueryFlag('Copies that were not sent are deleted; without it they are still sent.') discard: boolean = false;
}

export class MirrorFiguresDto {
  @Whole('Copies that the other system accepted.') sent!: number;
  @Whole('Copies that it refused.') refused!: number;
  @Whole('Copies that could not be sent in all attempts.') failed!: number;
  @Whole('Compared triggers with the same outcome in both systems.') same!: number;
  @Whole('Compared triggers with another outcome.') different!: number;
  @Whole(`Triggers outside of the sample, with over ${LIMITS.mirrorRecipients} recipients, or too large.`)
  notCompared!: number;
  @Whole('Subscribers and channels with the same outcome.') outcomesSame!: number;
  @Whole('With another outcome.') outcomesDifferent!: number;
  @Whole('That only Clarion has.') outcomesMissing!: number;
  @Whole('That only the other system has.') outcomesExtra!: number;
}

export class MirrorFailureDto {
  @Whole('Calls that failed since the last one that succeeded.') failures!: number;
  @Text('The first of these failures.', { format: 'date-time' }) since!: string;
  @Text('Why the last call failed.', { optional: true }) error?: string;
  @Text('No call before this time.', { optional: true, format: 'date-time' }) pausedUntil?: string;
}

export class MirrorDto {
  @Choice(MIRROR_STATES, '`off`: the environment was never mirrored, and all other fields are absent.')
  state!: MirrorState;

  @Text({ optional: true }) url?: string;
  @Choice(MIRROR_SENDERS, SENDER, { optional: true }) delivers?: MirrorSender;
  @Text(UNTIL, { optional: true, format: 'date-time' }) until?: string;
  @Whole(PERCENT, { optional: true }) comparePercent?: number;
  @Whole(SETTLE, { optional: true }) settleSeconds?: number;
  @Text({ optional: true, format: 'date-time' }) startedAt?: string;
  @Text({ optional: true, format: 'date-time' }) endedAt?: string;
  @Text('Why it ended.', { optional: true }) endedReason?: string;
  @Whole('Copies that wait to be sent, also after the end.', { optional: true }) waiting?: number;
  @Whole('The age of the oldest of them in seconds.', { optional: true }) oldestWaitingSeconds?: number;
  @Whole('Sent triggers that wait to be compared.', { optional: true }) settling?: number;
  @Text('When a call to the other system last succeeded.', { optional: true, format: 'date-time' })
  lastAnsweredAt?: string;
  @Child(() => MirrorFailureDto, 'Present while calls to the other system fail.', { optional: true })
  failing?: MirrorFailureDto;
  @Child(() => MirrorFiguresDto, { optional: true }) figures?: MirrorFiguresDto;
}

export class ListMirrorDifferencesQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, 'Default _id.', { optional: true }) orderBy: UnchangingOrder = '_id';
  @QueryChoices(MIRROR_DIFFERENCES, 'Only differences of these kinds.') kind?: MirrorDifferenceKind[];
  @Text({ optional: true, maxLength: 512 }) transactionId?: string;
}

export class MirrorDifferenceDto {
  @Text() _id!: string;
  @Choice(
    MIRROR_DIFFERENCES,
    '`outcome`: both systems have the subscriber and the channel, with another outcome. `missing`: only Clarion ' +
      'has them. `extra`: only the other system. `refused`: the other system did not accept the copy. `failed`: the ' +
      'copy could not be sent.',
  )
  kind!: MirrorDifferenceKind;
  @Text() transactionId!: string;
  @Text('Absent when the whole trigger was refused or failed.', { optional: true }) subscriberId?: string;
  @Choice(CHANNELS, { optional: true }) channel?: Channel;
  @Text('What Clarion recorded: `sent`, `skipped`, `failed` or `open` for each step of the channel.', {
    optional: true,
    example: 'sent',
  })
  here?: string;
  @Text('The same of the other system.', { optional: true, example: 'skipped' }) other?: string;
  @Text('The last execution details of both, or the answer of the other system.', { optional: true }) reason?: string;
  @Text() createdAt!: string;
}

export class MirrorDifferenceListDto extends CursorEnvelope {
  @Children(() => MirrorDifferenceDto) data!: MirrorDifferenceDto[];
}
