import type { EmailBlockDto } from '@clarion/contracts';
import type { Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import { escapeHtml } from './escape';
import { emailUrl } from './html';
import { mapBraces } from './braces';
import { isTemplate } from './templates';

/**
 * Emails that are not HTML: lists of blocks, and documents of the block editor. Both contain templates in their texts,
 * so they are rendered text by text and converted to HTML afterwards; values of variables are escaped.
 */
export type EmailDocument = { type: 'doc'; content: Json[] };

export const isEmailDocument = (value: Json): value is EmailDocument =>
  isJsonObject(value) && value['type'] === 'doc' && Array.isArray(value['content']);

export const isEmailBlocks = (value: Json): value is Json[] & EmailBlockDto[] =>
  Array.isArray(value) && value.length > 0 && value.every(isEmailBlock);

const isEmailBlock = (value: Json): boolean =>
  isJsonObject(value) &&
  (value['type'] === 'text' || value['type'] === 'button') &&
  typeof value['content'] === 'string';

export function blocksHtml(blocks: EmailBlockDto[]): string {
  return blocks
    .map(({ type, content, url, styles }) =>
      type === 'button'
        ? button(content, url, { alignment: styles?.textAlign ?? 'center' })
        : paragraph('p', lines(content), styles?.textAlign),
    )
    .join('\n');
}

const CONTENT_NODE = 'layoutContent';

/** The maximum number of entries for which a repeated part is written out. */
const REPETITIONS = 100;

/** The most that a document has once its repeated parts are written out: nested lists multiply. */
const MOST_WRITTEN = { nodes: 10_000, characters: 2 * 1024 * 1024 };

type Written = keyof typeof MOST_WRITTEN;

/** Throws as soon as the document gets too long. */
function count({ left }: Scope, unit: Written, number: number): void {
  if ((left[unit] -= number) >= 0) return;
  throw new Error(`has more than ${MOST_WRITTEN[unit]} ${unit} once its repeated parts are written out`);
}

/** A template for each variable of the editor, and each repeated part written out per list entry. */
export function documentTemplates(document: EmailDocument, variables: JsonObject): EmailDocument {
  const outside: Scope = { prefix: '', toEntry: (path) => path, left: { ...MOST_WRITTEN } };
  return { ...document, content: document.content.flatMap((node) => templateNodes(node, variables, outside)) };
}

/** The property of an `htmlCodeBlock` node with its HTML. No other text of a document is HTML. */
const HTML_MEMBER = 'clarionHtml';

export const isDocumentHtml = (path: string): boolean => path.endsWith(`.${HTML_MEMBER}`);

/** The scope of a repeated part: the entry as `current`, and paths that name the list. `left` is for the document. */
type Scope = { prefix: string; current?: string; toEntry: (path: string) => string; left: Record<Written, number> };

/** Inside the part that repeats `payload.items`, `payload.items.name` means the name of the entry. */
function scopeOf(list: string, index: number, { prefix, toEntry, left }: Scope): Scope {
  const entry = `${list}[${index}]`;
  const named = new RegExp(
    `(?<![\\w.\\]"'-])${list.replaceAll(/[^\w]/g, '\\$&')}(?=\\.(?!(?:size|first|last)\\b))`,
    'g',
  );
  return {
    prefix: `${prefix}{% assign current = ${entry} %}`,
    current: entry,
    toEntry: (path) => toEntry(path).replace(named, entry),
    left,
  };
}

function templateNodes(node: Json, variables: JsonObject, scope: Scope): Json[] {
  count(scope, 'nodes', 1);
  if (!isJsonObject(node)) return [];
  const { type, attrs, content } = node;
  const settings = isJsonObject(attrs) ? attrs : {};
  const children = Array.isArray(content) ? content : [];
  if (type === 'htmlCodeBlock') return [{ type, [HTML_MEMBER]: named(plainText(node), scope) }];
  if (type === 'variable') return [variableNode(node, settings, scope)];
  if (type === 'text' && /^\s*\{\{-?\s*content\s*-?\}\}\s*$/.test(text(node['text']))) return [{ type: CONTENT_NODE }];
  if (isRepeated(node)) {
    const list = scope.toEntry(listOf(settings)).replace(/^current(?=\.|$)/, scope.current ?? 'current');
    return entriesAt(variables, list).flatMap((_, index) => {
      // An entry counts also when the repeated part is empty.
      count(scope, 'nodes', 1);
      const entry = scopeOf(list, index, scope);
      return children.flatMap((child) => templateNodes(child, variables, entry));
    });
  }
  return [
    {
      ...node,
      ...(typeof node['text'] === 'string' && { text: named(node['text'], scope) }),
      ...(isJsonObject(attrs) && { attrs: templateAttributes(attrs, scope) }),
      ...(Array.isArray(node['marks']) && { marks: node['marks'].map((mark) => templateMark(mark, scope)) }),
      ...(Array.isArray(content) && { content: children.flatMap((child) => templateNodes(child, variables, scope)) }),
    },
  ];
}

const isRepeated = ({ type }: JsonObject): boolean => type === 'repeat' || type === 'for';

/** True when the HTML of the document depends on the lengths of lists. */
export const hasRepeatedPart = (node: Json): boolean =>
  isJsonObject(node) && (isRepeated(node) || (Array.isArray(node['content']) && node['content'].some(hasRepeatedPart)));

function withoutBraces(value: Json | undefined): string {
  let name = text(value);
  if (name.startsWith('{{')) name = name.slice(2).trimStart();
  if (name.endsWith('}}')) name = name.slice(0, -2).trimEnd();
  return name;
}

/** The path of the list that a part is repeated for. */
const listOf = ({ each }: JsonObject): string => withoutBraces(each);

function named(template: string, scope: Scope): string {
  const { prefix, toEntry } = scope;
  const written = isTemplate(template) ? prefix + mapBraces(template, toEntry) : template;
  count(scope, 'characters', written.length);
  return written;
}

function variableNode(node: JsonObject, { id, fallback }: JsonObject, scope: Scope): JsonObject {
  const name = withoutBraces(id);
  if (name === 'content') return { type: CONTENT_NODE };
  const otherwise = text(fallback).replaceAll('"', "'");
  const filter = otherwise === '' ? '' : ` | default: "${otherwise}"`;
  return {
    type: 'text',
    text: named(`{{ ${name}${filter} }}`, scope),
    ...(Array.isArray(node['marks']) && { marks: node['marks'].map((mark) => templateMark(mark, scope)) }),
  };
}

/** The variables that the nodes of a document name, as paths; `0` is the index of list entries. */
export function documentVariables(document: EmailDocument): string[][] {
  return document.content.flatMap((node) => nodeVariables(node, []));
}

/** `lists` are the lists around the node: their paths as written, and with the index of the entry. */
function nodeVariables(node: Json, lists: { path: string; placed: string }[]): string[][] {
  if (!isJsonObject(node)) return [];
  const attrs = isJsonObject(node['attrs']) ? node['attrs'] : {};
  const children = Array.isArray(node['content']) ? node['content'] : [];
  const placed = (path: string): string => {
    const list = lists.findLast((one) => path.startsWith(`${one.path}.`) || /^current(?=\.|$)/.test(path));
    if (!list) return path;
    return list.placed + path.slice(path.startsWith(`${list.path}.`) ? list.path.length : 'current'.length);
  };
  if (isRepeated(node)) {
    const path = listOf(attrs);
    const inner = [...lists, { path, placed: `${placed(path)}.0` }];
    return [`${placed(path)}.0`.split('.'), ...children.flatMap((child) => nodeVariables(child, inner))];
  }
  const name = node['type'] === 'variable' ? withoutBraces(attrs['id']) : '';
  return [
    ...(name === '' || name === 'content' ? [] : [placed(name).split('.')]),
    ...children.flatMap((child) => nodeVariables(child, lists)),
  ];
}

function templateMark(mark: Json, scope: Scope): Json {
  return isJsonObject(mark) && isJsonObject(mark['attrs'])
    ? { ...mark, attrs: templateAttributes(mark['attrs'], scope) }
    : mark;
}

/** `isUrlVariable: true` means that `url`, or `href` of links, is the name of a variable. */
function templateAttributes(attrs: JsonObject, scope: Scope): JsonObject {
  return Object.fromEntries(
    Object.entries(attrs).map(([name, value]) => {
      if (typeof value !== 'string' || value === '') return [name, value];
      const flag = name === 'href' ? 'Url' : name[0]!.toUpperCase() + name.slice(1);
      const isVariable = attrs[`is${flag}Variable`] === true && !value.includes('{{');
      const template = isVariable ? `{{ ${value} }}` : value;
      return [name, named(template, scope)];
    }),
  );
}

function entriesAt(variables: JsonObject, path: string): Json[] {
  let value: Json | undefined = variables;
  for (const key of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    const isHeld: boolean = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isHeld ? (value as JsonObject)[key] : undefined;
  }
  return Array.isArray(value) ? value.slice(0, REPETITIONS) : [];
}

/** HTML of a rendered document; `content` is the HTML that a layout frames. */
export const documentHtml = (document: EmailDocument, content = ''): string => nodesHtml(document.content, content);

const nodesHtml = (nodes: Json | undefined, content: string): string =>
  Array.isArray(nodes) ? nodes.map((node) => (isJsonObject(node) ? nodeHtml(node, content) : '')).join('') : '';

const QUOTE_STYLE = { margin: '0 0 16px', padding: '0 0 0 12px', 'border-left': '3px solid #d0d5dd' };

function nodeHtml(node: JsonObject, content: string): string {
  const attrs = isJsonObject(node['attrs']) ? node['attrs'] : {};
  const inside = (): string => nodesHtml(node['content'], content);
  const align = text(attrs['textAlign'] ?? attrs['alignment'] ?? attrs['align']);
  switch (node['type']) {
    case CONTENT_NODE:
      return content;
    case 'text':
      return markedText(node);
    case 'paragraph':
      return isContentOnly(node) ? content : paragraph('p', inside() || '&nbsp;', align);
    case 'heading':
      return paragraph(`h${levelOf(attrs['level'])}`, inside(), align);
    case 'footer':
      return paragraph('p', `<small>${inside()}</small>`, align);
    case 'hardBreak':
      return '<br>';
    case 'bulletList':
      return `<ul>${inside()}</ul>`;
    case 'orderedList':
      return `<ol>${inside()}</ol>`;
    case 'listItem':
      return `<li>${inside()}</li>`;
    case 'blockquote':
      return `<blockquote${style(QUOTE_STYLE)}>${inside()}</blockquote>`;
    case 'codeBlock':
      return `<pre>${inside()}</pre>`;
    case 'button':
      return button(text(attrs['text']), text(attrs['url']), attrs);
    case 'image':
    case 'logo':
    case 'inlineImage':
      return image(attrs, align, node['type'] === 'inlineImage');
    case 'section':
      return table(cell(inside(), { background: attrs['backgroundColor'], align, padding: '12px' }));
    case 'columns':
      return table(inside());
    case 'column':
      return cell(inside(), { 'vertical-align': 'top' });
    case 'spacer':
      return `<div${style({ height: `${sizeOf(attrs['height'], 16)}px`, 'line-height': '1px' })}>&nbsp;</div>`;
    case 'horizontalRule':
    case 'divider':
      return `<hr${style({ border: '0', 'border-top': '1px solid #d0d5dd', margin: '16px 0' })}>`;
    case 'htmlCodeBlock':
      return typeof node[HTML_MEMBER] === 'string' ? node[HTML_MEMBER] : plainText(node);
    default:
      return inside();
  }
}

/** The content must not be put into a paragraph: it contains block elements. */
const isContentOnly = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && content.length === 1 && isJsonObject(content[0]) && content[0]['type'] === CONTENT_NODE;

const plainText = (node: JsonObject): string =>
  typeof node['text'] === 'string'
    ? node['text']
    : (Array.isArray(node['content']) ? node['content'] : [])
        .map((child) => (isJsonObject(child) ? plainText(child) : ''))
        .join('');

const MARKS: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
  subscript: 'sub',
  superscript: 'sup',
};

