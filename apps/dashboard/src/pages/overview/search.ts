export type OverviewSearch = object;

export const readOverviewSearch = (): OverviewSearch => ({});
