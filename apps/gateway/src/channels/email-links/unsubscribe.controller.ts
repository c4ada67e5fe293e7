import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../../edge/http/rate-limiter';
import { BodyLimit, Public, PublicForm } from '../../edge/http/route-policy';
import { isOneClick, readForm } from './form-body';
import { type PreferencesPage, sendMessage, sendPreferences, sendUnknownLink } from './pages';
import { UnsubscribeService } from './unsubscribe.service';

const FORM_BYTES = 64 * 1024;
/** A person changes preferences a few times; five changes are possible at once. */
const CHANGES_PER_SECOND = 1;

/**
 * The page on which the recipient of an email chooses what to get, and the one-click unsubscribe of mail programs
 * (RFC 8058). A GET changes nothing: programs that scan emails follow the link.
 */
@ApiExcludeController()
@Public()
@Controller('u')
export class UnsubscribeController {
  private readonly limiter = new RateLimiter(() => CHANGES_PER_SECOND);

  constructor(private readonly unsubscribing: UnsubscribeService) {}

  @Get(':token')
  async show(@Param('token') token: string, @Res() reply: FastifyReply) {
    const link = this.unsubscribing.read(token);
    return answer(reply, link && (await this.unsubscribing.show(link)));
  }

  @Post(':token')
  @HttpCode(200)
  @BodyLimit(FORM_BYTES)
  @PublicForm()
  async change(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const link = this.unsubscribing.read(token);
    if (!link) return sendUnknownLink(reply);
    if (!this.limiter.take(`${link.subscriberId} ${link.workflowId}`, 'global', 1).allowed) {
      return sendMessage(reply, 429, 'Too many changes', 'Please try again in a few seconds.');
    }
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
    if (isOneClick(body)) return answer(reply, await this.unsubscribing.unsubscribe(link));
    const chosen = readForm(body);
    if (!chosen) return sendMessage(reply, 400, 'Nothing was changed', 'The request has no choice in it.');
    return answer(reply, await this.unsubscribing.save(link, chosen));
  }
}

const answer = (reply: FastifyReply, page: PreferencesPage | undefined): FastifyReply =>
  page ? sendPreferences(reply, page) : sendUnknownLink(reply);
