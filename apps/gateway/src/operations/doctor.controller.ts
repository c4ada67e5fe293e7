import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DoctorDto } from '@clarion/contracts';
import { Database, type KeyOwner } from '@clarion/persistence';
import { Config, SecretBox } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import { Owner } from '../http/request-context';
import { AcrossEnvironments, Scope } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { examine } from './doctor.service';
import { OperatedEnvironments } from './operated-environments';

@ApiTags('operations')
@Controller('v1/operations/doctor')
export class DoctorController {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly producer: QueueProducer,
    private readonly environments: OperatedEnvironments,
  ) {}

  @Get()
  @Scope('admin')
  @AcrossEnvironments()
  @ApiOperation({
    summary: 'Look for what endangers the promises of the installation',
    description:
      'Versions, schema, durability of commits, standby, connections, clocks, partitions, eviction, row-level ' +
      'security, encryption keys, work that no process claims, channels of production environments without an ' +
      'integration, integrations that cannot be called, and old holds. Each finding says what was found and ' +
      'what to do. Findings name no hosts and no secrets.',
  })
  @Answers({ type: DoctorDto })
  async retrieve(@Owner() owner: KeyOwner): Promise<DoctorDto> {
    const { config, database, secrets, producer } = this;
    const queue = { queueBackend: producer.backend, queuePrefix: producer.prefix };
    const patient = { config, database, secrets, ...queue, showsHosts: false };
    return examine(patient, await this.environments.idsOf(owner));
  }
}
