import { Processor } from '@nestjs/bullmq';
import { QueueProcessor, type TriggerJob } from '@clarion/queue';
import { FanOut } from '@clarion/workflow';
import { Intake } from './intake';

/** Turns accepted triggers into notifications. */
@Processor('trigger')
export class TriggerProcessor extends QueueProcessor<'trigger'> {
  readonly intake = new Intake((triggerIds: TriggerJob['triggerIds']) => this.fanOut.run(triggerIds));

  constructor(private readonly fanOut: FanOut) {
    super();
  }

  protected override handle({ triggerIds, goesFirst }: TriggerJob): Promise<void> {
    return this.intake.add(triggerIds, goesFirst);
  }
}
