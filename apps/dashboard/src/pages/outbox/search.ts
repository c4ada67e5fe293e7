export type OutboxSearch = object;

export const readOutboxSearch = (): OutboxSearch => ({});
