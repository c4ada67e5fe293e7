import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DatabaseActivityDto } from '@clarion/contracts';
import { DatabaseActivityRepository } from '@clarion/persistence';
import { Scope } from '../edge/http/route-policy';
import { Answers } from '../edge/openapi/answers';

@ApiTags('operations')
@Controller('v1/operations/database')
export class DatabaseController {
  constructor(private readonly activity: DatabaseActivityRepository) {}

  @Get()
  @Scope('operator')
  @ApiOperation({
    summary: 'Show what Postgres does now',
    description:
      'Whether it is the primary, its connections, what the statements of Clarion wait for, which of them have run ' +
      'longest, and its standbys. For the operator: it is that of the whole installation. Texts of statements have ' +
      'no values of tenants.',
  })
  @Answers({ type: DatabaseActivityDto })
  retrieve(): Promise<DatabaseActivityDto> {
    return this.activity.read();
  }
}
