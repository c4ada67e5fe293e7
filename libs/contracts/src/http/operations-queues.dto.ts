import { PRIORITIES, type Priority } from '../lanes';
import { Amount, Children, Choice, Flag, Text, Whole } from './fields';

export class QueueLaneDto {
  @Choice(PRIORITIES) lane!: Priority;
  @Whole() dueRows!: number;
}

export class OperatedQueueDto {
  @Text() name!: string;
  @Whole('Jobs of the whole installation that wait. A job names up to 100 rows.') waiting!: number;
  @Whole('Jobs that become visible later.') delayed!: number;
  @Whole('Jobs that a process has taken.') active!: number;
  @Amount('Age of the oldest job that waits.', { nullable: true }) oldestJobSeconds!: number | null;
  @Whole('Rows of Postgres that are due and not taken.') dueRows!: number;
  @Children(() => QueueLaneDto, 'The same for each lane.') lanes!: QueueLaneDto[];
  @Whole('Rows that a process has taken.') runningRows!: number;
  @Whole('Rows that are due later, those on hold included.') laterRows!: number;
  @Text({ nullable: true }) oldestDueRowAt!: string | null;
  @Flag('True if more rows are open than were counted.') isBounded!: boolean;
}

export class OperatedQueueListDto {
  @Children(() => OperatedQueueDto) data!: OperatedQueueDto[];
}

export class RebuiltQueuesDto {
  @Whole('Due rows whose jobs were added.') offeredRows!: number;
  @Whole('Due rows whose jobs could not be added; the engine offers them again.') failedRows!: number;
}
