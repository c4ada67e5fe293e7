export type NotificationSearch = object;

export const readNotificationSearch = (): NotificationSearch => ({});
