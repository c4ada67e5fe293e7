export type IntegrationsSearch = object;

export const readIntegrationsSearch = (): IntegrationsSearch => ({});
