import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DatabaseActivityDto } from '@clarion/contracts';
import { DatabaseActivityRepository } from '@clarion/persistence';
import { Scope } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';

@ApiTags('operations')
@Controller('v1/operations/database')
export class DatabaseController {
  constructor(private readonly activity: DatabaseActivityRepository) {}

  @Get()
  @Scope('operator')
  @Operation('Show what Postgres does now', {
    description:
      'Whether it is the primary, its connections, what the statements of Clarion wait for, which of them have run ' +
      'longest, and its standbys. For the operator: it is that of the whole installation. Texts of statements have ' +
      'no values of tenants.',
    type: DatabaseActivityDto,
  })
  retrieve(): Promise<DatabaseActivityDto> {
    return this.activity.read();
  }
}
