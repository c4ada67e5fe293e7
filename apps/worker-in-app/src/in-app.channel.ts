import { Injectable } from '@nestjs/common';
import { BUILT_IN_PROVIDER, executionDetail } from '@clarion/contracts/core';
import { renderInApps, TemplateRenderer } from '@clarion/content';
import { type ChannelStrategy, contentFault, type Prepared, type ReadyStep, renderItem } from '@clarion/delivery';
import type { NewMessage } from '@clarion/persistence';

const STORED = [executionDetail('messageCreated'), executionDetail('messageSent')];

/** Storing an in-app message delivers it: the subscriber's feed shows it at once. */
@Injectable()
export class InAppChannel implements ChannelStrategy {
  readonly channel = 'in_app';
  readonly errorId = 'in_app_unexpected_error';

  constructor(private readonly templates: TemplateRenderer) {}

  async prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    const renderings = await renderInApps(
      this.templates,
      steps.map((step) => ({ escapeHtml: step.item.workflow.escapeHtml, ...renderItem(step) })),
    );
    return steps.map(({ item: { step }, admitted, accounts }, index): Prepared => {
      const rendering = renderings[index]!;
      if (!rendering.ok) return contentFault(rendering.fault);
      const { content, subject, avatar, cta, data } = rendering.message;
      const { actor } = step.notification;
      const message: NewMessage = {
        id: step.id,
        channel: this.channel,
        providerId: BUILT_IN_PROVIDER,
        integrationId: accounts[0]!.id,
        messageTemplateId: admitted.contentId,
        content,
        cta,
        status: 'sent',
        delivered: true,
      };
      if (subject !== undefined) message.subject = subject;
      if (avatar !== undefined) message.avatar = avatar;
      if (data) message.data = data;
      if (actor) message.actor = { type: 'user', data: actor['avatar'] ?? null };
      return { kind: 'stored', messages: [message], lines: STORED };
    });
  }
}
