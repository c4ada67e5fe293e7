import { oneOf, oneText } from '../../search';

export const TABS = ['settings', 'conditions', 'events', 'health'] as const;
export type IntegrationTab = (typeof TABS)[number];

export const CHANNEL_NAMES = { email: 'Email', sms: 'SMS', push: 'Push', chat: 'Chat', in_app: 'In-app' } as const;
export type Channel = keyof typeof CHANNEL_NAMES;
export const CHANNEL_ORDER = Object.keys(CHANNEL_NAMES) as Channel[];

export type IntegrationsSearch = {
  /** The integration that is shown. */
  integration?: string;
  tab?: IntegrationTab;
  /** The catalogue, or the provider of the new integration. */
  add?: string;
  /** What the catalogue is searched for. */
  find?: string;
  channel?: Channel;
};

export const readIntegrationsSearch = (search: Record<string, unknown>): IntegrationsSearch => ({
  integration: oneText(search, 'integration'),
  tab: oneOf(search, 'tab', TABS),
  add: oneText(search, 'add'),
  find: oneText(search, 'find'),
  channel: oneOf(search, 'channel', CHANNEL_ORDER),
});
