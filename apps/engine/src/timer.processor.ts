import { Processor } from '@nestjs/bullmq';
import { QueueProcessor, type StepsJob } from '@clarion/queue';
import { Timers } from '@clarion/workflow';
import { Intake } from './intake';

/** Runs the steps of the engine when they are due. */
@Processor('timer')
export class TimerProcessor extends QueueProcessor<'timer'> {
  readonly intake = new Intake((stepIds: StepsJob['stepIds']) => this.timers.run(stepIds));

  constructor(private readonly timers: Timers) {
    super();
  }

  protected override handle({ stepIds, goesFirst }: StepsJob): Promise<void> {
    return this.intake.add(stepIds, goesFirst);
  }
}
