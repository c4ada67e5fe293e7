import { oneOf, oneText } from '../../search';

export const CHANNELS = ['email', 'sms', 'chat'] as const;
export type SuppressedChannel = (typeof CHANNELS)[number];

export type SuppressionsSearch = { channel?: SuppressedChannel; address?: string; after?: string; before?: string };

export const readSuppressionsSearch = (search: Record<string, unknown>): SuppressionsSearch => ({
  channel: oneOf(search, 'channel', CHANNELS),
  address: oneText(search, 'address'),
  after: oneText(search, 'after'),
  before: oneText(search, 'before'),
});
