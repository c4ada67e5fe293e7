import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DoctorDto } from '@clarion/contracts';
import { Database } from '@clarion/persistence';
import { Config, SecretBox } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import { type Caller, Operator } from '../edge/auth/operator';
import { CalledBy } from '../edge/http/request-context';
import { AcrossEnvironments, Scope } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
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
  @Scope('admin', 'operator')
  @AcrossEnvironments()
  @Operation('Look for what endangers the promises of the installation', {
    description:
      'Of the environments of the organization: work that no process claims, channels of production environments ' +
      'without an integration, integrations that cannot be called, old holds, and webhook endpoints that fail. With ' +
      'the key of the operator also of the installation: versions, schema, durability of commits, standby, ' +
      'connections, clocks, partitions, eviction, row-level security and encryption keys. Each finding says what was ' +
      'found and what to do. Findings name no hosts and no secrets.',
    type: DoctorDto,
  })
  async retrieve(@CalledBy() caller: Caller): Promise<DoctorDto> {
    const { config, database, secrets, producer } = this;
    const queue = { queueBackend: producer.backend, queuePrefix: producer.prefix };
    const installation = {
      config,
      database,
      secrets,
      ...queue,
      showsHosts: false,
      showsInstallation: caller instanceof Operator,
    };
    return examine(installation, await this.environments.idsOf(caller));
  }
}
