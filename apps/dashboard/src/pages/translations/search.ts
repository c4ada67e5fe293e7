import { oneOf, oneText } from '../../search';

const RESOURCE_TYPES = ['workflow', 'layout'] as const;

export type TranslationsSearch = {
  /** The workflow or layout whose texts are shown, and the locale that is edited. */
  type?: (typeof RESOURCE_TYPES)[number];
  id?: string;
  locale?: string;
  /** The filters of the grid: words, what is missing, and the type and the id of a workflow or a layout. */
  query?: string;
  show?: 'missing';
  of?: string;
};

export const readTranslationsSearch = (search: Record<string, unknown>): TranslationsSearch => ({
  type: oneOf(search, 'type', RESOURCE_TYPES),
  id: oneText(search, 'id'),
  locale: oneText(search, 'locale'),
  query: oneText(search, 'query'),
  show: oneOf(search, 'show', ['missing'] as const),
  of: oneText(search, 'of'),
});
