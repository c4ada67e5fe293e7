import { oneOf, oneText, reader } from '../../search';

export const CHANNELS = ['email', 'sms', 'chat'] as const;
export type SuppressedChannel = (typeof CHANNELS)[number];

export const readSuppressionsSearch = reader({
  channel: oneOf(...CHANNELS),
  address: oneText,
  after: oneText,
  before: oneText,
});
