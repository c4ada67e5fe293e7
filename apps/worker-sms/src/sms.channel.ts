import { Injectable } from '@nestjs/common';
import { composeText, TemplateRenderer } from '@clarion/content';
import {
  type Account,
  ALL_SUPPRESSED,
  type ChannelStrategy,
  type Delivery,
  given,
  type Prepared,
  ProviderCalls,
  type ReadyStep,
  recipientsOf,
  renderSteps,
  unreachable,
} from '@clarion/delivery';
import { MessageOverrides, smsReach } from '@clarion/rules';

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
    const overrides = this.overridesFor(ready, ready.accounts[0]!);
    const { phone, refusal } = smsReach(step.subscriber!.phone, overrides, ready.suppressed);
    const textOf = (own: MessageOverrides): string => own.text('content') ?? rendered;
    const content = textOf(overrides);
    const row: Delivery['row'] = {
      channel: this.channel,
      messageTemplateId: ready.admitted.contentId,
      content,
      ...(phone !== undefined && { phone }),
    };
    if (refusal) {
      const { line, ...error } = refusal;
      return unreachable([line], [{ ...row, id: step.id, status: 'warning', ...error }]);
    }
    const delivery: Delivery = {
      messageId: step.id,
      row,
      accounts: ready.accounts,
      recipientsFor: (account) => recipientsOf(this.channel, ready, [account]),
      ...(step.notification.overrides && {
        textsFor: (account) => ({ content: textOf(this.overridesFor(ready, account)) }),
      }),
      send: (account, options) => {
        const own = this.overridesFor(ready, account);
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
    };
    return { kind: 'deliveries', deliveries: [delivery], lines: [] };
  }

  private overridesFor({ item: { step } }: ReadyStep, { providerId }: Account): MessageOverrides {
    return new MessageOverrides(step.notification.overrides, {
      stepId: step.stepKey,
      channel: this.channel,
      providerId,
    });
  }
}
