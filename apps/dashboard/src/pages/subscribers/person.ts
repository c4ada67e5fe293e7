type Names = { firstName?: string | null; lastName?: string | null; subscriberId: string };

/** The name of a subscriber, or the subscriberId of one without a name. */
export const nameOf = ({ firstName, lastName, subscriberId }: Names): string =>
  [firstName, lastName].filter(Boolean).join(' ') || subscriberId;

/** A credential without what would let another person use it. */
export function masked(value: string): string {
  return value.length <= 8 ? '••••' : `••••${value.slice(-4)}`;
}
