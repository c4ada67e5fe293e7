import { oneOf, oneText } from '../../search';

export type LayoutsSearch = {
  query?: string;
  /** The layoutId of the layout that is edited. */
  layout?: string;
  width?: 'phone' | 'desktop';
};

export const readLayoutsSearch = (search: Record<string, unknown>): LayoutsSearch => ({
  query: oneText(search, 'query'),
  layout: oneText(search, 'layout'),
  width: oneOf(search, 'width', ['phone', 'desktop'] as const),
});
