import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@clarion/contracts/core';
import { composePush, TemplateRenderer } from '@clarion/content';
import {
  type Account,
  type ChannelStrategy,
  type Delivery,
  messageIdOf,
  overridesFor,
  type Prepared,
  ProviderCalls,
  reachFacts,
  type ReadyStep,
  renderSteps,
  unreachable,
} from '@clarion/delivery';
import { sealMessageTarget, SecretBox } from '@clarion/platform';
import type { PushMessage } from '@clarion/providers';
import { pushTargets, type PushTarget } from '@clarion/rules';

type Content = { title: string; body: string; data?: JsonObject };

/** Sends a message to every device of the subscriber; the step is completed when one of them was sent. */
@Injectable()
export class PushChannel implements ChannelStrategy {
  readonly channel = 'push';
  readonly errorId = 'unexpected_push_error';
  readonly allFailed = 'allPushesFailed';

  constructor(
    private readonly templates: TemplateRenderer,
    private readonly calls: ProviderCalls,
    private readonly secrets: SecretBox,
  ) {}

  prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    return renderSteps(this.templates, steps, composePush, (step, content) => this.address(step, content));
  }

  private address(ready: ReadyStep, content: Content): Prepared {
    const { targets, skipped, refusal } = pushTargets(reachFacts(ready, this.secrets));
    if (refusal) return unreachable(refusal);
    const deliveries = targets.flatMap((target) =>
      target.tokens.map((token) => this.deliveryTo(ready, target, token, content)),
    );
    return { kind: 'deliveries', deliveries, lines: skipped };
  }

  private deliveryTo(
    ready: ReadyStep,
    { account, endpoint }: PushTarget<Account>,
    token: string,
    { title, body, data }: Content,
  ): Delivery {
    const { step } = ready.item;
    const messageId = messageIdOf(step.id, `${account.id} ${token}`);
    return {
      messageId,
      accounts: [account],
      row: {
        channel: this.channel,
        messageTemplateId: ready.admitted.contentId,
        title,
        content: body,
        // A message without a token goes to a topic.
        ...(token !== '' && {
          deviceTokens: [sealMessageTarget(this.secrets, step.environmentId, messageId, token)],
        }),
        ...(data && { data }),
      },
      ...(endpoint?.id !== undefined && {
        token: { environmentId: step.environmentId, channelId: endpoint.id, token },
      }),
      send: (_, options) => {
        const overrides = overridesFor(this.channel, ready, account);
        overrides.texts('deviceTokens');
        overrides.texts('tokens');
        const message: PushMessage = {
          id: messageId,
          token,
          title,
          content: body,
          payload: data ?? step.notification.payload,
          subscriber: ready.admitted.variables.subscriber,
          step: { id: step.id, stepId: step.stepKey, ...(step.outputs && { outputs: step.outputs }) },
        };
        return this.calls.send<'push'>(account, message, overrides.rest(), options);
      },
    };
  }
}
