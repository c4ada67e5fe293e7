import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ContextDto, ContextListDto, CreateContextDto, ListContextsQuery, UpdateContextDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { Scope } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { ContextsService } from './contexts.service';

@ApiTags('contexts')
@Controller('v2/contexts')
export class ContextsController {
  constructor(private readonly contexts: ContextsService) {}

  @Post()
  @ApiOperation({ summary: 'Create a context' })
  @Answers({ status: 201, type: ContextDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateContextDto) {
    return this.contexts.create(owner, body);
  }

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List contexts' })
  @Answers({ type: ContextListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListContextsQuery) {
    return this.contexts.list(owner, query);
  }

  @Get(':type/:id')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a context' })
  @Answers({ type: ContextDto })
  retrieve(@Owner() owner: KeyOwner, @Param('type') type: string, @Param('id') id: string) {
    return this.contexts.retrieve(owner, { type, id });
  }

  @Patch(':type/:id')
  @ApiOperation({ summary: 'Replace the data of a context' })
  @Answers({ type: ContextDto })
  update(
    @Owner() owner: KeyOwner,
    @Param('type') type: string,
    @Param('id') id: string,
    @Body() { data }: UpdateContextDto,
  ) {
    return this.contexts.update(owner, { type, id }, data);
  }

  @Delete(':type/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a context; messages that were sent in it are kept' })
  @Answers({ status: 204, description: 'No Content' })
  delete(@Owner() owner: KeyOwner, @Param('type') type: string, @Param('id') id: string) {
    return this.contexts.delete(owner, { type, id });
  }
}
