import { Body, Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CreateHoldDto, HoldDto, HoldListDto, PauseDto } from '@clarion/contracts';
import type { FastifyReply } from 'fastify';
import { actorOf, type Caller, environmentOf } from '../../edge/auth/operator';
import { IdParam } from '../../edge/http/id-param';
import { CalledBy } from '../../edge/http/request-context';
import { Scope, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { HoldsService } from './holds.service';

const HELD_ALREADY = { type: HoldDto, description: 'The target was held already; its hold is unchanged' };

@ApiTags('holds')
@Controller('v1')
export class HoldsController {
  constructor(private readonly holds: HoldsService) {}

  @Get('holds')
  @Scope('read', 'operator')
  @Operation('List what is held', {
    description: 'Also the holds that were resumed and whose last steps are still being released.',
    type: HoldListDto,
  })
  list(@CalledBy() caller: Caller) {
    return this.holds.list(environmentOf(caller));
  }

  @Post('holds')
  @Scope('full', 'operator')
  @StrictInput()
  @Operation('Hold an integration, a channel, a workflow or the environment: its messages wait', {
    description:
      'Triggers are still accepted and become notifications. Their steps wait, and their activity says who holds ' +
      'what and why. Messages of an integration on hold do not go to the next integration. Steps that are claimed ' +
      'after the hold wait at once, messages that already wait for their integration within two seconds, and a call ' +
      'to a provider that has begun is finished. A target has one hold: a second request returns it with 200. The ' +
      'operator can hold a target over the hold of a key, which stays when the operator resumes.',
    status: 201,
    type: HoldDto,
    answer: 'Held',
  })
  @ApiOkResponse(HELD_ALREADY)
  async create(
    @CalledBy() caller: Caller,
    @Body() body: CreateHoldDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { hold, created } = await this.holds.hold(actorOf(caller), environmentOf(caller), body);
    void reply.status(created ? 201 : 200);
    return hold;
  }

  @Delete('holds/:holdId')
  @Scope('full', 'operator')
  @StrictInput()
  @Operation('Resume what is held', {
    description:
      'New steps run at once. The steps that waited are released in the order in which they were due, 1,000 a ' +
      'second. A hold of the operator (`setBy`: `operator`) is refused to API keys with 403.',
    status: 204,
  })
  resume(@CalledBy() caller: Caller, @IdParam('holdId') holdId: string) {
    return this.holds.resume(actorOf(caller), environmentOf(caller), holdId);
  }

  @Post('integrations/:integrationId/pause')
  @Scope('full', 'operator')
  @Operation('Pause an integration: its messages wait', {
    description: 'The same as a hold of the integration. The messages do not go to the next integration.',
    status: 201,
    type: HoldDto,
    answer: 'Paused',
  })
  @ApiOkResponse(HELD_ALREADY)
  async pauseIntegration(
    @CalledBy() caller: Caller,
    @IdParam('integrationId') id: string,
    @Body() { reason }: PauseDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { hold, created } = await this.holds.hold(actorOf(caller), environmentOf(caller), {
      target: 'integration',
      id,
      reason,
    });
    void reply.status(created ? 201 : 200);
    return hold;
  }

  @Post('integrations/:integrationId/resume')
  @Scope('full', 'operator')
  @Operation('Resume an integration', {
    description:
      'Releases the messages that wait, 1,000 a second. Does nothing if the integration is not paused. A hold of the ' +
      'operator is refused to API keys with 403.',
    status: 204,
  })
  async resumeIntegration(@CalledBy() caller: Caller, @IdParam('integrationId') id: string) {
    await this.holds.resumeTarget(actorOf(caller), environmentOf(caller), 'integration', id);
  }
}
