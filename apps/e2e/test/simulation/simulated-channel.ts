import type { Channel } from '@clarion/contracts';
import type { Account, ChannelStrategy, Prepared, ReadyStep } from '@clarion/delivery';
import type { SendResult } from '@clarion/providers';
import { isPoison } from './poison';
import { PUSH, IN_APP } from './scenario';

/** A channel without content: the simulation checks what is sent how often, not what it looks like. */
export class SimulatedChannel implements ChannelStrategy {
  readonly errorId = 'simulated_error';

  constructor(
    readonly channel: Channel,
    private readonly effects: {
      send(stepId: string, messageId: string, account: Account): Promise<SendResult>;
      poison(ids: string[]): Promise<never>;
    },
  ) {}

  prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    const poisoned = steps.filter(({ item: { step } }) => isPoison(step.notification.payload, step));
    if (poisoned.length > 0) return this.effects.poison(poisoned.map(({ item }) => item.step.id));
    return Promise.resolve(steps.map((step) => this.prepareOne(step)));
  }

  private prepareOne({ item: { step }, accounts }: ReadyStep): Prepared {
    const row = { channel: this.channel, content: '' };
    if (this.channel === IN_APP) {
      return {
        kind: 'stored',
        messages: [{ ...row, id: step.id, status: 'sent', delivered: true }],
        lines: [
          { status: 'Pending', detail: 'Message created' },
          { status: 'Success', detail: 'Message sent' },
        ],
      };
    }
    return {
      kind: 'deliveries',
      lines: [],
      deliveries: messageIdsOf(step).map((messageId) => ({
        messageId,
        row,
        accounts,
        send: (account) => this.effects.send(step.id, messageId, account),
      })),
    };
  }
}

/** One message for each device of a push step, one message for every other step. */
function messageIdsOf({ id, type }: { id: string; type: string }): string[] {
  if (type !== PUSH) return [id];
  const devices = 1 + (id.charCodeAt(id.length - 3) % 3);
  return Array.from({ length: devices }, (_, device) => `${id} ${device}`);
}
