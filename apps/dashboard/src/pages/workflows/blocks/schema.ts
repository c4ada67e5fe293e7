import { type Attrs, type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';
import { labelOf } from './labels';

/** `rest` holds every member except type and content, so that attributes unknown to this editor are written back. */
export type Rest = { attrs?: Record<string, unknown>; [member: string]: unknown };

const REST = { rest: { default: {} as Rest } };

export const attrsOf = (node: Node): Record<string, unknown> => (node.attrs['rest'] as Rest).attrs ?? {};

/** The text of an attribute; empty when it is none. */
export const textOf = (node: Node, name: string): string => {
  const value = attrsOf(node)[name];
  return typeof value === 'string' ? value : '';
};

/** The same rest with other attributes. */
export const withAttrs = (node: Node, changes: Record<string, unknown>): Attrs => {
  const rest = node.attrs['rest'] as Rest;
  return { ...node.attrs, rest: { ...rest, attrs: { ...rest.attrs, ...changes } } };
};

/** What a copy of a node carries, so that it can be pasted whole. */
const carried = (node: Node): Record<string, string> => ({
  'data-block': node.type.name,
  'data-rest': JSON.stringify(node.attrs['rest']),
  ...alignOf(node),
});

const alignOf = (node: Node): Record<string, string> => {
  const align = textOf(node, 'textAlign') || textOf(node, 'alignment') || textOf(node, 'align');
  return align ? { 'data-align': align } : {};
};

const restOf = (element: HTMLElement): Attrs => {
  try {
    return { rest: JSON.parse(element.dataset['rest'] ?? '{}') as Rest };
  } catch {
    return { rest: {} };
  }
};

const copied = (tag: string, name: string) => ({ tag: `${tag}[data-block=${name}]`, getAttrs: restOf, priority: 60 });

const textBlock = (name: string, tag: string): NodeSpec => ({
  group: 'block',
  content: 'inline*',
  attrs: REST,
  parseDOM: [copied(tag, name), { tag }],
  toDOM: (node) => [tag, carried(node), 0],
});

const container = (name: string, tag: string, content = 'block+'): NodeSpec => ({
  group: 'block',
  content,
  attrs: REST,
  defining: true,
  parseDOM: [copied(tag, name)],
  toDOM: (node) => [tag, carried(node), 0],
});

/** A block that is chosen as a whole. */
const atom = (name: string, shown: (node: Node) => DOMOutputSpec[]): NodeSpec => ({
  group: 'block',
  atom: true,
  draggable: true,
  attrs: REST,
  parseDOM: [copied('div', name)],
  toDOM: (node) => ['div', carried(node), ...shown(node)],
});

const picture = (node: Node): DOMOutputSpec[] => [
  ['span', { 'data-part': 'kind' }, node.type.name === 'logo' ? 'Logo' : 'Image'],
  ['span', { 'data-part': 'value' }, textOf(node, 'alt') || textOf(node, 'src') || 'no address yet'],
];

/** A node that this editor does not know: shown by its name and written back as it was. */
const OPAQUE = { json: { default: null } };

const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block+', attrs: REST },
  paragraph: textBlock('paragraph', 'p'),
  text: { group: 'inline' },
  heading: {
    ...textBlock('heading', 'h1'),
    defining: true,
    parseDOM: [1, 2, 3].flatMap((level) => [
      copied(`h${level}`, 'heading'),
      { tag: `h${level}`, attrs: { rest: { attrs: { level } } } },
    ]),
    toDOM: (node) => [`h${levelOf(node)}`, carried(node), 0],
  },
  footer: { ...textBlock('footer', 'p'), parseDOM: [copied('p', 'footer')] },
  bulletList: { ...container('bulletList', 'ul', 'listItem+'), parseDOM: [copied('ul', 'bulletList'), { tag: 'ul' }] },
  orderedList: {
    ...container('orderedList', 'ol', 'listItem+'),
    parseDOM: [copied('ol', 'orderedList'), { tag: 'ol' }],
  },
  listItem: {
    content: 'block+',
    attrs: REST,
    defining: true,
    parseDOM: [{ tag: 'li' }],
    toDOM: (node) => ['li', carried(node), 0],
  },
  blockquote: { ...container('blockquote', 'blockquote'), parseDOM: [{ tag: 'blockquote' }] },
  codeBlock: { ...textBlock('codeBlock', 'pre'), content: 'text*', marks: '', code: true },
  htmlCodeBlock: {
    ...textBlock('htmlCodeBlock', 'pre'),
    content: 'text*',
    marks: '',
    code: true,
    parseDOM: [copied('pre', 'htmlCodeBlock')],
    toDOM: (node) => ['pre', { ...carried(node), spellcheck: 'false' }, 0],
  },
  section: container('section', 'div'),
  columns: container('columns', 'div', 'column+'),
  column: { ...container('column', 'div'), group: '' },
  repeat: container('repeat', 'div'),
  for: container('for', 'div'),
  button: atom('button', (node) => [
    ['span', { 'data-part': 'button' }, textOf(node, 'text') || 'Button'],
    [
      'span',
      { 'data-part': 'value' },
      textOf(node, 'url') ? `opens ${textOf(node, 'url').replaceAll(/\{\{[^{}]*\}\}/g, labelOf)}` : 'no address yet',
    ],
  ]),
  image: atom('image', picture),
  logo: atom('logo', picture),
  spacer: atom('spacer', () => [['span', { 'data-part': 'kind' }, 'Space']]),
  horizontalRule: atom('horizontalRule', () => [['hr']]),
  divider: atom('divider', () => [['hr']]),
  opaque: {
    group: 'block',
    atom: true,
    draggable: true,
    attrs: OPAQUE,
    toDOM: (node) => ['div', { 'data-block': 'opaque' }, `Block “${opaqueName(node)}”, kept as it is`],
  },
  hardBreak: {
    group: 'inline',
    inline: true,
    selectable: false,
    attrs: REST,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  variable: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: REST,
    parseDOM: [copied('span', 'variable')],
    leafText: sourceOf,
    toDOM: (node) => ['span', { ...carried(node), title: sourceOf(node) }, labelOf(textOf(node, 'id'))],
  },
  inlineImage: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: REST,
    parseDOM: [copied('span', 'inlineImage')],
    toDOM: (node) => ['span', carried(node), textOf(node, 'alt') || 'image'],
  },
  opaqueInline: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: OPAQUE,
    toDOM: (node) => ['span', { 'data-block': 'opaque' }, opaqueName(node)],
  },
};

