/** Apart from the sanitiser, because the render thread needs these before it needs that. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Leaves the entities that are there. */
export const escapeHtmlOnce = (text: string): string =>
  text.replace(/&(?!(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);)|[<>"']/gi, (character) => ENTITIES[character]!);
