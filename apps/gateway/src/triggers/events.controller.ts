import { Body, Controller, Delete, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import {
  BroadcastEventDto,
  BulkTriggerDto,
  DomainError,
  EventErrorDto,
  isJsonObject,
  LIMITS,
  MIRROR_HEADER,
  TriggerEventDto,
  TriggerQuery,
  TriggerResultDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { addLogFields } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { checkElement } from '../edge/http/check-element';
import { InvalidElement } from '../edge/http/json-body';
import { Owner } from '../edge/http/request-context';
import {
  BodyLimit,
  RateCategory,
  Scope,
  scopeCovers,
  StrictInput,
  TenantWork,
  Triggers,
  ValidatesEach,
} from '../edge/http/route-policy';
import { inputReport } from '../edge/http/unknown-input';
import { HasDryRun } from '../edge/idempotency/without-effect';
import { Operation } from '../edge/openapi/operation';
import { attachmentBytes } from './check-event';
import { type TriggerRequest, TriggerService } from './trigger.service';

/** Bodies are no DTOs: `checkEvent` reads each event once, and an invalid event is a result, not an error. */
@ApiTags('events')
@Scope('trigger')
@RateCategory('trigger')
@BodyLimit(LIMITS.eventsBodyBytes)
@Triggers()
@Controller('v1/events/trigger')
export class EventsController {
  constructor(private readonly triggers: TriggerService) {}

  @Post()
  @HasDryRun()
  @TenantWork('dryRun')
  @Operation('Trigger an event', { status: 201, type: TriggerResultDto, badRequest: EventErrorDto })
  @ApiBody({ type: TriggerEventDto })
  trigger(
    @Owner() owner: KeyOwner,
    @Req() request: FastifyRequest,
    @Query() query: TriggerQuery,
    @Body() body: unknown,
  ) {
    return this.triggers.triggerOne(requestOf(owner, request, query), body ?? {});
  }

  @Post('bulk')
  @HasDryRun()
  @TenantWork('dryRun')
  @ValidatesEach('events', 'transactionId')
  @Operation('Trigger up to 100 events; each has its own result', {
    status: 201,
    type: [TriggerResultDto],
    badRequest: EventErrorDto,
  })
  @ApiBody({ type: BulkTriggerDto })
  triggerBulk(
    @Owner() owner: KeyOwner,
    @Req() request: FastifyRequest,
    @Query() query: TriggerQuery,
    @Body() body: unknown,
  ) {
    const checked = checkElement(BulkTriggerDto, body ?? {});
    inputReport()?.add(checked.unknown);
    if (!checked.valid) throw new DomainError('unprocessable', 'Validation Error', { errors: checked.errors });
    const { events } = checked.value;
    checkBulkSize(request.bodyBytes ?? 0, events);
    return this.triggers.triggerMany(requestOf(owner, request, query), events);
  }

  @Post('broadcast')
  @HasDryRun()
  @TenantWork('dryRun')
  @Operation('Trigger an event for every subscriber of the environment', {
    status: 201,
    type: TriggerResultDto,
    badRequest: EventErrorDto,
  })
  @ApiBody({ type: BroadcastEventDto })
  broadcast(
    @Owner() owner: KeyOwner,
    @Req() request: FastifyRequest,
    @Query() query: TriggerQuery,
    @Body() body: unknown,
  ) {
    return this.triggers.broadcast(requestOf(owner, request, query), body ?? {});
  }

  @Delete(':transactionId')
  @StrictInput()
  @Operation('Cancel what has not happened yet; false when there was nothing to cancel', {
    isBoolean: true,
    badRequest: EventErrorDto,
  })
  cancel(@Owner() owner: KeyOwner, @Req() request: FastifyRequest, @Param('transactionId') transactionId: string) {
    addLogFields({ transactionId });
    return this.triggers.cancel(owner, transactionId, isCopy(request));
  }
}

function requestOf(
  owner: KeyOwner,
  request: FastifyRequest,
  { dryRun = false, test = false }: TriggerQuery,
): TriggerRequest {
  if (dryRun && !scopeCovers(owner.scope, ['full'])) {
    throw new DomainError(
      'forbidden',
      `A dry run shows data of subscribers, and this API key has the scope "${owner.scope}"`,
    );
  }
  const { id: requestId, bodyBytes = 0, trace } = request;
  return { owner, requestId, trace, bodyBytes, dryRun, isTest: test, isCopy: isCopy(request) };
}

/** The mirror of another environment sent the request. It is not mirrored again, so that two mirrors form no loop. */
const isCopy = ({ headers }: FastifyRequest): boolean => headers[MIRROR_HEADER] !== undefined;

function checkBulkSize(bodyBytes: number, events: unknown[]): void {
  if (bodyBytes <= LIMITS.bulkBodyBytes) return;
  const attachments = events.reduce<number>((sum, event) => {
    const sent = event instanceof InvalidElement ? event.element : event;
    return sum + (isJsonObject(sent) ? attachmentBytes(sent['payload']) : 0);
  }, 0);
  if (bodyBytes - attachments <= LIMITS.bulkBodyBytes) return;
  throw new DomainError(
    'too_large',
    `The body has ${bodyBytes - attachments} bytes without attachments, at most ${LIMITS.bulkBodyBytes} are accepted`,
  );
}
