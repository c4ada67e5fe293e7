import { asDocument, documentIn } from './body-value';
import { readDocument, readText, writeDocument, writeText } from './document';
import { labelOf } from './labels';
import { textOf } from './schema';

const text = (content: string, ...marks: object[]) => ({
  type: 'text',
  text: content,
  ...(marks.length > 0 && { marks }),
});
const paragraph = (...content: object[]) => ({ type: 'paragraph', ...(content.length > 0 && { content }) });

/** Every node and mark that the renderer knows, and some that it does not. */
const BLOCKS = [
  { type: 'heading', attrs: { level: 2, textAlign: 'center', showIfKey: null }, content: [text('Hello')] },
  paragraph(
    text('Order '),
    { type: 'variable', attrs: { id: 'payload.order', label: null, fallback: 'none', required: false } },
    text(' bold', { type: 'bold' }),
    text(' link', { type: 'link', attrs: { href: 'https://x.test', isUrlVariable: false } }, { type: 'italic' }),
    text(' red', { type: 'textStyle', attrs: { color: '#f00' } }, { type: 'glow', attrs: { by: 3 } }),
    { type: 'hardBreak' },
    { type: 'inlineImage', attrs: { src: 'https://x.test/a.png' } },
    { type: 'emoji', attrs: { name: 'wave' } },
    text('{{ payload.total | money }}', { type: 'highlight', attrs: { color: 'yellow' } }),
  ),
  paragraph(),
  { type: 'footer', attrs: { textAlign: 'left' }, content: [text('Small')] },
  { type: 'bulletList', content: [{ type: 'listItem', attrs: { color: '' }, content: [paragraph(text('One'))] }] },
  { type: 'orderedList', attrs: { start: 3 }, content: [{ type: 'listItem', content: [paragraph(), paragraph()] }] },
  { type: 'blockquote', content: [paragraph(text('Said'))] },
  { type: 'codeBlock', attrs: { language: 'js' }, content: [text('a < b')] },
  { type: 'htmlCodeBlock', attrs: { activeTab: 'code' }, content: [text('<b>{{ payload.x }}</b>')] },
  { type: 'button', attrs: { text: 'Go', url: 'payload.url', isUrlVariable: true, borderRadius: 'round' } },
  { type: 'image', attrs: { src: 'https://x.test/b.png', alt: null, width: 200 } },
  { type: 'logo', attrs: { src: 'https://x.test/c.png' } },
  { type: 'spacer', attrs: { height: 8 } },
  { type: 'horizontalRule' },
  { type: 'section', attrs: { backgroundColor: '#fff' }, content: [paragraph(text('In'))] },
  {
    type: 'columns',
    attrs: { showIfKey: 'x' },
    content: [
      { type: 'column', attrs: { width: 'auto' }, content: [paragraph()] },
      { type: 'column', content: [paragraph(text('Right'))] },
    ],
  },
  {
    type: 'repeat',
    attrs: { each: 'payload.items', iterations: 0 },
    content: [paragraph({ type: 'variable', attrs: { id: 'current.name' } })],
  },
  { type: 'for', attrs: { each: 'payload.rows' }, content: [paragraph()] },
  { type: 'countdown', attrs: { until: 'payload.end' }, content: [text('later')] },
  { type: 'columns', content: [paragraph(text('no column'))] },
  { type: 'listItem', content: [paragraph()] },
];

describe('the documents of the block editor', () => {
  it.each(BLOCKS.map((block, index) => [`${block.type} (block ${index + 1})`, block]))('writes back %s', (_, block) => {
    const document = { type: 'doc' as const, content: [block] };
    expect(writeDocument(readDocument(document))).toEqual(document);
  });

  it('writes back a whole document with unknown members', () => {
    const document = { type: 'doc' as const, version: 3, content: BLOCKS };
    expect(writeDocument(readDocument(document))).toEqual(document);
  });

  it('gives a document without blocks a paragraph to write into', () => {
    expect(writeDocument(readDocument({ type: 'doc', content: [] }))).toEqual(asDocument(''));
  });
});

describe('the values of a body', () => {
  const empty = { type: 'doc', content: [paragraph()] };

  it('finds a document in an object and in JSON text, and none in HTML', () => {
    expect(documentIn(empty)).toBe(empty);
    expect(documentIn(JSON.stringify(empty))).toEqual(empty);
    for (const body of ['<p>Hello</p>', '{{ payload.name }}', '{"type":"doc"}', '[]', undefined, null, 3]) {
      expect(documentIn(body)).toBeUndefined();
    }
  });

  it.each([
    ['', [paragraph()]],
    ['Hello\nyou\n\nBye', [paragraph(text('Hello\nyou')), paragraph(text('Bye'))]],
    ['<p>Hi</p>', [{ type: 'htmlCodeBlock', content: [text('<p>Hi</p>')] }]],
    [
      [
        { type: 'text', content: 'Hi', styles: { textAlign: 'right' } },
        { type: 'button', content: 'Go', url: 'https://x.test' },
      ],
      [
        { type: 'paragraph', attrs: { textAlign: 'right' }, content: [text('Hi')] },
        { type: 'button', attrs: { text: 'Go', url: 'https://x.test', alignment: 'center' } },
      ],
    ],
  ])('makes blocks of %j', (body, content) => {
    expect(asDocument(body)).toEqual({ type: 'doc', content });
  });

  it.each([
    ['payload.orderNumber', 'Order number'],
    ['subscriber.firstName', 'First name'],
    ['payload.order_total | money', 'Order total · money'],
    ['t.greeting.morning', 't · greeting.morning'],
    ['steps.digest.eventCount', 'digest · Event count'],
  ])('calls %s "%s"', (id, label) => {
    expect(labelOf(id)).toBe(label);
  });
});

describe('the texts of templates', () => {
  const pillsIn = (written: string): string[] => {
    const pills: string[] = [];
    readText(written).descendants((node) => {
      if (node.type.name === 'variable') pills.push(textOf(node, 'id'));
    });
    return pills;
  };

  it.each([
    ['', []],
    ['Order {{payload.order}} of {{  subscriber.data.plan }}', ['payload.order', 'subscriber.data.plan']],
    ['{% if payload.vip %}Dear {{ payload.name }}{% else %}Hi{% endif %}', ['payload.name']],
    ['{{ payload.total | money }} {{- payload.x -}} {{ name }} {{ payload.a[0] }} {{', []],
    ['One\n\n  {{ steps.in-app.seen }}\n', ['steps.in-app.seen']],
  ])('writes back %j, with its paths as pills', (written, pills) => {
    expect(writeText(readText(written).content)).toBe(written);
    expect(pillsIn(written)).toEqual(pills);
  });
});
