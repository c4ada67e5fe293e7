import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcknowledgedDto, DeleteTransactionMessagesQuery, ListMessagesQuery, MessageListDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { FromReplica, Scope, StrictInput } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { MessagesService } from './messages.service';

@ApiTags('messages')
@Controller('v1/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get()
  @Scope('read')
  @FromReplica()
  @ApiOperation({ summary: 'List all messages' })
  @Answers({ type: MessageListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListMessagesQuery) {
    return this.messages.list(owner, query);
  }

  @Delete(':messageId')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delete a message' })
  @Answers({ type: AcknowledgedDto })
  delete(@Owner() owner: KeyOwner, @IdParam('messageId') messageId: string) {
    return this.messages.delete(owner, messageId);
  }

  @Delete('transaction/:transactionId')
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete the messages of a transaction' })
  @Answers({ status: 204, description: 'No Content' })
  deleteTransaction(
    @Owner() owner: KeyOwner,
    @Param('transactionId') transactionId: string,
    @Query() query: DeleteTransactionMessagesQuery,
  ) {
    return this.messages.deleteTransaction(owner, transactionId, query.channel);
  }
}
