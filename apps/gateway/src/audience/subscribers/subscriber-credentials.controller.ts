import { Body, Controller, Delete, HttpCode, Param, Patch, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SubscriberDto, UpdateCredentialsDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { SubscriberCredentialsService } from './subscriber-credentials.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v1/subscribers/:subscriberId/credentials')
export class SubscriberCredentialsController {
  constructor(private readonly credentials: SubscriberCredentialsService) {}

  @Put()
  @ApiOperation({ summary: 'Update provider credentials; device tokens are appended' })
  @Answers({ type: SubscriberDto })
  update(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: UpdateCredentialsDto) {
    return this.credentials.update(owner, subscriberId, body);
  }

  @Patch()
  @ApiOperation({ summary: 'Append provider credentials' })
  @Answers({ type: SubscriberDto })
  append(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: UpdateCredentialsDto) {
    return this.credentials.update(owner, subscriberId, body);
  }

  @Delete(':providerId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete provider credentials' })
  @Answers({ status: 204, description: 'No Content' })
  delete(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Param('providerId') providerId: string,
  ) {
    return this.credentials.delete(owner, subscriberId, providerId);
  }
}
