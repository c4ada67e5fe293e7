import { Injectable } from '@nestjs/common';
import { composeText, TemplateRenderer } from '@clarion/content';
import {
  ALL_SUPPRESSED,
  type ChannelStrategy,
  given,
  overridesFor,
  type Prepared,
  ProviderCalls,
  type ReadyStep,
  renderSteps,
  singleDelivery,
} from '@clarion/delivery';
import { type MessageOverrides, smsReach } from '@clarion/rules';

@Injectable()
export class SmsChannel implements ChannelStrategy {
  readonly channel = 'sms';
  readonly errorId = 'unexpected_sms_error';

  constructor(
    private readonly templates: TemplateRenderer,
    private readonly calls: ProviderCalls,
  ) {}

  prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    return renderSteps(this.templates, steps, composeText, (step, { content }) => this.address(step, content));
  }

  private address(ready: ReadyStep, rendered: string): Prepared {
    const { step } = ready.item;
    const overrides = overridesFor(this.channel, ready, ready.accounts[0]!);
    const { phone, refusal } = smsReach(step.subscriber!.phone, overrides, ready.suppressed);
    const textOf = (own: MessageOverrides): string => own.text('content') ?? rendered;
    return singleDelivery(ready, {
      row: {
        channel: this.channel,
        messageTemplateId: ready.admitted.contentId,
        content: textOf(overrides),
        ...(phone !== undefined && { phone }),
      },
      refusal,
      lines: [],
      textsOf: (own) => ({ content: textOf(own) }),
      send: (account, own, options) => {
        const reach = smsReach(step.subscriber!.phone, own, ready.suppressed);
        if (reach.refusal) return Promise.resolve(ALL_SUPPRESSED);
        const message = {
          id: step.id,
          to: reach.phone!,
          content: textOf(own),
          ...given({ from: own.text('from'), customData: own.object('customData') }),
        };
        return this.calls.send<'sms'>(account, message, own.rest(), options);
      },
    });
  }
}
