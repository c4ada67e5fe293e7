import { oneOf, oneText, reader, texts } from '../../search';

/** `after` is a number of the event log; without it, its newest entries are shown. */
export const readWebhooksSearch = reader({ tab: oneOf('endpoints', 'event-log'), after: oneText, type: texts });
export type WebhooksSearch = ReturnType<typeof readWebhooksSearch>;
export type WebhooksTab = NonNullable<WebhooksSearch['tab']>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

export const readWebhookSearch = reader({ state: oneOf(...DELIVERY_STATES), page: oneText });
export type WebhookSearch = ReturnType<typeof readWebhookSearch>;
