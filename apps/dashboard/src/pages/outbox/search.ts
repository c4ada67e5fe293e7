import { oneOf, oneText } from '../../search';

export const CHANNELS = ['email', 'sms', 'chat', 'push', 'in_app'] as const;
export const TABS = ['html', 'text', 'source'] as const;
const WIDTHS = ['desktop', 'phone'] as const;

export type OutboxTab = (typeof TABS)[number];

export type OutboxSearch = {
  search?: string;
  channel?: (typeof CHANNELS)[number];
  /** The selected message. */
  message?: string;
  tab?: OutboxTab;
  width?: (typeof WIDTHS)[number];
};

export const readOutboxSearch = (search: Record<string, unknown>): OutboxSearch => ({
  search: oneText(search, 'search'),
  channel: oneOf(search, 'channel', CHANNELS),
  message: oneText(search, 'message'),
  tab: oneOf(search, 'tab', TABS),
  width: oneOf(search, 'width', WIDTHS),
});
