import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DiffEnvironmentsDto,
  EnvironmentDiffDto,
  type EnvironmentId,
  ListPublishesQuery,
  PublishDto,
  PublishEnvironmentDto,
  PublishListDto,
  PublishResponseDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import {
  AcrossEnvironments,
  Documents,
  RateCategory,
  ReadRoute,
  Scope,
  StrictInput,
} from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { PromotionService } from './promotion.service';

const ADMIN =
  'Requires a key of the scope `admin`. Environments of another organization get the same 404 as missing ones.';
const READER =
  'A key of the scope `admin` reads the history of every environment of its organization, any other key that ' +
  'of the environment it belongs to.';

@ApiTags('environments')
@RateCategory('configuration')
@Documents('all')
@Controller('v2/environments')
@AcrossEnvironments()
export class PromotionController {
  constructor(private readonly promotion: PromotionService) {}

  @Post(':targetEnvironmentId/diff')
  @Scope('admin')
  @Operation('Compare the workflows, layouts and translations of two environments', {
    description: `Shows field by field what a publish would change in the target. ${ADMIN}`,
    type: EnvironmentDiffDto,
  })
  diff(
    @Owner() owner: KeyOwner,
    @IdParam('targetEnvironmentId') targetEnvironmentId: EnvironmentId,
    @Body() body: DiffEnvironmentsDto,
  ) {
    return this.promotion.diff(owner, targetEnvironmentId, body);
  }

  @Post(':targetEnvironmentId/publish')
  @StrictInput()
  @Scope('admin')
  @Operation('Publish workflows, layouts and translations to another environment', {
    description:
      'Makes the target what the diff shows, in one transaction: everything is published, or nothing. Resources that ' +
      'only the target has are deleted. An edit of the source or the target while it runs, or since the diff whose ' +
      '`fingerprint` is given, stops it with 409, which names the resource. The history has a record, which can be ' +
      `undone. ${ADMIN}`,
    type: PublishResponseDto,
  })
  publish(
    @Owner() owner: KeyOwner,
    @IdParam('targetEnvironmentId') targetEnvironmentId: EnvironmentId,
    @Body() body: PublishEnvironmentDto,
  ) {
    return this.promotion.publish(owner, targetEnvironmentId, body);
  }

  @ReadRoute(':environmentId/publishes')
  @Operation('List what was published to an environment, by whom and when', {
    description: `The changed fields are in the response for one publish. ${READER}`,
    type: PublishListDto,
  })
  list(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @Query() query: ListPublishesQuery,
  ) {
    return this.promotion.history(owner, environmentId, query);
  }

  @ReadRoute(':environmentId/publishes/:publishId')
  @Operation('Retrieve a publish with every field that it changed', { description: READER, type: PublishDto })
  retrieve(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @IdParam('publishId') publishId: string,
  ) {
    return this.promotion.retrieve(owner, environmentId, publishId);
  }

  @Post(':environmentId/publishes/:publishId/undo')
  @StrictInput()
  @Scope('admin')
  @Operation('Undo a publish', {
    description:
      'Restores what the publish replaced, as a new publish, which can be undone too. Refused with 409, which names ' +
      `the resource, when one of them was edited since, and when the publish was undone before. ${ADMIN}`,
    status: 201,
    type: PublishDto,
  })
  undo(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @IdParam('publishId') publishId: string,
  ) {
    return this.promotion.undo(owner, environmentId, publishId);
  }
}
