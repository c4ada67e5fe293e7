export type TopicsSearch = object;

export const readTopicsSearch = (): TopicsSearch => ({});

export type TopicSearch = object;

export const readTopicSearch = (): TopicSearch => ({});
