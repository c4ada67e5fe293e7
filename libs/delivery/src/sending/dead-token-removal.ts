import { executionDetail } from '@clarion/contracts/core';
import type { SendResult } from '@clarion/providers';
import type { Delivery } from './channel';
import type { Account } from '../accounts/integration-directory';
import type { DeadTokens, DeliveryLog } from '../ports';
import type { SentLine } from '../pipeline/step-result';
import { TokenBrake } from '../accounts/token-brake';

const KEPT_REASON = 'More than a fifth of the devices were called gone within a minute: look at the integration first';

/** Removes device tokens that a provider reports as dead, unless the account reports suspiciously many. */
export class DeadTokenRemoval {
  private readonly brake = new TokenBrake(this.now);

  constructor(
    private readonly tokens: DeadTokens,
    private readonly log: DeliveryLog,
    private readonly now: () => number,
  ) {}

  /** Counts the result for the brake; to be called for every result before `removeDeadToken`. */
  count({ token }: Delivery, account: Account, result: SendResult): void {
    if (token) this.brake.note(account.id, !result.ok && result.kind === 'dead-token');
  }

  /** Returns the lines to record; none when the token is alive. */
  async removeDeadToken({ token, messageId }: Delivery, account: Account, result: SendResult): Promise<SentLine[]> {
    if (result.ok || result.kind !== 'dead-token' || !token) return [];
    if (this.brake.isOn(account.id)) {
      const raw = { reason: KEPT_REASON };
      return [{ ...executionDetail('deviceTokenKept'), raw, messageId }];
    }
    try {
      await this.tokens.remove(token);
    } catch (error) {
      this.log.warn(
        { err: error, messageId, channelId: token.channelId },
        'A dead device token could not be removed. It stays with the subscriber until the provider reports it again.',
      );
      return [];
    }
    const raw = { token: `...${token.token.slice(-6)}` };
    return [{ ...executionDetail('deviceTokenRemoved'), raw, messageId }];
  }
}
