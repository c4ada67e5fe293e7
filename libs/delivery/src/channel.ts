import type { Channel, TraceContext } from '@clarion/contracts/core';
import type { NewMessage, RunningStep } from '@clarion/persistence';
import type { SendResult } from '@clarion/providers';
import type { Suppressed } from '@clarion/rules';
import type { Admitted, Line, Refused } from './admit';
import type { Account } from './integration-directory';
import type { DeadToken } from './ports';

/** A step that runs, with the accounts that may send it, best first, and the addresses that it must not write to. */
export type ReadyStep = { item: RunningStep; admitted: Admitted; accounts: Account[]; suppressed: Suppressed };

export type MessageRow = Omit<NewMessage, 'id' | 'status' | 'errorId' | 'errorText' | 'providerMessageId'>;

/** One message of a step: what is stored of it, who may send it, and how it is handed over. */
export type Delivery = {
  messageId: string;
  row: MessageRow;
  /** In the order in which they are tried. */
  accounts: Account[];
  send(account: Account, trace?: TraceContext): Promise<SendResult>;
  /** The addresses that it goes to through this account, in the spelling of suppressions; absent where there are none. */
  recipientsFor?(account: Account): string[];
  /** It goes to an address of the subscriber's own, which says nothing about the account when it does not answer. */
  ownAddress?: boolean;
  /** The device that it goes to, to be forgotten when it is gone. */
  token?: DeadToken;
};

export type Prepared =
  /** Stored and thereby delivered. */
  | { kind: 'stored'; messages: NewMessage[]; lines: Line[] }
  | { kind: 'deliveries'; deliveries: Delivery[]; lines: Line[] }
  | { kind: 'refused'; refused: Refused; messages: NewMessage[] };

/** What differs between the channels. Everything else is the pipeline's. */
export interface ChannelStrategy {
  readonly channel: Channel;
  /** The `errorId` of a message that no provider took. */
  readonly errorId: string;
  /** The detail that is recorded when none of several messages was sent. */
  readonly allFailed?: 'allChatsFailed' | 'allPushesFailed';
  prepare(steps: ReadyStep[]): Promise<Prepared[]>;
}
