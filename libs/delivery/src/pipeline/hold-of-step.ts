import type { Prepared, ReadyStep } from '../sending/channel';
import { MessageAttempt } from '../sending/message-attempt';

export function holdOf({ item: { step }, accounts }: ReadyStep, prepared: Prepared): string | null {
  switch (prepared.kind) {
    case 'refused':
      return null;
    case 'stored':
      return accounts[0]!.pause.holdId;
    case 'deliveries': {
      const held = prepared.deliveries.map((delivery) => MessageAttempt.holdOf(delivery, step));
      return held.find((holdId) => holdId !== null) ?? null;
    }
  }
}
