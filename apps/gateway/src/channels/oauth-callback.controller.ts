import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DomainError } from '@clarion/contracts';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/route-policy';
import { OAUTH_CALLBACK } from './chat-links.service';
import { OAuthCallbackService } from './oauth-callback.service';
import { paragraph, sendPage } from './small-page';

/** Browsers come here from the pages of providers, without an API key. The signed state authorizes the request. */
@ApiExcludeController()
@Public()
@Controller(OAUTH_CALLBACK.slice(1))
export class OAuthCallbackController {
  constructor(private readonly callback: OAuthCallbackService) {}

  @Get()
  async finish(@Query() query: Record<string, unknown>, @Res() reply: FastifyReply) {
    try {
      const { redirectTo } = await this.callback.finish(textsIn(query));
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
export const textsIn = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
