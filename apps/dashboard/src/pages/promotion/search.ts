import { oneText, reader } from '../../search';

export const readPromotionSearch = reader({ source: oneText, target: oneText, publish: oneText });
export type PromotionSearch = ReturnType<typeof readPromotionSearch>;
