import type { Json, JsonObject } from '@clarion/contracts';
import fc from 'fast-check';
import { runs } from '@clarion/testing';
import { renderEmails } from './email';
import { renderInApps } from './in-app';
import { type EmailItem, TemplateRenderer } from './template-renderer';

/** Properties: a message that is filled equals the message that is composed, byte by byte. */

const RUNS = runs(300, 60);

let filling: TemplateRenderer;
let composing: TemplateRenderer;

beforeAll(() => {
  filling = new TemplateRenderer();
  composing = new TemplateRenderer({ outlineBytes: 0 });
});

afterAll(() => Promise.all([filling.close(), composing.close()]));

const INERT = [
  'Ann',
  'Ann Lee',
  'José',
  '漢字',
  '12:30',
  'a:b',
  "O'Brien",
  'a.b@example.com',
  '3',
  'x',
  'true',
  'p',
  'le',
  'amp',
  'lt;',
];
const URLS = ['https://x.y/a', 'http://x.y', 'https://x.y/a?b=1'];
const HOSTILE = [
  ...['<b>', '</p>', '<', '>', '&', '&amp;', '&lt', '"', "O'Brien", '<!--', '-->', '</title>', '<script>x</script>'],
  ...[
    ' ',
    '  ',
    ' a',
    'a ',
    'a  b',
    'a\nb',
    '\t',
    '\u00a0',
    '\u200b',
    '\u2028',
    'a\u202eb',
    'a\u200db',
    '\ud800',
    '😀',
  ],
  ...['{{ payload.b }}', '{% if a %}', '{', '[', '[{"type":"text","content":"x"}]', '#', '#39', '/', '\\', ';', '`'],
  ...['zq00000000000000000000000000000000x0z', 'https://zqx0z', 'mailto:a', 'x'.repeat(600), 'expression(1)', '\0'],
  ...['https://x.y/a?b=1&c=2', 'javascript:alert(1)', '//x', 'https:', 'https://', ' https://x.y'],
];
const OTHERS: Json[] = [null, true, false, 0, -0, 1.5, 1e21, -7, '', [], ['a', 'b'], {}, { size: 1, a: 'x' }];

const hostileValue = fc.oneof(
  fc.constantFrom<Json>(...INERT, ...URLS, ...HOSTILE, ...OTHERS),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const valueOf = (usual: Json[]): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, hostileValue);
const payload = fc.record({ a: valueOf(INERT), b: valueOf(INERT), url: valueOf(URLS), list: valueOf([['a', 'b']]) });
const batch = fc.array(
  fc.record(
    { payload, subscriber: fc.record({ firstName: valueOf([...INERT, null]) }), content: hostileValue },
    { requiredKeys: ['payload'] },
  ) as fc.Arbitrary<JsonObject>,
  { minLength: 2, maxLength: 6 },
);

const PLAIN = [
  '{{ payload.a }}',
  '{{payload.b}}',
  '{{- payload.a -}}',
  '{{ subscriber.firstName | default: "there" }}',
];
const OTHER_OUTPUTS = [
  ...['{{ payload.url }}', '{{ payload["b"] }}', '{{ payload.a | default: "<b>" }}', "{{ payload.a | default: 'é' }}"],
  ...['{{ payload.a.b }}', '{{ nothing }}', '{{ content }}', '{{ payload.a | upcase }}', '{{ payload.a | raw }}'],
  ...['{{ payload.list | join: ", " }}', '{{ payload.size }}', '{{ payload.a | default: payload.b }}', '{{ "x" }}'],
  ...['{{ payload.a | default: "x", allow_false: true }}', '{% if payload.a %}x{% endif %}', '{{ payload.list[0] }}'],
  ...['{% assign z = payload.a %}{{ z }}', '{{ a', '{% raw %}{{ payload.a }}{% endraw %}', '{{ payload.list }}'],
  ...['{{ payload.a | append: payload.b }}', '{{ content | default: "x" }}', '{{ payload.list.size }}'],
  '{% for i in payload.list %}{{ i }}{% endfor %}',
];
const join = (texts: string[]): string => texts.join('');
const textOf = (texts: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 4 }).map(join);
const tameText = textOf([...PLAIN, ...PLAIN, 'Hello ', ' ', ',', '\n', '&amp;', '  ', '&nbsp;']);
const hostileText = textOf([
  ...[...PLAIN, ...PLAIN, ...OTHER_OUTPUTS],
  ...['Hello ', ' ', '/', 'https://x.y/a', '&', 'x&am', '<', '</', '&#', '&amp;', '"', "'", '>', '-->'],
]);

