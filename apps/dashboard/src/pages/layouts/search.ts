import { oneOf, oneText, reader } from '../../search';

/** `layout` is the layoutId of the layout that is edited. */
export const readLayoutsSearch = reader({ query: oneText, layout: oneText, width: oneOf('phone', 'desktop') });
