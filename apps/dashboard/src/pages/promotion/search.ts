import { oneText, reader } from '../../search';

/** The environments that are compared, and the publish that is shown. */
export const readPromotionSearch = reader({ source: oneText, target: oneText, publish: oneText });
export type PromotionSearch = ReturnType<typeof readPromotionSearch>;
