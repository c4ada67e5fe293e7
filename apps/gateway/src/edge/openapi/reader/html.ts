import { escapeHtml } from '@clarion/content';

/** A block of code with a button that copies it. */
export const codeBlock = (source: string): string =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(source)}</code></pre>` +
  '<button type="button" class="copy">Copy</button></div>';
