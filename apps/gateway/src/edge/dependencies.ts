import type { ProcessContext, Stores } from '@clarion/runtime';

export { LOGGER } from '@clarion/runtime';

export type GatewayDependencies = Pick<ProcessContext, 'config' | 'logger' | 'metrics' | 'health'> &
  Omit<Stores, 'queue' | 'close'>;
