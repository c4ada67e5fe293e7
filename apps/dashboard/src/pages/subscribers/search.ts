import { oneText, reader } from '../../search';

export const readSubscribersSearch = reader({ search: oneText, after: oneText, before: oneText });

export const NO_WORKFLOW = '-';

/** `why` is the workflow of the question "Why not?", empty while none is chosen; `at` is a time in ISO 8601. */
export const readSubscriberSearch = reader({ why: oneText, at: oneText });
