export type LayoutsSearch = object;

export const readLayoutsSearch = (): LayoutsSearch => ({});
