import { oneText } from '../../search';

/** `step` is the selected step, `bulk` the bulk action whose dialog is open. */
export type NotificationSearch = { step?: string; bulk?: string };

export const readNotificationSearch = (search: Record<string, unknown>): NotificationSearch => ({
  step: oneText(search, 'step'),
  bulk: oneText(search, 'bulk'),
});
