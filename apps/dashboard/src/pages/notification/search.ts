import { oneText, reader } from '../../search';

/** `step` is the selected step, `bulk` the bulk action whose dialog is open. */
export const readNotificationSearch = reader({ step: oneText, bulk: oneText });
