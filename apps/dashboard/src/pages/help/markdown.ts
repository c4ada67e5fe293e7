/** A document as the build writes it: its title, and its text as HTML. */
export type HelpDocument = { title: string; html: string };

type Link = (address: string) => string | undefined;

/**
 * Renders what the documents of this repository use of Markdown: headings, paragraphs, lists, tables, quotes, code and
 * links. `link` gives the address of a link in the help; without one its words stay. All other text is escaped.
 */
export function renderMarkdown(markdown: string, link: Link): HelpDocument {
  const lines = markdown.split('\n').filter((line) => !line.startsWith('<!--'));
  const title = lines.findIndex((line) => line.startsWith('# '));
  return {
    title: plain(lines[title]?.slice(2) ?? ''),
    html: blocks(title < 0 ? lines : lines.toSpliced(title, 1), link),
  };
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const plain = (text: string): string => text.replaceAll('`', '');

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const ITEM = /^(\s*)([-*]|\d+\.) (.*)$/;
const indentOf = (line: string): number => line.length - line.trimStart().length;

function blocks(lines: string[], link: Link): string {
  const html: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = endOfBlock(lines, at);
    const block = lines.slice(at, end);
    if (block[0]!.trim() !== '') html.push(blockOf(block, link));
    at = end;
  }
  return html.join('\n');
}

/** The line behind the block that begins here. */
function endOfBlock(lines: string[], start: number): number {
  const first = lines[start]!;
  const until = (isEnd: (line: string, place: number) => boolean): number => {
    const place = lines.findIndex((line, index) => index > start && isEnd(line, index));
    return place < 0 ? lines.length : place;
  };
  if (first.trim() === '' || first.startsWith('#')) return start + 1;
  if (first.startsWith('```')) return Math.min(lines.length, until((line) => line.startsWith('```')) + 1);
  // A list goes on behind an empty line with what is indented, or with its next item.
  if (ITEM.test(first)) {
    return until((line, place) => {
      const next = line.trim() === '' ? lines[place + 1] : undefined;
      return line.trim() === '' && (next === undefined || !(ITEM.test(next) || indentOf(next) > 0));
    });
  }
  return until((line) => line.trim() === '' || line.startsWith('```') || (!first.startsWith('|') && ITEM.test(line)));
}

function blockOf(block: string[], link: Link): string {
  const first = block[0]!;
  const heading = /^(#{2,6}) (.+)$/.exec(first);
  if (heading) {
    const level = heading[1]!.length;
    return `<h${level} id="${escape(anchorOf(heading[2]!))}">${inline(heading[2]!, link)}</h${level}>`;
  }
  if (first.startsWith('```')) {
    const code = block.slice(1, block.at(-1)!.startsWith('```') ? -1 : undefined);
    return `<pre tabindex="0"><code>${escape(code.join('\n'))}</code></pre>`;
  }
  if (first.startsWith('>'))
    return `<blockquote>${blocks(
      block.map((line) => line.replace(/^> ?/, '')),
      link,
    )}</blockquote>`;
  if (first.startsWith('|') && /^\|[\s:|-]+\|$/.test(block[1] ?? '')) return table(block, link);
  return ITEM.test(first) ? list(block, link) : `<p>${inline(block.join('\n'), link)}</p>`;
}

function list(block: string[], link: Link): string {
  const [, margin = '', mark = ''] = ITEM.exec(block[0]!)!;
  const items: string[][] = [];
  for (const line of block) {
    const item = ITEM.exec(line);
    if (item && item[1]!.length <= margin.length) items.push([item[3]!]);
    else items.at(-1)!.push(line);
  }
  const name = /\d/.test(mark) ? 'ol' : 'ul';
  const content = items.map(([first = '', ...rest]) => {
    const width = Math.min(...rest.filter((line) => line.trim() !== '').map(indentOf), 99);
    const inner = blocks([first, ...rest.map((line) => line.slice(width))], link);
    // A single paragraph needs no space around it.
    const isSingle = inner.startsWith('<p>') && inner.lastIndexOf('<p>') === 0;
    return `<li>${isSingle ? inner.replace('<p>', '').replace('</p>', '') : inner}</li>`;
  });
  return `<${name}>${content.join('')}</${name}>`;
}

function table([head = '', , ...rows]: string[], link: Link): string {
  const cells = (row: string): string[] =>
    row
      .slice(1, row.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll(String.raw`\|`, '|'), link));
  const line = (row: string, name: string): string =>
    `<tr>${cells(row)
      .map((cell) => `<${name}>${cell}</${name}>`)
      .join('')}</tr>`;
  return (
    `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${line(head, 'th')}</thead>` +
    `<tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table></div>`
  );
}

/** Code is cut out first: nothing inside of it is Markdown. A private character stands in its place. */
const CODE = '\uE000';

function inline(text: string, link: Link): string {
  const codes: string[] = [];
  const rest = text.replace(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escape(code)}</code>`);
    return CODE;
  });
  return emphasised(rest, link).replaceAll(CODE, () => codes.shift()!);
}

const emphasised = (text: string, link: Link): string =>
  escape(text)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])[*_]([^*_\n]+)[*_](?![\w*])/g, '<em>$1</em>')
    .replace(/&lt;(https?:\/\/[^\s&]+)&gt;/g, '<a href="$1">$1</a>')
    .replace(/!?\[([^[\]]*)\]\(([^()\s]+)\)/g, (_, words: string, address: string) => {
      const target = link(address);
      return target === undefined ? words : `<a href="${target}">${words}</a>`;
    });
