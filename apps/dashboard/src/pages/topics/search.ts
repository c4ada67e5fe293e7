import { oneText, reader } from '../../search';

export const readTopicsSearch = reader({ key: oneText, after: oneText, before: oneText });
export const readTopicSearch = reader({ after: oneText, before: oneText });
