import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { escapeHtml } from '@clarion/content';
import { DomainError } from '@clarion/contracts';
import { Config } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '../edge/http/public-url';
import { Public, PublicForm } from '../edge/http/route-policy';
import { ChatBotsService, type ReadyBot } from './chat-bots.service';
import { paragraph, sendPage } from './small-page';

const FORM = `${paragraph(
  'Open @BotFather in Telegram, create a bot with /newbot or choose one with /token, and copy its token.',
)}
<form method="post" autocomplete="off">
<label for="token">Token of the bot</label>
<input id="token" name="token" type="password" required autocomplete="off" spellcheck="false">
<button>Set up the bot</button>
</form>`;

/** The page behind a mobile link. Its visitors have no API key: the signed code authorizes the request. */
@ApiExcludeController()
@Controller('setup/chat/:integrationId/:code')
export class SetupPageController {
  constructor(
    private readonly bots: ChatBotsService,
    private readonly config: Config,
  ) {}

  @Get()
  @Public()
  async page(
    @Param('integrationId') integrationId: string,
    @Param('code') code: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await shown(reply, async () => {
      const { integration } = await this.bots.readMobileLink(integrationId, code);
      sendPage(reply, 200, `Set up ${integration.name}`, FORM);
    });
  }

  @Post()
  @PublicForm()
  async setUp(
    @Param('integrationId') integrationId: string,
    @Param('code') code: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await shown(reply, async () => {
      const form = new URLSearchParams(bodyOf(request).toString('utf8'));
      const url = publicUrl(this.config, request);
      const ready = await this.bots.setUp(integrationId, code, (form.get('token') ?? '').trim(), url);
      sendPage(reply, 200, 'The bot is ready', readyText(ready));
    });
  }
}

const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

function readyText({ name, startLink }: ReadyBot): string {
  const done = paragraph(`@${name} sends the messages now.`);
  return startLink === undefined
    ? done
    : `${done}<a class="button" href="${escapeHtml(startLink)}">Open the bot and press Start</a>`;
}

/** Shows an expected refusal as a page. */
async function shown(reply: FastifyReply, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    sendPage(reply, 400, 'This did not work', paragraph(error.message));
  }
}
