import { Processor } from '@nestjs/bullmq';
import { type JobContext, QueueProcessor, type StepsJob } from '@clarion/queue';
import { Timers } from '@clarion/workflow';
import { openIntake } from './intake';

/** Runs the steps of the engine when they are due. */
@Processor('timer')
export class TimerProcessor extends QueueProcessor<'timer'> {
  readonly intake = openIntake((stepIds: StepsJob['stepIds']) => this.timers.run(stepIds));

  constructor(private readonly timers: Timers) {
    super();
  }

  protected override async handle({ stepIds }: StepsJob, { place }: JobContext): Promise<void> {
    await this.intake.addMany(stepIds, place);
  }
}
