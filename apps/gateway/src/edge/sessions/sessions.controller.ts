import { Body, Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CreateSessionDto, SessionDto, SessionListDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endedSessionCookie, sessionCookie } from '../auth/session-cookie';
import { IdParam } from '../http/id-param';
import { Owner } from '../http/request-context';
import { BodyLimit, ReadRoute, Scope, SignIn } from '../http/route-policy';
import { Operation } from '../openapi/operation';
import { SessionsService } from './sessions.service';

const PROOF = ApiHeader({
  name: 'Clarion-Dashboard',
  required: false,
  description: '`1`; a session needs it for every request that changes something.',
});

@ApiTags('sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly config: Config,
  ) {}

  @Post()
  @SignIn()
  @BodyLimit(8 * 1024)
  @ApiSecurity({})
  @Operation('Sign in: exchange an API key for a session of the dashboard', {
    description:
      'Takes an API key, or the token of a sign-in link, and sets the cookie `clarion_session` (HttpOnly, ' +
      'SameSite=Strict). The session has the scope, the expiry and the address list of its key, lasts 12 hours at ' +
      'most and ends when it or the key is revoked. Requests with the cookie need no key; those that change ' +
      'something need the header `Clarion-Dashboard: 1`. A wrong key gets 401, and 429 after many of them; a key of ' +
      'the scope `trigger` gets 403.',
    status: 201,
    type: SessionDto,
  })
  async create(
    @Body() body: CreateSessionDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const { secret, session, owner } = await this.sessions.open(body, request);
    // For the log line of this request.
    request.owner = owner;
    void reply.header('Set-Cookie', sessionCookie(this.config, request, secret, session.expiresAt));
    return this.sessions.describe(owner, session);
  }

  @Get()
  @Scope('full')
  @Operation('List the open sessions of the keys of the environment, newest first', {
    description: 'Shows at most 200 sessions. Requires the scope `full`.',
    type: SessionListDto,
  })
  list(@Owner() owner: KeyOwner, @Req() { session }: FastifyRequest): Promise<SessionListDto> {
    return this.sessions.list(owner, session?.id);
  }

  @ReadRoute('current')
  @Operation('Retrieve the session of this request', {
    description: 'A request with an API key has no session and gets 404.',
    type: SessionDto,
  })
  current(@Owner() owner: KeyOwner, @Req() { session }: FastifyRequest): Promise<SessionDto> {
    return this.sessions.describe(owner, session);
  }

  @Delete('current')
  @Scope('read')
  @PROOF
  @Operation('Sign out: end the session of this request', {
    description: 'The cookie is deleted. A request with an API key has no session and gets 404.',
    status: 204,
  })
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.end(request.session);
    void reply.header('Set-Cookie', endedSessionCookie(this.config, request));
  }

  @Delete(':sessionId')
  @Scope('full')
  @PROOF
  @Operation('Revoke a session of a key of the environment', {
    description:
      'It is refused at once by the gateway that answers, by the others within 15 seconds. A session of a key of a ' +
      'wider scope cannot be revoked (403).',
    status: 204,
  })
  revoke(@Owner() owner: KeyOwner, @IdParam('sessionId') sessionId: string): Promise<void> {
    return this.sessions.revoke(owner, sessionId);
  }
}
