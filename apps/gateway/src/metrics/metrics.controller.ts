import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LagRepository } from '@clarion/persistence';
import { QueueProducer } from '@clarion/queue';
import { type Sample, exposition } from './exposition';

const STATES = ['closed', 'open', 'paused'] as const;

/** What an operator watches: how far the work lags behind, and which provider accounts are in trouble. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly lag: LagRepository,
    private readonly producer: QueueProducer,
  ) {}

  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  async read(): Promise<string> {
    const [steps, triggers, accounts] = await Promise.all([this.lag.steps(), this.lag.triggers(), this.lag.accounts()]);
    return exposition([
      {
        name: 'clarion_due_steps',
        help: 'Steps that are due and not done, by type.',
        samples: steps.map(({ type, due }): Sample => ({ labels: { type }, value: due })),
      },
      {
        name: 'clarion_oldest_due_step_seconds',
        help: 'For how long the oldest due step has been due, by type.',
        samples: steps.map(({ type, oldestSeconds }): Sample => ({ labels: { type }, value: oldestSeconds })),
      },
      {
        name: 'clarion_open_triggers',
        help: 'Accepted triggers that are not yet notifications.',
        samples: [{ value: triggers.open }],
      },
      {
        name: 'clarion_oldest_open_trigger_seconds',
        help: 'The age of the oldest of them.',
        samples: [{ value: triggers.oldestSeconds }],
      },
      {
        name: 'clarion_integration_state',
        help: 'State of the provider accounts that are not closed (well): 1 for the state they are in.',
        samples: accounts.flatMap(({ state: current, integrationId, environmentId, channel, providerId }) =>
          STATES.map((state): Sample => ({
            labels: { integration: integrationId, environment: environmentId, channel, provider: providerId, state },
            value: state === current ? 1 : 0,
          })),
        ),
      },
      {
        name: 'clarion_queue_failed_adds',
        help: 'Jobs that this process could not put into the queue; the sweeper offers their rows again.',
        samples: [{ value: this.producer.failedAdds }],
      },
    ]);
  }
}
