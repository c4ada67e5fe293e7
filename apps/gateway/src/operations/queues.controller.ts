import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OperatedQueueListDto, RebuiltQueuesDto } from '@clarion/contracts';
import { QueueInspector, QueueProducer } from '@clarion/queue';
import type { Caller } from '../edge/auth/operator';
import { CalledBy } from '../edge/http/request-context';
import { Scope, StrictInput } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { OperatedEnvironments } from './operated-environments';
import { QueuesService } from './queues.service';

@ApiTags('operations')
@Scope('operator')
@Controller('v1/operations/queues')
export class QueuesController {
  constructor(
    private readonly queues: QueuesService,
    private readonly environments: OperatedEnvironments,
    private readonly producer: QueueProducer,
  ) {}

  @Get()
  @Operation('List the queues with their jobs, beside the open rows', {
    description:
      'For the operator: the jobs are those of the whole installation. So are the rows, or those of the environment ' +
      'that `Clarion-Environment` names. The rows are the truth: a queue without jobs beside due rows is filled ' +
      'again within seconds.',
    type: OperatedQueueListDto,
  })
  async list(@CalledBy() caller: Caller): Promise<OperatedQueueListDto> {
    const ids = await this.environments.idsOf(caller);
    const { backend, prefix } = this.producer;
    const inspector = new QueueInspector(backend, { prefix, onError: () => undefined });
    try {
      return { data: await this.queues.read(ids, inspector) };
    } finally {
      await inspector.close();
    }
  }

  @Post('rebuild')
  @StrictInput()
  @Operation('Offer all due rows to the queues again', {
    description:
      'For the operator: of all environments, or of the one that `Clarion-Environment` names. It can be repeated: a ' +
      'row with two jobs is still processed once.',
    type: RebuiltQueuesDto,
  })
  async rebuild(@CalledBy() caller: Caller): Promise<RebuiltQueuesDto> {
    return this.queues.rebuild(await this.environments.idsOf(caller), this.producer);
  }
}
