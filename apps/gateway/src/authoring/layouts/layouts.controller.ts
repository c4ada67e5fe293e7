import { Body, Controller, Delete, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateLayoutDto,
  DuplicateLayoutDto,
  LayoutDto,
  LayoutListDto,
  LayoutPreviewDto,
  LayoutUsageDto,
  ListLayoutsQuery,
  PreviewLayoutDto,
  UpdateLayoutDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { Documents, RateCategory, ReadRoute, TenantWork } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { LayoutsService } from './layouts.service';

/** `layoutId` in a path may be the layoutId, the id or the slug. */
@ApiTags('layouts')
@RateCategory('configuration')
@Documents('one')
@Controller('v2/layouts')
export class LayoutsController {
  constructor(private readonly layouts: LayoutsService) {}

  @Post()
  @TenantWork('always')
  @Operation('Create a layout; the first one is the default', { status: 201, type: LayoutDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateLayoutDto) {
    return this.layouts.create(owner, body);
  }

  @ReadRoute()
  @Operation('List layouts', { type: LayoutListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListLayoutsQuery) {
    return this.layouts.list(owner, query);
  }

  @ReadRoute(':layoutId')
  @Operation('Retrieve a layout', { type: LayoutDto })
  retrieve(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string) {
    return this.layouts.retrieve(owner, layoutId);
  }

  @Put(':layoutId')
  @TenantWork('always')
  @Operation('Update a layout', { type: LayoutDto })
  update(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string, @Body() body: UpdateLayoutDto) {
    return this.layouts.update(owner, layoutId, body);
  }

  @Delete(':layoutId')
  @Operation('Delete a layout that no workflow uses and that is not the default of other layouts', { status: 204 })
  delete(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string) {
    return this.layouts.delete(owner, layoutId);
  }

  @Post(':layoutId/duplicate')
  @Operation('Duplicate a layout', { status: 201, type: LayoutDto })
  duplicate(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string, @Body() body: DuplicateLayoutDto) {
    return this.layouts.duplicate(owner, layoutId, body);
  }

  @Post(':layoutId/preview')
  @TenantWork('always')
  @Operation('Render a layout with example values', { status: 201, type: LayoutPreviewDto })
  preview(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string, @Body() body: PreviewLayoutDto) {
    return this.layouts.preview(owner, layoutId, body);
  }

  @ReadRoute(':layoutId/usage')
  @Operation('List the workflows that use a layout', { type: LayoutUsageDto })
  usage(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string) {
    return this.layouts.usage(owner, layoutId);
  }
}
