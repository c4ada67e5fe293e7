import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import {
  DomainError,
  fieldErrors,
  InboxSessionDto,
  LIMITS,
  OpenInboxDto,
  OpenWidgetDto,
  WidgetSessionDto,
} from '@clarion/contracts';
import type { InboxEnvironment } from '@clarion/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OpensInbox } from '../edge/http/route-policy';
import { InboxOperation } from '../edge/openapi/operation';
import { checkOrigin } from './cors';
import { InboxEnvironments } from './inbox-environments';
import { InboxSessionsService } from './inbox-sessions.service';

@ApiTags('inbox')
@ApiSecurity({})
@OpensInbox()
@Controller('v1')
export class InboxSessionsController {
  constructor(
    private readonly environments: InboxEnvironments,
    private readonly sessions: InboxSessionsService,
  ) {}

  @Post('inbox/session')
  @InboxOperation('Open an inbox session: get the token for the inbox of one subscriber', {
    description:
      'Needs no API key: a page calls it. The response has a token that opens the inbox of this subscriber, in these ' +
      `contexts, for ${LIMITS.inboxTokenHours} hours, and the number of unread messages. Where signatures are ` +
      'required (`inboxSignatures` of the environment, `hmac` of the in-app integration), `subscriberHash` must be ' +
      'valid (400), and `contextHash` too if there is a context. Elsewhere a session without them is unsigned: it ' +
      'reads and marks the messages of the inbox, and other operations answer 403. Unknown ' +
      '`applicationIdentifier`: 400. No active in-app integration: 404. A page of an origin that is not among the ' +
      '`allowedOrigins` of the environment: 403.',
    status: 201,
    type: InboxSessionDto,
  })
  async open(
    @Body() body: OpenInboxDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InboxSessionDto> {
    return this.sessions.open(await this.environmentOf(body, request, reply), body, request.ip);
  }

  @Post('widgets/session/initialize')
  @InboxOperation('Open an inbox session for an older client', {
    description:
      'For `@novu/headless`. The token is the same as that of an inbox session without contexts. The profile of an ' +
      'unsigned session has ids only.',
    deprecated: true,
    status: 201,
    type: WidgetSessionDto,
  })
  async openWidget(
    @Body() body: OpenWidgetDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WidgetSessionDto> {
    return this.sessions.openWidget(await this.environmentOf(body, request, reply), body, request.ip);
  }

  /** Throws if there is no such environment, or if it does not allow the origin of the page. */
  private async environmentOf(
    { applicationIdentifier }: { applicationIdentifier: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<InboxEnvironment> {
    const environment = await this.environments.findByIdentifier(applicationIdentifier);
    if (!environment) throw unknownApplication(applicationIdentifier);
    checkOrigin(environment, request, reply);
    return environment;
  }
}

function unknownApplication(identifier: string): DomainError {
  const message = `applicationIdentifier ${identifier} is not the identifier of an environment`;
  return new DomainError('bad_request', message, fieldErrors('applicationIdentifier', message));
}
