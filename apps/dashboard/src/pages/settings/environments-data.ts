import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';

export type Environment = Schemas['EnvironmentDto'];

export const KINDS = [
  { value: 'production', label: 'Production: real providers only' },
  { value: 'sandbox', label: 'Sandbox: the outbox is allowed' },
  { value: 'development', label: 'Development: the outbox is allowed' },
] as const;

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: () => unwrap(api.GET('/v1/environments')),
});

/** After a change; the header lists the environments of the session. */
export function reloadEnvironments(): void {
  void queries.invalidateQueries({ queryKey: ['environments'] });
  void queries.invalidateQueries({ queryKey: ['session'] });
}
