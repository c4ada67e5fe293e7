import { Injectable } from '@nestjs/common';
import { pick } from '@clarion/contracts/core';
import { composeText, TemplateRenderer } from '@clarion/content';
import {
  type Account,
  type ChannelStrategy,
  type Delivery,
  given,
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
import type { ChatMessage } from '@clarion/providers';
import {
  chatTargets,
  type ChatTarget,
  type Endpoint,
  NO_CHAT_PHONE,
  RECIPIENT_SUPPRESSED,
  SUPPRESSED_ERROR,
  suppressionAddress,
} from '@clarion/rules';
import { ConnectionTokens } from './connection-tokens';

const ERROR_IDS: Readonly<Record<string, string>> = {
  [RECIPIENT_SUPPRESSED]: SUPPRESSED_ERROR,
  [NO_CHAT_PHONE]: 'no_subscriber_chat_phone_number',
};

/** Sends a message to every chat endpoint of the subscriber; the step is completed when one of them was sent. */
@Injectable()
export class ChatChannel implements ChannelStrategy {
  readonly channel = 'chat';
  readonly errorId = 'unexpected_chat_error';
  readonly allFailed = 'allChatsFailed';

  constructor(
    private readonly templates: TemplateRenderer,
    private readonly calls: ProviderCalls,
    private readonly secrets: SecretBox,
    private readonly tokens: ConnectionTokens,
  ) {}

  readonly endpointsOf = (ready: ReadyStep): Endpoint[] => reachFacts(ready, this.secrets).endpoints;

  prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    return renderSteps(this.templates, steps, composeText, (step, { content }) => this.address(step, content));
  }

  private address(ready: ReadyStep, content: string): Prepared {
    const { targets, skipped, considered, refusal } = chatTargets(reachFacts(ready, this.secrets));
    if (!refusal) {
      const deliveries = targets.map((target) => this.deliveryTo(ready, target, content));
      return { kind: 'deliveries', deliveries, lines: skipped };
    }
    if (considered.length === 0) return unreachable(refusal);
    const errorText = skipped.at(-1)!.detail;
    return unreachable(refusal, [
      {
        ...this.rowOf(ready, content, considered[0]!),
        id: ready.item.step.id,
        status: 'warning',
        errorId: ERROR_IDS[errorText] ?? 'no_subscriber_chat_channel_id',
        errorText,
      },
    ]);
  }

  private deliveryTo(ready: ReadyStep, target: ChatTarget<Account>, content: string): Delivery {
    const { step } = ready.item;
    const { account, endpoint, credentials, webhookUrl, phone } = target;
    const text = overridesFor(this.channel, ready, account).text('content') ?? content;
    const { identifier, address, connection } = endpoint?.channel ?? {};
    const phoneNumber = phone ?? step.subscriber!.phone ?? undefined;
    const messageId = messageIdOf(step.id, endpoint?.id ?? account.id);
    return {
      messageId,
      accounts: [account],
      ...(phone !== undefined && { recipientsFor: () => this.recipientsAt(phone) }),
      // A workspace that has withdrawn its token, or that is slow, says nothing about the others of the integration.
      ownAddress: webhookUrl !== undefined || connection !== undefined,
      ...(identifier !== undefined && { endpoint: identifier }),
      row: {
        ...this.rowOf(ready, text, account),
        ...(webhookUrl !== undefined && {
          directWebhookUrl: sealMessageTarget(this.secrets, step.environmentId, messageId, webhookUrl),
        }),
        ...(phone !== undefined && { phone }),
      },
      send: (_, options) => {
        const own = overridesFor(this.channel, ready, account);
        own.text('webhookUrl');
        own.text('content');
        const alert = given({
          uid: credentials.alertUid,
          ...pick(credentials, 'title', 'imageUrl', 'state', 'externalUrl'),
        });
        const message: ChatMessage = {
          id: messageId,
          content: text,
          ...given({
            webhookUrl,
            phoneNumber,
            address,
            workspaceId: connection?.workspaceId,
            channel: own.text('channel') ?? credentials.channel,
            blocks: own.list('blocks'),
            customData: own.object('customData'),
          }),
          ...(Object.keys(alert).length > 0 && { alert }),
        };
        const overrides = own.rest();
        // A token may have to be renewed, which is a call of the provider: a sandbox makes none.
        if (!address || !connection || account.sandbox)
          return this.calls.send<'chat'>(account, message, overrides, options);
        return this.tokens.use(account, connection, (accessToken) =>
          this.calls.send<'chat'>(account, { ...message, accessToken }, overrides, options),
        );
      },
    };
  }

  private recipientsAt(phone: string): string[] {
    const address = suppressionAddress(this.channel, phone);
    return address === undefined ? [] : [address];
  }

  private rowOf({ admitted }: ReadyStep, content: string, account: Account): Delivery['row'] {
    return {
      channel: this.channel,
      messageTemplateId: admitted.contentId,
      providerId: account.providerId as Delivery['row']['providerId'],
      content,
    };
  }
}
