export type ActivitySearch = object;

export const readActivitySearch = (): ActivitySearch => ({});
