import { oneText } from '../../search';

/** The environments that are compared, and the publish that is shown. */
export type PromotionSearch = { source?: string; target?: string; publish?: string };

export const readPromotionSearch = (search: Record<string, unknown>): PromotionSearch => ({
  source: oneText(search, 'source'),
  target: oneText(search, 'target'),
  publish: oneText(search, 'publish'),
});