type Text = fc.Arbitrary<string>;
const parts = (strings: TemplateStringsArray, ...texts: Text[]): Text =>
  fc.tuple(...texts).map((written) => String.raw({ raw: strings }, ...written));

/** Elements with the text at places where the values are usually harmless. */
const tameElements = (text: Text): Text[] => [
  ...[parts`<p>${text}</p>`, parts`${text}`, parts`<h1>${text}</h1>`, parts`<pre> ${text} </pre>`, parts`<br>${text}`],
  ...[parts`<a href="https://x.y/${text}?a=1&b=${text}">Open ${text}</a>`, parts`<title>${text}</title>`],
  ...[parts`<a href="{{ payload.url }}">${text}</a>`, parts`<img src="https://x.y/${text}.png" alt='${text}' />`],
  ...[
    parts`<table><tr><td>${text}</td><td>${text}</td></tr></table>`,
    parts`<ul><li>${text}</li><li>${text}</li></ul>`,
  ],
  ...[parts`<!doctype html>${text}`, parts`<body>${text}</body>`, parts`<blockquote>${text}</blockquote>`],
  ...[
    parts`<style>p > a{color:red}</style>${text}`,
    parts`<!-- x -->${text}`,
    parts`<a href="/${text}" title="${text}">x</a>`,
  ],
];

/** Elements with the text at places where the characters of a value matter. */
const hostileElements = (text: Text): Text[] => [
  ...[parts`<a href="${text}">${text}</a>`, parts`<a href='${text}'>${text}`, parts`<a href=${text}>${text}</a>`],
  ...[parts`<a href="mailto:${text}">${text}</a>`, parts`<a>${text}</a>`, parts`<img alt=${text} src="${text}">`],
  ...[
    parts`<b class="${text}">x</b>`,
    parts`<b style="color:${text}">x</b>`,
    parts`<${text}>x</${text}>`,
    parts`<b ${text}>`,
  ],
  ...[
    parts`<!-- ${text} -->`,
    parts`<style>p{color:${text}}</style>`,
    parts`</titl${text}>`,
    parts`<title>a</titl${text}>`,
  ],
  ...[
    parts`<script>${text}</script>`,
    parts`<iframe>${text}</iframe>`,
    parts`<textarea>${text}`,
    parts`<svg>${text}</svg>`,
  ],
  ...[
    parts`<o:p>${text}</o:p>`,
    parts`<a href="https://x.y"><b>${text}</b></a>`,
    parts`<a href="https://x.y/${text}">https://x.y/${text}</a>`,
  ],
  ...[
    parts`<noscript>${text}</noscript>`,
    parts`<img src="x${text}">`,
    parts`<img src="${text}">`,
    parts`<a href="x${text}">t</a>`,
    parts`&am${text}`,
    parts`a < b ${text}`,
    parts`<p>${text}</p`,
  ],
];

