import { composeText, type TemplateRenderer } from '@clarion/content';
import { MessageOverrides, NO_PHONE_NUMBER, phoneNumber } from '@clarion/rules';
import type { ChannelStrategy, Delivery, Prepared, ReadyStep } from '../channel';
import type { Account } from '../integration-directory';
import { given, type ProviderCalls } from '../provider-calls';
import { unreachable } from '../refusals';
import { renderSteps } from '../render-steps';

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
    const { step, workflow } = ready.item;
    const overrides = this.overridesFor(ready, ready.accounts[0]!);
    const phone = phoneNumber(step.subscriber!.phone, overrides);
    const content = overrides.text('content') ?? rendered;
    const row: Delivery['row'] = {
      channel: this.channel,
      workflowIdentifier: workflow.workflowId,
      messageTemplateId: ready.admitted.contentId,
      content,
      ...(phone !== undefined && { phone }),
    };
    if (phone === undefined) {
      const errorText = 'Subscriber does not have a phone number';
      return unreachable(
        [NO_PHONE_NUMBER],
        [{ ...row, id: step.id, status: 'warning', errorId: 'no_subscriber_phone', errorText }],
      );
    }
    const delivery: Delivery = {
      messageId: step.id,
      row,
      accounts: ready.accounts,
      send: (account) => {
        const own = this.overridesFor(ready, account);
        const message = {
          id: step.id,
          to: own.text('to') ?? phone,
          content: own.text('content') ?? rendered,
          ...given({ from: own.text('from'), customData: own.object('customData') }),
        };
        return this.calls.send<'sms'>(account, message, own.rest());
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
