import type { TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, isJsonObject, type JsonObject } from '@clarion/contracts';
import type { Database, Layout } from '@clarion/persistence';
import { contentsOf, type EnvironmentContents, type TranslatedItem } from '@clarion/runtime';

/** The variables and translations of an environment, read for one request. Secrets stay closed. */
export async function readContents(
  { database, renderer }: { database: Database; renderer: TemplateRenderer },
  environmentId: EnvironmentId,
): Promise<EnvironmentContents> {
  const contents = contentsOf({ database, templates: renderer });
  await contents.load([{ environmentId, contentStamp: 'of this request' }]);
  return contents;
}

/** The locale of the subscriber in the variables of a preview. */
export function localeIn({ subscriber }: JsonObject): string | undefined {
  const locale = isJsonObject(subscriber) ? subscriber['locale'] : undefined;
  return typeof locale === 'string' ? locale : undefined;
}

export const layoutItem = (layout: Layout, locale: string | null | undefined): TranslatedItem => ({
  environmentId: layout.environmentId,
  resourceId: layout.id,
  isEmail: true,
  controls: (layout.controlValues.email ?? {}) as JsonObject,
  locale,
});
