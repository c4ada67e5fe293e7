const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A block of code with a button that copies it. */
export const codeBlock = (source: string): string =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(source)}</code></pre>` +
  '<button type="button" class="copy">Copy</button></div>';
