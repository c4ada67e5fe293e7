import { oneOf, oneText, reader } from '../../search';

export const CHANNELS = ['email', 'sms', 'chat', 'push', 'in_app'] as const;

/** `message` is the selected one. */
export const readOutboxSearch = reader({
  search: oneText,
  channel: oneOf(...CHANNELS),
  message: oneText,
  tab: oneOf('html', 'text', 'source'),
  width: oneOf('desktop', 'phone'),
});
export type OutboxTab = NonNullable<ReturnType<typeof readOutboxSearch>['tab']>;
