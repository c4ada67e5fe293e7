import type { Resource, Translation } from './data';
import { keysIn } from './keys';

/** A key of a workflow or a layout with its text in each locale that has one. */
export type Row = { resource: Resource; key: string; texts: Record<string, string> };
export type RowGroup = { resource: Resource; name: string; rows: Row[] };

/** The keys of each workflow and layout, in the order of the default locale and then of the others. */
export function groupsOf(translations: readonly Translation[], defaultLocale: string): RowGroup[] {
  const groups = new Map<string, RowGroup & { byKey: Map<string, Row> }>();
  const ordered = [...translations].sort(
    (one, other) => Number(other.locale === defaultLocale) - Number(one.locale === defaultLocale),
  );
  for (const { resourceType, resourceId, resourceName, locale, content } of ordered) {
    const id = `${resourceType} ${resourceId}`;
    const resource = { resourceType, resourceId };
    const group = groups.get(id) ?? { resource, name: resourceName, rows: [], byKey: new Map<string, Row>() };
    groups.set(id, group);
    for (const [key, text] of keysIn(content)) {
      const row = group.byKey.get(key) ?? { resource, key, texts: {} };
      if (!group.byKey.has(key)) group.rows.push(row);
      group.byKey.set(key, row);
      row.texts[locale] = text;
    }
  }
  return [...groups.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/** The default locale first. */
export const localesOf = (translations: readonly Translation[], defaultLocale: string, added: readonly string[]) => [
  ...new Set([defaultLocale, ...[...translations.map(({ locale }) => locale), ...added].sort()]),
];

/** The locale whose text is sent where one is missing: that of the language, else the default; undefined for none. */
export const sentInstead = ({ texts }: Row, locale: string, defaultLocale: string): string | undefined =>
  [locale.split('_', 1)[0]!, defaultLocale].find((other) => other !== locale && texts[other] !== undefined);

export const missingIn = (groups: readonly RowGroup[], locale: string): number =>
  groups.reduce((sum, { rows }) => sum + rows.filter(({ texts }) => texts[locale] === undefined).length, 0);

export type Shown = { query: string; isMissingOnly: boolean; resource: string };

export function filtered(groups: readonly RowGroup[], locales: readonly string[], shown: Shown): RowGroup[] {
  const asked = shown.query.trim().toLowerCase();
  const fits = ({ key, texts }: Row): boolean =>
    [key, ...Object.values(texts)].some((text) => text.toLowerCase().includes(asked)) &&
    (!shown.isMissingOnly || locales.some((locale) => texts[locale] === undefined));
  return groups
    .filter(
      ({ resource }) => shown.resource === '' || `${resource.resourceType} ${resource.resourceId}` === shown.resource,
    )
    .map((group) => ({ ...group, rows: group.rows.filter(fits) }))
    .filter(({ rows }) => rows.length > 0);
}

type Content = Record<string, unknown>;

/** The content with another text for the key; undefined removes it. Objects inside objects are keys with dots. */
export function withText(content: Content, key: string, text: string | undefined): Content {
  const dot = key.indexOf('.');
  const head = key.slice(0, dot);
  const inner = content[head];
  if (dot > 0 && !Object.hasOwn(content, key) && (inner === undefined || typeof inner === 'object')) {
    const changed = withText((inner ?? {}) as Content, key.slice(dot + 1), text);
    const { [head]: _, ...others } = content;
    return Object.keys(changed).length === 0 ? others : { ...content, [head]: changed };
  }
  const { [key]: _, ...others } = content;
  return text === undefined ? others : { ...content, [key]: text };
}
