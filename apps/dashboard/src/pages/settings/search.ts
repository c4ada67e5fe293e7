export type SettingsSearch = object;

export const readSettingsSearch = (): SettingsSearch => ({});
