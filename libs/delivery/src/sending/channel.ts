import type { Channel } from '@clarion/contracts/core';
import type { NewMessage, RunningStep } from '@clarion/persistence';
import type { SendResult } from '@clarion/providers';
import type { Endpoint, Suppressed } from '@clarion/rules';
import type { Admitted, Line, Refused } from '../pipeline/admit';
import type { Account } from '../accounts/integration-directory';
import type { DeadToken } from '../ports';
import type { SendOptions } from './provider-calls';

/** An admitted step, with the accounts that may send it, best first, and the suppressed addresses. */
export type ReadyStep = {
  item: RunningStep;
  admitted: Admitted;
  accounts: Account[];
  suppressed: Suppressed;
  /** The secret variables of the environment. What is recorded has masks in their place. */
  secrets?: Record<string, string>;
};

export type MessageRow = Omit<
  NewMessage,
  'id' | 'status' | 'errorId' | 'errorText' | 'integrationId' | 'providerMessageId'
>;

/** One message of a step: the row to store, the accounts that may send it, and the call that sends it. */
export type Delivery = {
  messageId: string;
  row: MessageRow;
  /** The first one is tried first. */
  accounts: Account[];
  send(account: Account, options?: SendOptions): Promise<SendResult>;
  /** The addresses of the message through this account, normalized as in suppressions; absent where there are none. */
  recipientsFor?(account: Account): string[];
  /** The texts of the message through this account, where overrides of the trigger may replace them. */
  textsFor?(account: Account): Pick<MessageRow, 'subject' | 'content'>;
  /** The address belongs to the subscriber (a webhook): its failures do not count against the account. */
  ownAddress?: boolean;
  endpoint?: string;
  /** The device of the message; its token is removed when the provider reports it as dead. */
  token?: DeadToken;
};

export type Prepared =
  /** Storing the messages delivers them. */
  | { kind: 'stored'; messages: NewMessage[]; lines: Line[] }
  | { kind: 'deliveries'; deliveries: Delivery[]; lines: Line[] }
  | { kind: 'refused'; refused: Refused; messages: NewMessage[] };

/** The part of delivery that differs between channels. */
export interface ChannelStrategy {
  readonly channel: Channel;
  /** The `errorId` of a message that no provider accepted. */
  readonly errorId: string;
  /** The detail that is recorded when none of several messages was sent. */
  readonly allFailed?: 'allChatsFailed' | 'allPushesFailed';
  prepare(steps: ReadyStep[]): Promise<Prepared[]>;
  /** The stored endpoints of the step, where they have addresses that can be suppressed. */
  endpointsOf?(this: void, step: ReadyStep): Endpoint[];
}
