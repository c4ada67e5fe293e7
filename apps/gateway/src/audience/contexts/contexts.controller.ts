import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ContextDto, ContextListDto, CreateContextDto, ListContextsQuery, UpdateContextDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { ContextsService } from './contexts.service';

@ApiTags('contexts')
@Controller('v2/contexts')
export class ContextsController {
  constructor(private readonly contexts: ContextsService) {}

  @Post()
  @Operation('Create a context', { status: 201, type: ContextDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateContextDto) {
    return this.contexts.create(owner, body);
  }

  @ReadRoute()
  @Operation('List contexts', { type: ContextListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListContextsQuery) {
    return this.contexts.list(owner, query);
  }

  @ReadRoute(':type/:id')
  @Operation('Retrieve a context', { type: ContextDto })
  retrieve(@Owner() owner: KeyOwner, @Param('type') type: string, @Param('id') id: string) {
    return this.contexts.retrieve(owner, { type, id });
  }

  @Patch(':type/:id')
  @Operation('Replace the data of a context', { type: ContextDto })
  update(
    @Owner() owner: KeyOwner,
    @Param('type') type: string,
    @Param('id') id: string,
    @Body() { data }: UpdateContextDto,
  ) {
    return this.contexts.update(owner, { type, id }, data);
  }

  @Delete(':type/:id')
  @Operation('Delete a context; messages that were sent in it are kept', { status: 204 })
  delete(@Owner() owner: KeyOwner, @Param('type') type: string, @Param('id') id: string) {
    return this.contexts.delete(owner, { type, id });
  }
}
