export type SubscribersSearch = object;

export const readSubscribersSearch = (): SubscribersSearch => ({});

export type SubscriberSearch = object;

export const readSubscriberSearch = (): SubscriberSearch => ({});
