import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LIMITS, LookupDto, LookupQuery } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../edge/http/request-context';
import { ReadRoute } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { LookupService } from './lookup.service';

@ApiTags('activity')
@Controller('v1/lookup')
export class LookupController {
  constructor(private readonly lookups: LookupService) {}

  @ReadRoute()
  @Operation('Find what has an id', {
    description:
      'Takes any id that logs, providers and callers use, and names the page of the dashboard that shows it. ' +
      `Trace ids and request ids are found among the newest ${LIMITS.searchedHistory} notifications. ` +
      'An unknown id has no match.',
    type: LookupDto,
  })
  find(@Owner() owner: KeyOwner, @Query() { id }: LookupQuery) {
    return this.lookups.find(owner, id);
  }
}
