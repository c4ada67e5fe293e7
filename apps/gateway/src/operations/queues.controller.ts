import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperatedQueueListDto, RebuiltQueuesDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { QueueInspector, QueueProducer } from '@clarion/queue';
import { Owner } from '../http/request-context';
import { AcrossEnvironments, Scope, StrictInput } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { OperatedEnvironments } from './operated-environments';
import { QueuesService } from './queues.service';

@ApiTags('operations')
@Scope('admin')
@AcrossEnvironments()
@Controller('v1/operations/queues')
export class QueuesController {
  constructor(
    private readonly queues: QueuesService,
    private readonly environments: OperatedEnvironments,
    private readonly producer: QueueProducer,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the queues with their jobs, beside the open rows',
    description:
      'The jobs are those of the whole installation, the rows those of the environments of the organization. The ' +
      'rows are the truth: a queue without jobs beside due rows is filled again within seconds.',
  })
  @Answers({ type: OperatedQueueListDto })
  async list(@Owner() owner: KeyOwner): Promise<OperatedQueueListDto> {
    const ids = await this.environments.idsOf(owner);
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
  @HttpCode(200)
  @ApiOperation({
    summary: 'Offer all due rows to the queues again',
    description:
      'For the environments of the organization. It can be repeated: a row with two jobs is still processed once.',
  })
  @Answers({ type: RebuiltQueuesDto })
  async rebuild(@Owner() owner: KeyOwner): Promise<RebuiltQueuesDto> {
    return this.queues.rebuild(await this.environments.idsOf(owner), this.producer);
  }
}
