import { oneOf, oneText, reader } from '../../search';

/**
 * The workflow or layout whose texts are shown with the locale that is edited, and the filters of the grid: words, what
 * is missing, and the type and the id of a workflow or a layout.
 */
export const readTranslationsSearch = reader({
  type: oneOf('workflow', 'layout'),
  id: oneText,
  locale: oneText,
  query: oneText,
  show: oneOf('missing'),
  of: oneText,
});
