import { Controller, Delete, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AcknowledgedDto, DeleteTransactionMessagesQuery, ListMessagesQuery, MessageListDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { FromReplica, ReadRoute, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { MessagesService } from './messages.service';

@ApiTags('messages')
@Controller('v1/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @ReadRoute()
  @FromReplica()
  @Operation('List all messages', { type: MessageListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListMessagesQuery) {
    return this.messages.list(owner, query);
  }

  @Delete(':messageId')
  @Operation('Delete a message', { type: AcknowledgedDto })
  delete(@Owner() owner: KeyOwner, @IdParam('messageId') messageId: string) {
    return this.messages.delete(owner, messageId);
  }

  @Delete('transaction/:transactionId')
  @StrictInput()
  @Operation('Delete the messages of a transaction', { status: 204 })
  deleteTransaction(
    @Owner() owner: KeyOwner,
    @Param('transactionId') transactionId: string,
    @Query() query: DeleteTransactionMessagesQuery,
  ) {
    return this.messages.deleteTransaction(owner, transactionId, query.channel);
  }
}
