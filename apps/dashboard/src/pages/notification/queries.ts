import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';

export type Notification = Schemas['NotificationDto'];
export type Job = Schemas['JobDto'];
export type SentMessage = Schemas['SentMessageDto'];
export type DryRunStep = Schemas['DryRunStepDto'];

const IN_FLIGHT_MS = 2_000;
const OPEN: readonly string[] = ['pending', 'queued', 'running', 'delayed'];

export const isOpen = ({ status }: Job): boolean => OPEN.includes(status);

const pathOf = (notificationId: string) => ({ params: { path: { notificationId } } });

/** Read again and again while a step is open. */
export const notificationQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', id],
    queryFn: () => unwrap(api.GET('/v1/notifications/{notificationId}', pathOf(id))),
    refetchInterval: ({ state }) => (state.data?.jobs?.some(isOpen) ? IN_FLIGHT_MS : false),
  });

/** `updatedAt` makes a new query when a step has changed; `today` renders the workflow as it is now. */
export const messagesQuery = (id: string, updatedAt: string | undefined, today = false) =>
  queryOptions({
    queryKey: ['notifications', id, 'messages', updatedAt, today],
    queryFn: () =>
      unwrap(
        api.GET('/v1/notifications/{notificationId}/messages', {
          params: { path: { notificationId: id }, query: { today } },
        }),
      ),
    placeholderData: (before) => before,
  });

export const rulesQuery = (id: string, updatedAt: string | undefined) =>
  queryOptions({
    queryKey: ['notifications', id, 'rules', updatedAt],
    queryFn: () => unwrap(api.GET('/v1/notifications/{notificationId}/rules', pathOf(id))),
    placeholderData: (before) => before,
  });

export const comparisonQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', id, 'comparison'],
    queryFn: () => unwrap(api.GET('/v1/notifications/{notificationId}/comparison', pathOf(id))),
  });
