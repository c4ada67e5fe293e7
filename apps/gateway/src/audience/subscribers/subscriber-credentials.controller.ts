import { Body, Controller, Delete, Param, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SubscriberDto, UpdateCredentialsDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { SubscriberCredentialsService } from './subscriber-credentials.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v1/subscribers/:subscriberId/credentials')
export class SubscriberCredentialsController {
  constructor(private readonly credentials: SubscriberCredentialsService) {}

  @Put()
  @Operation('Update provider credentials; device tokens are appended', { type: SubscriberDto })
  update(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: UpdateCredentialsDto) {
    return this.credentials.update(owner, subscriberId, body);
  }

  @Patch()
  @Operation('Append provider credentials', { type: SubscriberDto })
  append(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: UpdateCredentialsDto) {
    return this.credentials.update(owner, subscriberId, body);
  }

  @Delete(':providerId')
  @Operation('Delete provider credentials', { status: 204 })
  delete(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Param('providerId') providerId: string,
  ) {
    return this.credentials.delete(owner, subscriberId, providerId);
  }
}
