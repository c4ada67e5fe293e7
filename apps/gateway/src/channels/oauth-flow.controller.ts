import { randomBytes } from 'node:crypto';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DomainError, LIMITS } from '@clarion/contracts';
import { Config } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, writeCookie } from '../edge/http/cookies';
import { Public } from '../edge/http/route-policy';
import { OAUTH } from './chat-links.service';
import { type Finished, OAuthFlowService } from './oauth-flow.service';
import { paragraph, sendPage } from './small-page';

/** Provider pages lead the browser back to the callback, which needs this cookie. */
const COOKIE = { name: 'clarion_connect', sameSite: 'Lax' } as const;
/** Some flows have two visits, each with its own link. */
const COOKIE_SECONDS = 2 * LIMITS.oauthLinkMinutes * 60;

/**
 * The browser of a person who allows an integration to send. It has no API key: the signed code of the link authorizes
 * the request, and only the browser that has opened the link can come back from the provider.
 */
@ApiExcludeController()
@Public()
@Controller(OAUTH.slice(1))
export class OAuthFlowController {
  constructor(
    private readonly flow: OAuthFlowService,
    private readonly config: Config,
  ) {}

  @Get('start/:code')
  async start(@Param('code') code: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    // One secret for all links that are open in a browser, so that a second one does not end the first.
    const secret = readCookie(request.headers, COOKIE) ?? randomBytes(32).toString('base64url');
    await this.lead(reply, () => {
      void reply.header('Set-Cookie', writeCookie(this.config, request, COOKIE, secret, COOKIE_SECONDS));
      return this.flow.begin(code, secret);
    });
  }

  @Get('callback')
  async finish(
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.lead(reply, () => this.flow.finish(textsIn(query), readCookie(request.headers, COOKIE)));
  }

  private async lead(reply: FastifyReply, work: () => Promise<Finished>): Promise<void> {
    try {
      const { redirectTo } = await work();
      if (redirectTo === undefined) {
        return sendPage(reply, 200, 'Connected', paragraph('You can close this page.'));
      }
      void reply.headers({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(redirectTo, 302);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      sendPage(reply, 400, 'Not connected', paragraph(error.message));
    }
  }
}

/** Leaves out repeated parameters: no provider sends them. */
const textsIn = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
