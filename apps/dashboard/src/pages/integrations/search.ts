import { oneOf, oneText, reader } from '../../search';

export const CHANNEL_ORDER = ['email', 'sms', 'push', 'chat', 'in_app'] as const;

/** `add` is the catalogue or the provider of the new integration, `find` what the catalogue is searched for. */
export const readIntegrationsSearch = reader({
  integration: oneText,
  tab: oneOf('settings', 'conditions', 'events', 'health'),
  add: oneText,
  find: oneText,
  channel: oneOf(...CHANNEL_ORDER),
});
export type IntegrationsSearch = ReturnType<typeof readIntegrationsSearch>;
export type IntegrationTab = NonNullable<IntegrationsSearch['tab']>;
