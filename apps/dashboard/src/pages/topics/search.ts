import { oneText } from '../../search';

export type TopicsSearch = { key?: string; after?: string; before?: string };

export const readTopicsSearch = (search: Record<string, unknown>): TopicsSearch => ({
  key: oneText(search, 'key'),
  after: oneText(search, 'after'),
  before: oneText(search, 'before'),
});

export type TopicSearch = { after?: string; before?: string };

export const readTopicSearch = (search: Record<string, unknown>): TopicSearch => ({
  after: oneText(search, 'after'),
  before: oneText(search, 'before'),
});
