import { oneOf, oneText } from '../../search';

/** `next` is the page of this dashboard that was asked for; `link` tells that a sign-in link was refused. */
export type SignInSearch = { next?: string; link?: 'used' };

export const readSignInSearch = (search: Record<string, unknown>): SignInSearch => {
  const next = oneText(search, 'next');
  // A path of this origin only: `//host` and `/\host` would lead to another site.
  return { ...(next && /^\/(?![/\\])/.test(next) && { next }), link: oneOf('used')(search, 'link') };
};
