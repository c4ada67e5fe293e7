import type { ChannelCredentialsDto, JsonObject } from '@clarion/contracts';
import { composePush, type TemplateRenderer } from '@clarion/content';
import { openChannel, sealMessageTarget, type SecretBox } from '@clarion/platform';
import type { PushMessage } from '@clarion/providers';
import type { Line } from '../admit';
import type { ChannelStrategy, Delivery, Prepared, ReadyStep } from '../channel';
import type { Account } from '../integration-directory';
import { messageIdOf } from '../message-id';
import { Overrides, type ProviderCalls } from '../provider-calls';
import { contentFault, unreachable } from '../refusals';

type Content = { title: string; body: string; data?: JsonObject };
type Target = { account: Account; channelId?: string; tokens: string[] };

const NO_TOKENS = 'Subscriber credentials is missing the tokens for sending a push notification message';

/** A message to every device of the subscriber; it counts as sent when one of them got it. */
export class PushChannel implements ChannelStrategy {
  readonly channel = 'push';
  readonly errorId = 'unexpected_push_error';
  readonly allFailed = 'There was one or more errors when trying to execute the notification';

  constructor(
    private readonly templates: TemplateRenderer,
    private readonly calls: ProviderCalls,
    private readonly secrets: SecretBox,
  ) {}

  async prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    const renderings = await this.templates.renderMany(
      steps.map(({ admitted }) => ({
        controls: admitted.controls,
        variables: admitted.variables as unknown as JsonObject,
      })),
    );
    return steps.map((ready, index): Prepared => {
      const rendering = renderings[index]!;
      if (!rendering.ok) return contentFault(rendering.fault);
      const content = composePush(rendering.controls);
      return content.ok ? this.address(ready, content) : contentFault(content.fault);
    });
  }

  private address(ready: ReadyStep, content: Content): Prepared {
    const targets = this.targetsOf(ready);
    if (targets.length === 0) {
      return unreachable({ status: 'Warning', detail: 'Subscriber does not have a configured channel' });
    }
    const skipped = targets
      .filter(({ tokens }) => tokens.length === 0)
      .map(({ account: { providerId, identifier } }): Line => ({
        status: 'Failed',
        detail: NO_TOKENS,
        raw: { providerId, identifier },
      }));
    const deliveries = targets.flatMap((target) =>
      target.tokens.map((token) => this.deliveryTo(ready, target, token, content)),
    );
    if (deliveries.length > 0) return { kind: 'deliveries', deliveries, lines: skipped };
    const refused = { admitted: false as const, state: 'canceled' as const };
    const lines: Line[] = [...skipped, { status: 'Warning', detail: 'Some push channels skipped to send the message' }];
    return { kind: 'refused', refused: { ...refused, lines }, messages: [] };
  }

  /** Tokens that the trigger names for a provider replace the stored ones, and need none stored. */
  private targetsOf({ item: { step }, accounts }: ReadyStep): Target[] {
    const stored = step.channels.flatMap((channel): Target[] => {
      const account = accounts.find(({ id }) => id === channel.integrationId);
      if (!account) return [];
      const credentials: ChannelCredentialsDto = openChannel(this.secrets, {
        ...channel,
        environmentId: step.environmentId,
      });
      const named = this.namedTokens(step, account);
      return [{ account, channelId: channel.id, tokens: named ?? credentials.deviceTokens ?? [] }];
    });
    const reached = new Set(stored.map(({ account }) => account.id));
    const others = accounts.flatMap((account): Target[] => {
      const tokens = reached.has(account.id) ? undefined : this.namedTokens(step, account);
      return tokens ? [{ account, tokens }] : [];
    });
    return [...stored, ...others];
  }

  private namedTokens(step: ReadyStep['item']['step'], account: Account): string[] | undefined {
    const overrides = this.overridesFor(step, account);
    const named = [...overrides.texts('deviceTokens'), ...overrides.texts('tokens')];
    return named.length > 0 ? [...new Set(named)] : undefined;
  }

  private deliveryTo(
    ready: ReadyStep,
    { account, channelId }: Target,
    token: string,
    { title, body, data }: Content,
  ): Delivery {
    const { step, workflow } = ready.item;
    const messageId = messageIdOf(step.id, `${account.id} ${token}`);
    return {
      messageId,
      accounts: [account],
      row: {
        channel: this.channel,
        workflowIdentifier: workflow.workflowId,
        messageTemplateId: ready.admitted.contentId,
        title,
        content: body,
        deviceTokens: [sealMessageTarget(this.secrets, step.environmentId, messageId, token)],
        ...(data && { data }),
      },
      ...(channelId !== undefined && { token: { environmentId: step.environmentId, channelId, token } }),
      send: () => {
        const overrides = this.overridesFor(step, account);
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
        return this.calls.send<'push'>(account, message, overrides.rest());
      },
    };
  }

  private overridesFor(step: ReadyStep['item']['step'], { providerId }: Account): Overrides {
    return new Overrides(step.notification.overrides, { stepId: step.stepKey, channel: this.channel, providerId });
  }
}
