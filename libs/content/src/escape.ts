/** Separate from the sanitizer, so that the render process can load this without it. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Keeps existing entities. */
export const escapeHtmlOnce = (text: string): string =>
  text.replace(/&(?!(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);)|[<>"']/gi, (character) => ENTITIES[character]!);

const SIGNS = Object.fromEntries(Object.entries(ENTITIES).map(([sign, entity]) => [entity, sign]));

/** Reverses `escapeHtml`; other entities stay. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|quot|#39|lt|gt);/g, (entity) => SIGNS[entity]!);
