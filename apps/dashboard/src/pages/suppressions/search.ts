export type SuppressionsSearch = object;

export const readSuppressionsSearch = (): SuppressionsSearch => ({});
