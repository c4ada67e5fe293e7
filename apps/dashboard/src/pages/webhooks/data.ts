import { queryOptions } from '@tanstack/react-query';
import { CHANNEL_NAMES } from '../../api/channels';
import { api, type Schemas, unwrap } from '../../api/client';

export type Endpoint = Schemas['WebhookEndpointDto'];
export type EndpointFilter = Pick<Endpoint, 'events' | 'channels' | 'workflows'>;
export type EntryType = Schemas['LogEntryDto']['type'];

/** Failures and backlogs change without the reader. */
const REFRESH_MS = 5_000;

export const endpointsQuery = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: async () => (await unwrap(api.GET('/v1/webhook-endpoints'))).data,
    refetchInterval: REFRESH_MS,
  });

export const endpointQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ['webhooks', endpointId],
    queryFn: () => unwrap(api.GET('/v1/webhook-endpoints/{endpointId}', { params: { path: { endpointId } } })),
    refetchInterval: REFRESH_MS,
  });

/** After a change all lists of endpoints and deliveries are read again. */
export const WEBHOOKS = ['webhooks'];

/** A record and no list, so that the compiler finds a type that is missing. */
const TYPES: Record<EntryType, true> = {
  'message.sent': true,
  'message.delivered': true,
  'message.failed': true,
  'message.seen': true,
  'message.read': true,
  'message.unread': true,
  'message.archived': true,
  'message.unarchived': true,
  'message.snoozed': true,
  'message.unsnoozed': true,
  'message.deleted': true,
  'workflow.created': true,
  'workflow.updated': true,
  'workflow.published': true,
  'workflow.deleted': true,
  'preference.updated': true,
  'integration.unavailable': true,
  'integration.failing': true,
  'integration.available': true,
  'webhook_endpoint.disabled': true,
};

export const ENTRY_TYPES = Object.keys(TYPES) as EntryType[];
export const ENTRY_OPTIONS = ENTRY_TYPES.map((value) => ({ value, label: value }));

export function filterText({ events, channels, workflows }: EndpointFilter): string {
  const parts = [
    events?.length ? events.join(', ') : 'Every event',
    channels?.length && `on ${channels.map((channel) => CHANNEL_NAMES[channel]).join(', ')}`,
    workflows?.length && `of ${workflows.join(', ')}`,
  ];
  return parts.filter(Boolean).join(' ');
}
