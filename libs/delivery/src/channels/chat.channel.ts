import type { ChannelCredentialsDto, JsonObject } from '@clarion/contracts';
import { composeText, type TemplateRenderer } from '@clarion/content';
import type { ClaimedChannel } from '@clarion/persistence';
import { openChannel, sealMessageTarget, type SecretBox } from '@clarion/platform';
import type { ChatMessage } from '@clarion/providers';
import type { Line } from '../admit';
import type { ChannelStrategy, Delivery, Prepared, ReadyStep } from '../channel';
import type { Account } from '../integration-directory';
import { messageIdOf } from '../message-id';
import { given, Overrides, type ProviderCalls } from '../provider-calls';
import { contentFault, unreachable } from '../refusals';

/** Reaches people by their phone number instead of a webhook. */
const BY_PHONE = 'whatsapp-business';

type Target = { account: Account; channel?: ClaimedChannel; credentials: ChannelCredentialsDto };

/** A message to every chat account that the subscriber has; it counts as sent when one of them took it. */
export class ChatChannel implements ChannelStrategy {
  readonly channel = 'chat';
  readonly errorId = 'unexpected_chat_error';
  readonly allFailed = 'All chat channels failed to send the message';

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
      const text = composeText(rendering.controls);
      return text.ok ? this.address(ready, text.content) : contentFault(text.fault);
    });
  }

  private address(ready: ReadyStep, content: string): Prepared {
    const { step } = ready.item;
    const targets = this.targetsOf(ready);
    if (targets.length === 0) {
      const detail = step.notification.contextKeys?.length
        ? 'Subscriber does not have a configured channel with the given context'
        : 'Subscriber does not have a configured channel';
      return unreachable({ status: 'Warning', detail });
    }
    const skipped: Line[] = [];
    const deliveries = targets.flatMap((target) => this.deliveryTo(ready, target, content, skipped) ?? []);
    if (deliveries.length > 0) return { kind: 'deliveries', deliveries, lines: skipped };
    const prepared = unreachable(skipped.at(-1)!, [
      {
        ...this.rowOf(ready, content, targets[0]!.account),
        id: step.id,
        status: 'warning',
        errorId: 'no_subscriber_chat_channel_id',
        errorText: skipped.at(-1)!.detail,
      },
    ]);
    return prepared.kind === 'refused'
      ? { ...prepared, refused: { ...prepared.refused, lines: [...skipped, SOME_SKIPPED] } }
      : prepared;
  }

  /** The subscriber's own channels; WhatsApp needs none of them; and a webhook that the trigger names for a provider. */
  private targetsOf({ item: { step }, accounts }: ReadyStep): Target[] {
    const stored = step.channels.flatMap((channel): Target[] => {
      const account = accounts.find(({ id }) => id === channel.integrationId);
      return account ? [{ account, channel, credentials: this.credentialsOf(step.environmentId, channel) }] : [];
    });
    const reached = new Set(stored.map(({ account }) => account.id));
    const others = accounts.filter(
      (account) =>
        !reached.has(account.id) &&
        (account.providerId === BY_PHONE || this.overridesFor({ step }, account).text('webhookUrl') !== undefined),
    );
    return [...stored, ...others.map((account) => ({ account, credentials: {} }))];
  }

  private deliveryTo(ready: ReadyStep, target: Target, content: string, skipped: Line[]): Delivery | undefined {
    const { step } = ready.item;
    const { account, channel, credentials } = target;
    const webhookUrl = this.overridesFor(ready.item, account).text('webhookUrl') ?? credentials.webhookUrl;
    const phoneNumber = step.subscriber!.phone ?? undefined;
    const raw = { providerId: account.providerId, identifier: account.identifier };
    if (account.providerId === BY_PHONE && phoneNumber === undefined) {
      skipped.push({ status: 'Failed', detail: 'Subscriber is missing a phone number', raw });
      return undefined;
    }
    if (account.providerId !== BY_PHONE && webhookUrl === undefined) {
      skipped.push({ status: 'Failed', detail: 'Webhook URL for the chat channel is missing', raw });
      return undefined;
    }
    const messageId = messageIdOf(step.id, channel?.id ?? account.id);
    return {
      messageId,
      accounts: [account],
      ownAddress: webhookUrl !== undefined,
      row: {
        ...this.rowOf(ready, content, account),
        ...(webhookUrl !== undefined && {
          directWebhookUrl: sealMessageTarget(this.secrets, step.environmentId, messageId, webhookUrl),
        }),
        ...(account.providerId === BY_PHONE && phoneNumber !== undefined && { phone: phoneNumber }),
      },
      send: () => {
        const own = this.overridesFor(ready.item, account);
        own.text('webhookUrl');
        const alert = given({
          uid: credentials.alertUid,
          title: credentials.title,
          imageUrl: credentials.imageUrl,
          state: credentials.state,
          externalUrl: credentials.externalUrl,
        });
        const message: ChatMessage = {
          id: messageId,
          content: own.text('content') ?? content,
          ...given({
            webhookUrl,
            phoneNumber,
            channel: own.text('channel') ?? credentials.channel,
            blocks: own.list('blocks'),
            customData: own.object('customData'),
          }),
          ...(Object.keys(alert).length > 0 && { alert }),
        };
        return this.calls.send<'chat'>(account, message, own.rest());
      },
    };
  }

  private rowOf({ item: { workflow }, admitted }: ReadyStep, content: string, account: Account): Delivery['row'] {
    return {
      channel: this.channel,
      workflowIdentifier: workflow.workflowId,
      messageTemplateId: admitted.contentId,
      providerId: account.providerId as Delivery['row']['providerId'],
      content,
    };
  }

  private credentialsOf(environmentId: string, channel: ClaimedChannel): ChannelCredentialsDto {
    return openChannel(this.secrets, { ...channel, environmentId });
  }

  private overridesFor({ step }: Pick<ReadyStep['item'], 'step'>, { providerId }: Account): Overrides {
    return new Overrides(step.notification.overrides, { stepId: step.stepKey, channel: this.channel, providerId });
  }
}

const SOME_SKIPPED: Line = { status: 'Warning', detail: 'Some chat channels skipped to send the message' };
