import type { Channel } from '@clarion/contracts/core';
import type { SendResult } from '@clarion/providers';
import { MessageOverrides, type Unreachable } from '@clarion/rules';
import type { Account } from '../accounts/integration-directory';
import type { SendOptions } from './provider-calls';
import type { Line } from '../pipeline/admit';
import type { MessageRow, Prepared, ReadyStep } from './channel';
import { unreachable } from './refusals';
import { recipientsOf } from './suppressions';

export const overridesFor = (channel: Channel, { item: { step } }: ReadyStep, { providerId }: Account) =>
  new MessageOverrides(step.notification.overrides, { stepId: step.stepKey, channel, providerId });

type SingleMessage = {
  row: MessageRow;
  refusal: Unreachable | undefined;
  lines: Line[];
  textsOf(own: MessageOverrides): Pick<MessageRow, 'subject' | 'content'>;
  send(account: Account, own: MessageOverrides, options?: SendOptions): Promise<SendResult>;
};

/** The one message of a step, which any of its accounts may send. */
export function singleDelivery(ready: ReadyStep, { row, refusal, lines, textsOf, send }: SingleMessage): Prepared {
  const { step } = ready.item;
  if (refusal) {
    const { line, ...error } = refusal;
    return unreachable([line], [{ ...row, id: step.id, status: 'warning', ...error }]);
  }
  const ownOf = (account: Account) => overridesFor(row.channel, ready, account);
  const delivery = {
    messageId: step.id,
    row,
    accounts: ready.accounts,
    recipientsFor: (account: Account) => recipientsOf(row.channel, ready, [account]),
    ...(step.notification.overrides && { textsFor: (account: Account) => textsOf(ownOf(account)) }),
    send: (account: Account, options?: SendOptions) => send(account, ownOf(account), options),
  };
  return { kind: 'deliveries', deliveries: [delivery], lines };
}
