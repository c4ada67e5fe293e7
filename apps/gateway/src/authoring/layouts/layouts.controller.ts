import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { RateCategory, Scope, TenantWork } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { LayoutsService } from './layouts.service';

/** `layoutId` in a path may be the layoutId, the id or the slug. */
@ApiTags('layouts')
@RateCategory('configuration')
@Controller('v2/layouts')
export class LayoutsController {
  constructor(private readonly layouts: LayoutsService) {}

  @Post()
  @TenantWork('always')
  @ApiOperation({ summary: 'Create a layout; the first one is the default' })
  @Answers({ status: 201, type: LayoutDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateLayoutDto) {
    return this.layouts.create(owner, body);
  }

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List layouts' })
  @Answers({ type: LayoutListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListLayoutsQuery) {
    return this.layouts.list(owner, query);
  }

  @Get(':layoutId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a layout' })
  @Answers({ type: LayoutDto })
  retrieve(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string) {
    return this.layouts.retrieve(owner, layoutId);
  }

  @Put(':layoutId')
  @TenantWork('always')
  @ApiOperation({ summary: 'Update a layout' })
  @Answers({ type: LayoutDto })
  update(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string, @Body() body: UpdateLayoutDto) {
    return this.layouts.update(owner, layoutId, body);
  }

  @Delete(':layoutId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a layout that no workflow uses and that is not the default of other layouts' })
  @Answers({ status: 204, description: 'No Content' })
  delete(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string) {
    return this.layouts.delete(owner, layoutId);
  }

  @Post(':layoutId/duplicate')
  @ApiOperation({ summary: 'Duplicate a layout' })
  @Answers({ status: 201, type: LayoutDto })
  duplicate(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string, @Body() body: DuplicateLayoutDto) {
    return this.layouts.duplicate(owner, layoutId, body);
  }

  @Post(':layoutId/preview')
  @TenantWork('always')
  @ApiOperation({ summary: 'Render a layout with example values' })
  @Answers({ status: 201, type: LayoutPreviewDto })
  preview(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string, @Body() body: PreviewLayoutDto) {
    return this.layouts.preview(owner, layoutId, body);
  }

  @Get(':layoutId/usage')
  @Scope('read')
  @ApiOperation({ summary: 'List the workflows that use a layout' })
  @Answers({ type: LayoutUsageDto })
  usage(@Owner() owner: KeyOwner, @Param('layoutId') layoutId: string) {
    return this.layouts.usage(owner, layoutId);
  }
}
