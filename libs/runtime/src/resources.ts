import { TemplateRenderer } from '@clarion/content';
import type { EnvironmentId } from '@clarion/contracts/core';
import { Closers, Egress } from '@clarion/platform';
import { openStores, type ProcessContext, type Stores } from './stores';

/** The resources of the engine and the workers. Several roles in one process share them. */
export type Resources = Pick<ProcessContext, 'config' | 'logger' | 'metrics' | 'health' | 'queueBackend'> &
  Stores & { templates: TemplateRenderer; egress: Egress };

export async function openResources(context: ProcessContext, name: string): Promise<Resources> {
  const { config, logger, queueBackend, metrics, health } = context;
  const stores = await openStores(context, name, { lookupsOnly: true });
  const closers = new Closers();
  closers.add(() => stores.close());
  const { organizations } = stores.database;
  const organizationOf = (environmentId: string): string => organizations.of(environmentId as EnvironmentId);
  const templates = new TemplateRenderer({ organizationOf });
  closers.add(() => templates.close());
  const egress = Egress.fromConfig(config, () => stores.database.refuseWait('a call to a provider'));
  closers.add(() => egress.close());
  return { config, logger, metrics, health, queueBackend, ...stores, templates, egress, close: closers.close };
}