/** A variable as its template writes it. */
function sourceOf(node: Node): string {
  return (node.attrs['source'] as string | null | undefined) ?? `{{ ${textOf(node, 'id')} }}`;
}

const opaqueName = (node: Node): string =>
  String((node.attrs['json'] as { type?: unknown } | null)?.type ?? 'without a type');

export const levelOf = (node: Node): number => Math.min(Math.max(Number(attrsOf(node)['level']) || 1, 1), 3);

const mark = (tag: string, ...others: string[]): MarkSpec => ({
  attrs: REST,
  parseDOM: [tag, ...others].map((each) => ({ tag: each })),
  toDOM: () => [tag, 0],
});

const marks: Record<string, MarkSpec> = {
  link: {
    attrs: REST,
    inclusive: false,
    parseDOM: [{ tag: 'a[href]', getAttrs: (a) => ({ rest: { attrs: { href: a.getAttribute('href') } } }) }],
    toDOM: ({ attrs }) => [
      'span',
      { 'data-link': '', title: String((attrs['rest'] as Rest).attrs?.['href'] ?? '') },
      0,
    ],
  },
  bold: mark('strong', 'b'),
  italic: mark('em', 'i'),
  underline: mark('u'),
  strike: mark('s', 'del'),
  code: mark('code'),
  subscript: mark('sub'),
  superscript: mark('sup'),
  textStyle: { attrs: REST, toDOM: () => ['span', 0] },
  highlight: mark('mark'),
  opaqueMark: { attrs: OPAQUE, excludes: '', toDOM: () => ['span', 0] },
};

export const schema = new Schema({ nodes, marks });

/** The lines of a template that is a text. `source` keeps how a variable was written. */
export const textSchema = new Schema({
  nodes: {
    doc: { content: 'paragraph+' },
    paragraph: { content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    text: nodes['text']!,
    variable: { ...nodes['variable'], attrs: { ...REST, source: { default: null } } },
  },
});