function markedText({ text: content, marks }: JsonObject): string {
  let html = lines(text(content));
  for (const mark of Array.isArray(marks) ? marks : []) {
    if (!isJsonObject(mark)) continue;
    const attrs = isJsonObject(mark['attrs']) ? mark['attrs'] : {};
    const type = text(mark['type']);
    if (Object.hasOwn(MARKS, type)) html = `<${MARKS[type]}>${html}</${MARKS[type]}>`;
    else if (type === 'link') html = link(html, attrs['href']);
    else if (type === 'textStyle') html = `<span${style({ color: attrs['color'] })}>${html}</span>`;
    else if (type === 'highlight')
      html = `<span${style({ 'background-color': attrs['color'] ?? 'yellow' })}>${html}</span>`;
  }
  return html;
}

/** A link with a disallowed URL is replaced by its text. */
function link(html: string, url: Json | undefined, styles: Record<string, Json | undefined> = {}): string {
  const href = emailUrl(url);
  return href === undefined ? html : `<a href="${escapeHtml(href)}" target="_blank"${style(styles)}>${html}</a>`;
}

function button(label: string, url: string | undefined, attrs: JsonObject): string {
  const styles = {
    display: 'inline-block',
    padding: '12px 20px',
    'border-radius': '6px',
    'text-decoration': 'none',
    'background-color': attrs['buttonColor'] ?? '#1d4ed8',
    color: attrs['textColor'] ?? '#ffffff',
  };
  return paragraph('p', link(escapeHtml(label), url, styles), text(attrs['alignment']));
}

