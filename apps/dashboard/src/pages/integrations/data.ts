import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';

export type Integration = Schemas['IntegrationDto'] & { _id: string };
export type Provider = Schemas['ProviderDto'];
export type ProviderField = Schemas['ProviderFieldDto'];
export { type Hold, holdsQuery, isOfOperator } from '../../api/holds';
export { providersQuery } from '../../api/providers';

export type Filter = Schemas['StepFilterDto'];

/** The state of breakers and holds changes without the reader. */
const REFRESH_MS = 10_000;

export const integrationsQuery = () =>
  queryOptions({
    queryKey: ['integrations'],
    queryFn: () => unwrap(api.GET('/v1/integrations')) as Promise<Integration[]>,
    refetchInterval: REFRESH_MS,
  });

const path = (integrationId: string) => ({ params: { path: { integrationId } } });

export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', id, 'health'],
    queryFn: () => unwrap(api.GET('/v1/integrations/{integrationId}/health', path(id))),
  });

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', id, 'usage'],
    queryFn: () => unwrap(api.GET('/v1/integrations/{integrationId}/usage', path(id))),
  });

export type Settings = Schemas['UpdateIntegrationDto'];

export const createIntegration = (body: Schemas['CreateIntegrationDto']): Promise<Integration> =>
  unwrap(api.POST('/v1/integrations', { body })) as Promise<Integration>;

export const updateIntegration = (id: string, body: Settings): Promise<Integration> =>
  unwrap(api.PUT('/v1/integrations/{integrationId}', { ...path(id), body })) as Promise<Integration>;

export const deleteIntegration = (id: string) => unwrap(api.DELETE('/v1/integrations/{integrationId}', path(id)));

export const makePrimary = (id: string) => unwrap(api.POST('/v1/integrations/{integrationId}/set-primary', path(id)));

export const setOrder = (ids: string[]) => unwrap(api.POST('/v1/integrations/order', { body: { ids } }));

export const checkIntegration = (id: string) => unwrap(api.POST('/v1/integrations/{integrationId}/check', path(id)));

/** After a change all lists are read again. */
export const INTEGRATIONS = ['integrations'];