/** Emails of all forms; `hostile` ones contain the text at harmful places, too. */
function emailOf(text: Text, elements: Text[]): fc.Arbitrary<Pick<EmailItem, 'controls' | 'layout' | 'escapeHtml'>> {
  const html = fc.array(fc.oneof(...elements), { minLength: 1, maxLength: 3 }).map(join);
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), content: text }),
    fc.record({ type: fc.constant('button'), content: text, url: parts`https://x.y/${text}` }),
    fc.record({ type: fc.constant('button'), content: text, url: fc.oneof(fc.constant('{{ payload.url }}'), text) }),
    fc.record({
      type: fc.constantFrom('text', '{{ payload.a }}'),
      content: text,
      styles: fc.record({ textAlign: text }),
    }),
  );
  const mark = fc.record({
    type: fc.constantFrom('link', 'bold', 'textStyle'),
    attrs: fc.record({ href: text, color: text }),
  });
  const leaf = fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constant('text'), text, marks: fc.tuple(mark) }),
    fc.record({
      type: fc.constant('variable'),
      attrs: fc.record({ id: fc.constantFrom('payload.a', 'content'), fallback: fc.constantFrom('', 'you', '"<') }),
    }),
  );
  const inner = fc.array(leaf, { maxLength: 3 });
  const node = fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('paragraph'), content: inner }) },
    fc.record({
      type: fc.constant('button'),
      attrs: fc.record({ text, url: fc.constant('https://x.y/{{ payload.a }}') }),
    }),
    fc.record({ type: fc.constant('button'), attrs: fc.record({ text, url: text, buttonColor: text }) }),
    fc.record({
      type: fc.constant('image'),
      attrs: fc.record({ src: text, alt: text, width: text, externalLink: text }),
    }),
    fc.record({
      type: fc.constant('htmlCodeBlock'),
      content: fc.tuple(fc.record({ type: fc.constant('text'), text: html })),
    }),
    fc.record({ type: fc.constant('repeat'), attrs: fc.constant({ each: 'payload.list' }), content: inner }),
    fc.record({ type: fc.constant('heading'), attrs: fc.record({ level: text }), content: inner }),
    fc.record({ type: text, content: inner }),
  );
  const page = fc.record({ type: fc.constant('doc'), content: fc.array(node, { minLength: 1, maxLength: 3 }) });
  const blocks = fc.array(block, { minLength: 1, maxLength: 3 });
  const body: fc.Arbitrary<Json> = fc.oneof(
    { weight: 6, arbitrary: html },
    ...[blocks, page, fc.oneof(blocks, page).map((value) => JSON.stringify(value))],
    text.map((written) => `{"type":"doc","content":[${written}]}`),
  ) as fc.Arbitrary<Json>;
  const layout = fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: parts`${html}{{ content }}${html}` },
    ...[html.map((written) => ({ body: written })), page.map((value) => ({ body: JSON.stringify(value) })), page],
  );
  const controls = fc.record(
    { subject: text, preheader: text, body, disableOutputSanitization: fc.boolean(), data: fc.record({ key: text }) },
    { requiredKeys: ['body'] },
  );
  return fc.record({ controls, layout, escapeHtml: fc.boolean() }) as unknown as ReturnType<typeof emailOf>;
}

const tameEmail = emailOf(tameText, tameElements(tameText));
const hostileEmail = fc.oneof(
  emailOf(hostileText, [...tameElements(hostileText), ...hostileElements(hostileText)]),
  emailOf(tameText, hostileElements(tameText)),
  emailOf(
    fc.oneof({ weight: 4, arbitrary: tameText }, hostileText),
    hostileElements(fc.constantFrom(...PLAIN, '{{ payload.url }}')),
  ),
);

/** Returns how many emails were filled. */
async function compareWithComposed(email: typeof tameEmail): Promise<number> {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(email, batch, async (template, all) => {
      const items = all.map((variables) => ({ environmentId: 'a', ...template, variables }));
      const expected = await renderEmails(composing, items);
      expect(await renderEmails(filling, items)).toEqual(expected);
      const outlined = items.map(({ layout = null, escapeHtml = true, ...item }) => ({ ...item, layout, escapeHtml }));
      filled += (await filling.fillEmails(outlined)).filter((one) => one !== undefined).length;
    }),
    { numRuns: RUNS },
  );
  return filled;
}

it('fills emails of usual templates exactly as it composes them, for any values', async () => {
  expect(await compareWithComposed(tameEmail)).toBeGreaterThan(RUNS);
}, 600_000);

// Few of them can be filled, and in a short run perhaps none.
it('fills emails of hostile templates exactly as it composes them, for any values', async () => {
  await compareWithComposed(hostileEmail);
}, 600_000);

it('fills in-app messages exactly as it renders them', async () => {
  const text = fc.oneof(tameText, hostileText);
  const html = fc.oneof(...tameElements(text), ...hostileElements(text));
  const label = fc.record({ label: text, redirect: fc.record({ url: text }) });
  const controls = fc.record(
    { subject: text, body: fc.oneof(text, html), avatar: text, primaryAction: label, data: fc.record({ key: text }) },
    { requiredKeys: ['body'] },
  ) as unknown as fc.Arbitrary<JsonObject>;
  await fc.assert(
    fc.asyncProperty(controls, fc.boolean(), batch, async (values, escapeHtml, all) => {
      const items = all.map((one) => ({ environmentId: 'a', controls: values, escapeHtml, variables: one }));
      expect(await renderInApps(filling, items)).toEqual(await renderInApps(composing, items));
    }),
    { numRuns: RUNS },
  );
}, 600_000);
