import { uuidv7 } from 'uuidv7';

declare const kind: unique symbol;

/** An id of one kind of row. A plain string, or an id of another kind, does not compile in its place. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind };
export type EnvironmentId = Id<'environment'>;
export type TriggerId = Id<'trigger'>;
export type NotificationId = Id<'notification'>;
export type StepId = Id<'step'>;
/** The id of the subscriber's row, not the `subscriberId` that the caller chose. */
export type SubscriberRowId = Id<'subscriber'>;

/** Ids are UUIDv7: made in the application, ordered by time, opaque to callers. */
export const newId = <T extends string = string>(): T => uuidv7() as T;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

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
