import { oneText } from '../../search';

export type SubscribersSearch = { search?: string; after?: string; before?: string };

export const readSubscribersSearch = (search: Record<string, unknown>): SubscribersSearch => ({
  search: oneText(search, 'search'),
  after: oneText(search, 'after'),
  before: oneText(search, 'before'),
});

/** `why` is the workflow of the question "Why not?", empty while none is chosen; `at` is a time in ISO 8601. */
export type SubscriberSearch = { why?: string; at?: string };

export const NO_WORKFLOW = '-';

export const readSubscriberSearch = (search: Record<string, unknown>): SubscriberSearch => ({
  why: oneText(search, 'why'),
  at: oneText(search, 'at'),
});
