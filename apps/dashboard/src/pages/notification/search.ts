import { oneOf, oneText, reader } from '../../search';

export const TABS = ['answer', 'sent', 'payload', 'today', 'good', 'events'] as const;

/** `step` is the selected step, `tab` what is shown of it, `bulk` the bulk action whose dialog is open. */
export const readNotificationSearch = reader({ step: oneText, tab: oneOf(...TABS), bulk: oneText });
