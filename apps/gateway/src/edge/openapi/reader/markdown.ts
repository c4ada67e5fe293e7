import { escapeHtml } from '@clarion/content';
import { codeBlock } from './html';

export const slugOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export const headingsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);

/** The part of Markdown that the texts of the document use: headings, paragraphs, lists, code, bold and links. */
export function renderMarkdown(markdown: string): string {
  // Fences come first, because a blank line in code ends no block.
  return markdown
    .split(/^```\w*(?:\n|$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? codeBlock(part.trimEnd())
        : part
            .split(/\n{2,}/)
            .map(block)
            .join(''),
    )
    .join('');
}

function block(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const heading = /^## (.+)$/.exec(trimmed);
  if (heading) return `<h2 id="${slugOf(heading[1]!)}">${inline(heading[1]!)}</h2>`;
  if (!trimmed.startsWith('- ')) return `<p>${inline(trimmed)}</p>`;
  const items = trimmed.slice(2).split(/\n- /);
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

/** Code is cut out first: nothing inside of it is Markdown. */
const inline = (text: string): string =>
  text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : emphasised(part)))
    .join('');

const emphasised = (text: string): string =>
  escapeHtml(text)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^[\]]+)\]\(((?:https?:\/\/|#|\/)[^)[\s]*)\)/g, '<a href="$2">$1</a>');
