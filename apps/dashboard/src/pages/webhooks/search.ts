import { oneOf, oneText, texts } from '../../search';

export const TABS = ['endpoints', 'event-log'] as const;
export type WebhooksTab = (typeof TABS)[number];

export type WebhooksSearch = {
  tab?: WebhooksTab;
  /** The event log after this number; without it, its newest entries. */
  after?: string;
  type?: string[];
};

export const readWebhooksSearch = (search: Record<string, unknown>): WebhooksSearch => ({
  tab: oneOf(search, 'tab', TABS),
  after: oneText(search, 'after'),
  type: texts(search, 'type'),
});

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

/** The filter and the page of the deliveries. */
export type WebhookSearch = { state?: (typeof DELIVERY_STATES)[number]; page?: string };

export const readWebhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  state: oneOf(search, 'state', DELIVERY_STATES),
  page: oneText(search, 'page'),
});
