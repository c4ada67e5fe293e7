import { Processor } from '@nestjs/bullmq';
import { type JobContext, QueueProcessor, type TriggerJob } from '@clarion/queue';
import { FanOut } from '@clarion/workflow';
import { openIntake } from './intake';

/** Turns accepted triggers into notifications. */
@Processor('trigger')
export class TriggerProcessor extends QueueProcessor<'trigger'> {
  readonly intake = openIntake((triggerIds: TriggerJob['triggerIds']) => this.fanOut.run(triggerIds));

  constructor(private readonly fanOut: FanOut) {
    super();
  }

  protected override async handle({ triggerIds }: TriggerJob, { place }: JobContext): Promise<void> {
    await this.intake.addMany(triggerIds, place);
  }
}
