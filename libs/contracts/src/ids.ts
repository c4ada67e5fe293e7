import { V7Generator } from 'uuidv7';

declare const kind: unique symbol;

/** An id of one kind of row. A plain string, or an id of another kind, does not compile in its place. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind };
export type EnvironmentId = Id<'environment'>;
export type TriggerId = Id<'trigger'>;
export type NotificationId = Id<'notification'>;
export type StepId = Id<'step'>;
/** The id of the subscriber's row, not the `subscriberId` that the caller chose. */
export type SubscriberRowId = Id<'subscriber'>;

/** Random numbers of the system, fetched many at a time: the generator's own buffer holds those of eight ids. */
const numbers = new Uint32Array(1_024);
let used = numbers.length;
const ids = new V7Generator({
  nextUint32() {
    if (used === numbers.length) {
      crypto.getRandomValues(numbers);
      used = 0;
    }
    return numbers[used++]!;
  },
});

/** Ids are UUIDv7: made in the application, ordered by time, opaque to callers. */
export const newId = <T extends string = string>(): T => ids.generate().toString() as T;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The smallest UUIDv7 of a point in time: lets a time bound prune partitions, which are ranges of ids. */
export function idAtTime(milliseconds: number): string {
  const hex = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** The time at which an id was made, by the clock of the process that made it. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * The id of a notification ends with the byte 0, and the ids of its steps with their position + 1. So the id of a step
 * names its notification, and the steps of a notification are a range of ids. The same rule is in the database:
 * `step_id`, `notification_of` and `position_of`.
 */
export const toNotificationId = (id: string): NotificationId => `${id.slice(0, -2)}00` as NotificationId;

export const stepIdOf = (notificationId: NotificationId, position: number): StepId =>
  (notificationId.slice(0, -2) + (position + 1).toString(16).padStart(2, '0')) as StepId;
