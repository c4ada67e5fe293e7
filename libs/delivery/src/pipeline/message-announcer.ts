import type { ClaimedStep, NewMessage } from '@clarion/persistence';
import type { Realtime } from '../ports';

/** Tells connected inboxes about new in-app messages, once per turn of the event loop for all messages of that turn. */
export class MessageAnnouncer {
  private announced: { step: ClaimedStep; messages: NewMessage[] }[] = [];

  constructor(private readonly realtime: Realtime) {}

  announce(step: ClaimedStep, messages: NewMessage[]): void {
    const isFirst = this.announced.push({ step, messages }) === 1;
    if (isFirst) setImmediate(() => this.publish());
  }

  private publish(): void {
    const events = this.announced.map(({ step: { environmentId, subscriber }, messages }) => ({
      v: 1 as const,
      kind: 'message.created' as const,
      environmentId,
      subscriberId: subscriber!.id,
      messageIds: messages.map(({ id }) => id),
    }));
    this.announced = [];
    void this.realtime.publish(events);
  }
}
