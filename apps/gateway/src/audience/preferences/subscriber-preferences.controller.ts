import { Body, Controller, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BulkPreferencesDto,
  ChangedPreferenceDto,
  ListPreferencesQuery,
  PatchPreferencesDto,
  SubscriberPreferencesDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { SubscriberPreferencesService } from './subscriber-preferences.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v2/subscribers/:subscriberId/preferences')
export class SubscriberPreferencesController {
  constructor(private readonly preferences: SubscriberPreferencesService) {}

  @ReadRoute()
  @Operation('Retrieve the preferences of a subscriber, global and for each active workflow', {
    type: SubscriberPreferencesDto,
  })
  list(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: ListPreferencesQuery) {
    return this.preferences.list(owner, subscriberId, query);
  }

  @Patch()
  @StrictInput()
  @Operation('Update the preference for one workflow or the global one; with a workflow, returns only that workflow', {
    type: SubscriberPreferencesDto,
  })
  update(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: PatchPreferencesDto) {
    return this.preferences.update(owner, subscriberId, body);
  }

  @Patch('bulk')
  @Operation('Update the preferences for up to 100 workflows', { type: [ChangedPreferenceDto] })
  updateBulk(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: BulkPreferencesDto) {
    return this.preferences.updateBulk(owner, subscriberId, body);
  }
}
