import type { Json, JsonObject } from '@clarion/contracts';
import { renderEmails } from './email';
import { type EmailItem, TemplateRenderer } from './template-renderer';

/** Places where the characters of a value matter, each with values that a wrong outline would get wrong. */

let filling: TemplateRenderer;
let composing: TemplateRenderer;

beforeAll(() => {
  filling = new TemplateRenderer();
  composing = new TemplateRenderer({ outlineBytes: 0 });
});

afterAll(() => Promise.all([filling.close(), composing.close()]));

const document = (...content: Json[]): Json => ({ type: 'doc', content });
const text = (written: string, others: JsonObject = {}): JsonObject => ({ type: 'text', text: written, ...others });

const filledOf = (items: EmailItem[]) =>
  filling.fillEmails(items.map(({ layout = null, escapeHtml = true, ...item }) => ({ ...item, layout, escapeHtml })));

it.each<[string, Json, Json[], Partial<EmailItem>?]>([
  ['an entity', '<p>&{{a}}</p>', ['amp', 'lt;', 'x']],
  ['an entity in an attribute', '<img alt="&{{a}}">', ['amp', 'lt;', 'x']],
  ['a number of an entity', '<p>&#6{{a}};</p>', ['2', '0', 'x']],
  ['a tag', 'a <{{a}}> b', ['b', 'x', '3']],
  ['the end of a tag', '<p>a</{{a}}> b', ['p', 'x']],
  ['the end of a title', '<title>a</titl{{a}}>b</title>', ['e', 'x']],
  ['an attribute without quotes', '<p title={{a}}>x</p>', ['x', 'a b']],
  ['the name of an attribute', '<p data-{{a}}="x">x</p>', ['x', 'a b']],
  ['a class', '<p class="{{a}}">x</p>', ['x', 'a b', '']],
  ['a comment', '<p>x</p><!-- {{a}} -->', ['x', '-->']],
  ['a style', '<style>p{color:{{a}}}</style>x', ['red', '</style>']],
  ['the scheme of an image', '<img src="{{a}}">', ['a:b', 'x', 'https://x.y/z', 'javascript:a']],
  ['the rest of a scheme', '<img src="x{{a}}">', [':b', 'x']],
  ['the start of a host', '<img src="/{{a}}">', ['/x.y', 'x']],
  ['a link and its text', '<a href="https://x.y/{{a}}">https://x.y/{{b}}</a>', ['x', 'y']],
  ['the text of a link', '<a href="x">{{a}}</a>', ['x', 'y']],
  ['an address and its text', '<a href="mailto:{{a}}">{{b}}</a>', ['a@x.y', '#x']],
  ['a whole link and its text', '<a href="{{a}}">{{a}}</a>', ['https://x.y', 'x']],
  ['JSON', '{"type":"doc","content":[{{a}}]}', ['3', 'x', '{"type":"text","text":"x"}']],
  ['a list as JSON', '[{{a}}]', ['{"type":"text","content":"x"}', 'x']],
  [
    'the level of a heading',
    document({ type: 'heading', attrs: { level: '{{a}}' }, content: [text('x')] }),
    ['3', 'x'],
  ],
  ['the type of a node', document({ type: '{{a}}', content: [text('x')] }), ['heading', 'x']],
  ['the width of an image', document({ type: 'image', attrs: { src: 'https://x.y/z', width: '{{a}}' } }), ['3', 'x']],
  ['a color', document(text('x', { marks: [{ type: 'textStyle', attrs: { color: '{{a}}' } }] })), ['red', 'é', '']],
  ['a repeated part', document({ type: 'repeat', attrs: { each: 'a' }, content: [text('x')] }), [['a'], 'x']],
  ['a link of a block', [{ type: 'button', content: 'x', url: '{{a}}' }], ['https://x.y', 'x', 'a:b', '']],
  ['an alignment', [{ type: 'text', content: 'x', styles: { textAlign: '{{a}}' } }], ['left', 'é', '']],
  ['a preheader', 'x', ["O'Brien", 'x'], { controls: { preheader: '{{a}}' } }],
  ['HTML that is not sanitized', '<p>{{a}}</p>', ["O'Brien", 'x'], { controls: { disableOutputSanitization: true } }],
  ['HTML without escaping', "<img alt='{{a}}'>", ["O'Brien", 'x', '<b>'], { escapeHtml: false }],
  ['the space around a value', '<p>a {{a}} {{b}} c</p>', ['', 'x']],
  ['the start of a page', '{{a}}<!doctype html>{{b}} x', ['', 'x']],
  ['the only content', '{{a}}', ['', 'x', ' ']],
  ['the size of a list', '{{a.size}}{{b.first}}', [['x', 'y'], 'x', { size: 5 }]],
  ['the length of a text', '{{a.length}}', ['xyz', ['x'], { length: 5 }]],
  ['a filter of the content', 'x', ['y'], { layout: '{{ content | default: a }}{{ content | upcase }}{{a}}' }],
  ['a value that is called content', '<p>{{content}}</p>', ['x'], { layout: '{{content}}{{a}}' }],
  ['a title with an apostrophe', '<title>{{a}}</title><p title="{{b}}">{{a}}</p>', ["O'Brien", 'x']],
])('gives the same email with a value in %s', async (_, body, values, { controls, ...others } = {}) => {
  const pairs = values.flatMap((a) => values.map((b) => ({ a, b })));
  const items = [...pairs, ...pairs].map((variables) => ({
    environmentId: 'a',
    controls: { subject: 'S', body, ...controls },
    variables,
    ...others,
  }));
  const expected = await renderEmails(composing, items);
  expect(await renderEmails(filling, items)).toEqual(expected);
});

it.each<[string, Json, JsonObject, Partial<EmailItem>?]>([
  ['texts', '<p>Hello {{ a }}, {{ b | default: "you" }}</p>', { a: "Ann O'Brien", b: null }],
  ['an empty value', '<p>Hello {{ a }} {{ b }}</p>', { a: 'José', b: '' }],
  ['a link with a value', '<a href="https://x.y/?a=1&b={{ a }}">Open {{ b }}</a>', { a: 12.5, b: 'it' }],
  ['a link that is a value', '<a href="{{ a }}">Open</a>', { a: 'https://x.y/z?a=1#b' }],
  ['blocks', [{ type: 'button', content: '{{ a }}', url: '{{ b }}' }], { a: 'Open', b: 'https://x.y' }],
  ['a document', document({ type: 'paragraph', content: [text('{{ a }}')] }), { a: true }],
  ['a layout', '<p>{{ a }}</p>', { a: 'x' }, { layout: '<html><body><h1>{{ a }}</h1>{{ content }}</body></html>' }],
])('fills emails with %s', async (_, body, variables, others = {}) => {
  const item = {
    environmentId: 'a',
    controls: { subject: '{{ subject }}', body },
    variables: { ...variables, subject: 'S' },
    ...others,
  };
  const items = [item, item];
  await filledOf(items);
  const filled = await filledOf(items);
  expect(filled.map((email) => ({ ok: true, email }))).toEqual(await renderEmails(composing, items));
});