function image(attrs: JsonObject, align: string, inline: boolean): string {
  const src = emailUrl(attrs['src']);
  if (src === undefined) return '';
  const width = sizeOf(attrs['width'], 0);
  const size = width > 0 ? ` width="${width}"` : '';
  const alt = escapeHtml(text(attrs['alt']));
  const html = `<img src="${escapeHtml(src)}" alt="${alt}"${size}${style({ 'max-width': '100%', height: 'auto' })}>`;
  const linked = link(html, attrs['externalLink']);
  return inline ? linked : paragraph('p', linked, align);
}

const table = (cells: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>${cells}</tr></table>`;

const cell = (html: string, { align, ...styles }: Record<string, Json | undefined>): string =>
  `<td${style({ ...styles, 'text-align': align })}>${html}</td>`;

const paragraph = (tag: string, html: string, align: string | undefined): string =>
  `<${tag}${style({ margin: '0 0 16px', 'text-align': align })}>${html}</${tag}>`;

/** Values come from documents: a value that is more than one plain CSS value is dropped. */
function style(styles: Record<string, Json | undefined>): string {
  const stated = Object.entries(styles)
    .filter(([, value]) => typeof value === 'string' && /^[\w#%.,() -]+$/.test(value))
    .map(([name, value]) => `${name}:${String(value)}`);
  return stated.length > 0 ? ` style="${stated.join(';')}"` : '';
}

const lines = (content: string): string => escapeHtml(content).replace(/\r?\n/g, '<br>');

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Whole; NaN for an object or a list, which may not be convertible. */
const numberOf = (value: Json | undefined): number =>
  typeof value === 'object' ? Number.NaN : Number.parseInt(String(value), 10);

const levelOf = (value: Json | undefined): number => Math.min(Math.max(numberOf(value) || 1, 1), 6);

const sizeOf = (value: Json | undefined, otherwise: number): number => {
  const size = numberOf(value);
  return size >= 0 && size <= 2_000 ? size : otherwise;
};

const OUTER_TABLE =
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">' +
  '<tr><td align="center" style="padding:24px 12px">';

/** Wraps the content in a page: one column of at most 600 pixels. */
export const emailPage = (html: string): string =>
  `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:0">
${OUTER_TABLE}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px"><tr>
<td align="left" style="font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f2933">
${html}
</td></tr></table></td></tr></table>
</body></html>`;
