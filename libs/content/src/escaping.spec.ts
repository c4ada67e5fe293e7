import type { JsonObject } from '@clarion/contracts';
import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import { runs } from '@clarion/testing';
import { renderEmails } from './email';
import { renderInApps } from './in-app';
import { readOutline } from './read-outline';
import { TemplateRenderer } from './template-renderer';
import { type TextMode } from './template-html';
import { renderText } from './templates';

const SCRIPT = '<script>alert(1)</script>';
const BREAKOUT = `"><img src=x onerror='alert(1)'>`;

describe('escaping of values in templates', () => {
  it.each<[string, JsonObject, string]>([
    ['<p>{{x}}</p>', { x: SCRIPT }, '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<a href="{{x}}">', { x: '"><b' }, '<a href="&quot;&gt;&lt;b">'],
    ['{{x}}', { x: "Tom & 'Jerry'" }, 'Tom &amp; &#39;Jerry&#39;'],
    ['{{x}}', { x: { a: ['<b>'] } }, '{&#39;a&#39;:[&#39;&lt;b&gt;&#39;]}'],
    ['{{x}}', { x: '{{ y }}', y: 'not rendered again' }, '{{ y }}'],
    ['{{x | raw}}', { x: '<b>bold</b>' }, '<b>bold</b>'],
    ['{{x | upcase | raw}}', { x: '<b>' }, '<B>'],
    // Values that the author escaped are not escaped again.
    ['{{x | escape}}', { x: '<b> & "' }, '&lt;b&gt; &amp; &quot;'],
    ['{{x | xml_escape}}', { x: '<' }, '&lt;'],
    ['{{x | escape | escape}}', { x: '<' }, '&lt;'],
    ['{{x | escape_once}}', { x: '1 &lt; 2 & <' }, '1 &lt; 2 &amp; &lt;'],
    ['{{x | strip_html}}', { x: '<p>Tom &amp; Jerry</p>' }, 'Tom &amp; Jerry'],
    ['{{x | strip_html}}', { x: 'a <b onclick="' }, 'a &lt;b onclick=&quot;'],
    ['{{x | newline_to_br}}', { x: '<i>\nb' }, '&lt;i&gt;<br />\nb'],
    ['{{x | escape | newline_to_br}}', { x: '<i>\nb' }, '&lt;i&gt;<br />\nb'],
    ['{{x | url_encode}}', { x: '<a b>' }, '%3Ca+b%3E'],
    ['{{x | json}}', { x: { a: '</script>' } }, '{&quot;a&quot;:&quot;&lt;/script&gt;&quot;}'],
    // Where HTML and text are joined, only the text is escaped.
    ['{{x | escape | append: y}}', { x: '<', y: '>' }, '&lt;&gt;'],
    ['{{x | append: y}}', { x: '<', y: '>' }, '&lt;&gt;'],
    ['{% capture c %}<b>{{x}}</b>{% endcapture %}{{c}}{{c | strip}}', { x: '<' }, '<b>&lt;</b><b>&lt;</b>'],
    ['{% capture c %}<b>{% endcapture %}{{x | append: c}}', { x: '<' }, '&lt;<b>'],
    ['{% capture c %}<b>{% endcapture %}{{c | replace: "<b>", x}}', { x: '<i>' }, '&lt;i&gt;'],
    ['{% capture c %}<b>{% endcapture %}{{c | url_encode | url_decode}}', {}, '&lt;b&gt;'],
    ['{% capture c %}{{x}}{% endcapture %}{% if c == "a" %}yes{% endif %}', { x: 'a' }, 'yes'],
    ['{% capture c %}"a"{% endcapture %}{% if c == \'"a"\' and c contains "a" %}{{c.size}}{% endif %}', {}, '3'],
    ['{% capture c %}<b>{% endcapture %}{{nothing | default: c}}', {}, '<b>'],
    ['{% assign s = x | escape %}{{s}}', { x: '<' }, '&lt;'],
    ['{% echo x %}{% echo x | raw %}{% echo x | escape %}', { x: '<' }, '&lt;<&lt;'],
    ['{% cycle x, y %}', { x: '<', y: '' }, '&lt;'],
    ['{% liquid echo x %}', { x: '<' }, '&lt;'],
    ['{% for i in list %}{{i}}{% endfor %}', { list: ['<', '>'] }, '&lt;&gt;'],
    ['{{ list | join: ", " }}', { list: ['<', '>'] }, '&lt;, &gt;'],
    ['{{ list | digest: 1 }}', { list: ['<', '>'] }, '&lt; and 1 other'],
    ['{{content}}', { content: '<' }, '&lt;'],
  ])('renders %s in an HTML text with escaped values', (template, variables, expected) => {
    expect(renderText(template, variables, 'html')).toBe(expected);
  });

  it('inserts the HTML of the step into a layout unescaped, and escapes every other value', () => {
    const variables = { content: '<p>Hi</p>', x: '<p>' };
    expect(renderText('{{content}}{{content | strip_html}}{{x}}', variables, 'layout')).toBe('<p>Hi</p>Hi&lt;p&gt;');
    expect(renderText('{{content | append: x}}', variables, 'layout')).toBe('<p>Hi</p>&lt;p&gt;');
  });

  it('never escapes values in the mode text', () => {
    for (const filters of ['', ' | raw', ' | append: ""']) {
      expect(renderText(`{{x${filters}}}{% echo x %}`, { x: BREAKOUT }, 'text')).toBe(BREAKOUT + BREAKOUT);
    }
    expect(renderText('{{x | escape}}', { x: '<' }, 'text')).toBe('&lt;');
    expect(renderText('{{x | newline_to_br}}', { x: '<\n' }, 'text')).toBe('<<br />\n');
  });

  it('escapes a value in the mode feed only when it contains a tag, so that names keep their apostrophes', () => {
    expect(renderText('{{x}}', { x: "O'Brien & Sons" }, 'feed')).toBe("O'Brien & Sons");
    expect(renderText('{{x}}', { x: '<b>&' }, 'feed')).toBe('&lt;b&gt;&amp;');
  });
});

describe('values at places where escaping is not enough', () => {
  const CSS = 'red;position:fixed';

  it.each<[string, JsonObject, string]>([
    // Attributes without quotes.
    ['<a href={{x}}>', { x: 'https://a.test/?b=1' }, '<a href=https://a.test/?b&#61;1>'],
    ['<a href={{x}}>', { x: 'a style=color:red' }, '<a href=a&#32;style&#61;color:red>'],
    ['<a title=a-{{x}} b>', { x: '"\'`>\n' }, '<a title=a-&quot;&#39;&#96;&gt;&#10; b>'],
    ['<a href={{x}} class=a>', {}, '<a href="" class=a>'],
    ['<p style={{x}} class=a>', { x: CSS }, '<p style="" class=a>'],
    ['<p style=color:{{x}}>', { x: '#fff' }, '<p style=color:#fff>'],
    ['<p style=color:{{x}}>', { x: CSS }, '<p style=color:>'],
    // Style attributes.
    ['<p style="color: {{x}}">', { x: 'rgb(0, 10%, .5)' }, '<p style="color: rgb(0, 10%, .5)">'],
    ['<p style="color: {{x}}; margin: 0">', { x: CSS }, '<p style="color: ; margin: 0">'],
    ["<p STYLE = '{{x}}: red'>", { x: 'color' }, "<p STYLE = 'color: red'>"],
    ['<p style="{{x}}">', { x: 'color:red' }, '<p style="">'],
    ['<p style="{{x | escape}}">', { x: 'color:red' }, '<p style="">'],
    [
      '<p style="background:url({{x}})">',
      { x: 'https://a.test/i.png?a=1&b=2' },
      '<p style="background:url(https://a.test/i.png?a=1&amp;b=2)">',
    ],
    ['<p style="background:url({{x}})">', { x: 'https://a.test/i.png);color:red' }, '<p style="background:url()">'],
    // Style elements.
    ['<style>.a { color: {{x}}; }</style>', { x: '#fff' }, '<style>.a { color: #fff; }</style>'],
    ['<style>.a { color: {{x}}; }</style>', { x: 'red} body{margin:0' }, '<style>.a { color: ; }</style>'],
    ['<style>.{{x}} { color: red }</style>{{x}}', { x: 'a, body' }, '<style>. { color: red }</style>a, body'],
    [
      '<style>.{{x}} { color: red }</style><p>{{y}}',
      { x: 'a-b', y: CSS },
      `<style>.a-b { color: red }</style><p>${CSS}`,
    ],
    ['<style>a{b:url({{x}})}</style>', { x: 'http://a.test/?b&c' }, '<style>a{b:url(http://a.test/?b&c)}</style>'],
    // Names.
    ['<p {{x}}>', { x: 'hidden' }, '<p >'],
    ['<p data-{{x}}="1" {{x}}>', { x: 'a' }, '<p data-a="1" >'],
    ['<p a{{x}}="1">', { x: '="" style="color:red' }, '<p a="1">'],
    ['<h{{x}}>a</h{{x}}>', { x: 2 }, '<h2>a</h2>'],
    ['<h{{x}}>', { x: '1 style=color:red' }, '<h>'],
    ['1 <{{x}}', { x: 'img src=x' }, '1 <'],
    ['1 <{{x}} < {{y}}', { x: 2, y: 'b' }, '1 <2 < b'],
    // What the author wrote, in any way.
    ['<p style="{{x | raw}}" {{x | raw}}>', { x: 'a:b' }, '<p style="a:b" a:b>'],
    ['{% assign s = "color:red;margin:0" %}<p style="{{s}}">', {}, '<p style="color:red;margin:0">'],
    ['<p {{ x | default: "hidden" }} style="{{ y | default: \'color:red\' }}">', {}, '<p  style="color:red">'],
    ['{% capture s %}color:{{x}};{% endcapture %}<p style="{{s}}">', { x: 'red' }, '<p style="color:red;">'],
    ['{% capture s %}color:{{x}};{% endcapture %}<p style="{{s}}">{{s}}', { x: CSS }, `<p style="">color:${CSS};`],
    ['{% capture s %}<b>{{x}}</b>{% endcapture %}<p>{{s}}', { x: CSS }, `<p><b>${CSS}</b>`],
    [
      '<!--[if mso]><p style="{{x}}"><![endif]--><!-- <p style="{{x}} --><i style="{{x}}">',
      { x: 'a:b' },
      '<!--[if mso]><p style=""><![endif]--><!-- <p style="a:b --><i style="">',
    ],
    [
      '<title>a < {{x}}</title><script>"{{x}}"</script><p style="{{x}}">',
      { x: 'a:b' },
      '<title>a < a:b</title><script>"a:b"</script><p style="">',
    ],
  ])('renders %s', (template, variables, expected) => {
    expect(renderText(template, variables, 'html')).toBe(expected);
  });

  it('fills no outline of such a text', () => {
    expect(readOutline('<p title="{{x}}">{{x}}</p>')).not.toBeNull();
    for (const text of ['<p title={{x}}>', '<p style="{{x}}">', '<style>{{x}}</style>', '<p {{x}}>']) {
      expect(readOutline(text)).toBeNull();
    }
  });

  /** Tags, names of attributes, properties of styles and the structure of style sheets, as a parser reads them. */
  const structureOf = (html: string): string =>
    DomUtils.getElementsByTagName('*', parseDocument(html).children)
      .map(({ name, attribs, children }) => {
        const style = (attribs['style'] ?? '').replaceAll(/https?:/g, '');
        const properties = style.split(';').map((one) => (one.includes(':') ? one.split(':', 1)[0]!.trim() : ''));
        const sheet = name === 'style' ? DomUtils.textContent(children).replaceAll(/https?:|[^{};:@]/g, '') : '';
        return [name, ...Object.keys(attribs), ...properties.filter(Boolean), sheet].join(' ');
      })
      .join('|');

  const PLACES = [
    (value: string) => `<a href=${value} class=a>t</a>`,
    (value: string) => `<a href=/a/${value}>t</a>`,
    (value: string) => `<p style="color: ${value}; margin: 0">t</p>`,
    (value: string) => `<p style='${value}'>t</p>`,
    (value: string) => `<p style=color:${value}>t</p>`,
    (value: string) => `<style>.a { color: ${value}; } .b { margin: 0 }</style><p>t</p>`,
    (value: string) => `<style>.${value} { color: red }</style><p>t</p>`,
    (value: string) => `<p ${value} title="a">t</p>`,
    (value: string) => `<p title="${value}">${value}</p>`,
    (value: string) => `<!-- ${value} --><p>${value}</p><${value}`,
  ];
  const rich = fc.oneof(
    fc.constantFrom(
      ...[
        CSS,
        'a:b',
        '}a{b:c',
        'a style=color:red',
        '"style="a:b',
        "' style='a:b",
        ' onclick=x',
        'https://a.test/;a:b',
      ],
      ...['*/a:b/*', '\\', '@import "a"', 'expression(a)', '</style><p>', 'p style=a:b'],
    ),
    fc.string({ unit: fc.constantFrom(...'ab:;{}()@/\\"\'=<>&` \n\t#%,.-!*') }),
    fc.string(),
  );

  it('lets no value be more than a value', () => {
    fc.assert(
      fc.property(
        rich,
        rich,
        filters,
        fc.constantFrom(...FORMS),
        fc.constantFrom(...PLACES),
        (x, y, chain, form, place) => {
          const template = place(form(`x${chain}`));
          const output = (value: string, other: string): string =>
            renderText(template, { x: value, y: other, list: [value, other] }, 'html').replace(/<br \/>/gi, '');
          expect(structureOf(output(x, y))).toBe(structureOf(output('1', '2')));
        },
      ),
      { numRuns: runs(3_000, 500) },
    );
  });
});

/** Values that try to break out of their position in the HTML. */
const hostile = fc.oneof(
  fc.constantFrom(
    SCRIPT,
    BREAKOUT,
    `' onmouseover='x`,
    '{{ payload.secret }}',
    '{% raw %}',
    '<!--',
    ']]>',
    '</p>',
    '&lt;',
  ),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '{', '}', '%', '/', '\\', '\n', 'a', 'b', ' ', '=', ';'),
  }),
  fc.string(),
);

/** Chains of filters that an author may use, except `raw` and filters that decode. */
const filters = fc
  .array(
    fc.constantFrom(
      'escape',
      'escape_once',
      'strip_html',
      'newline_to_br',
      'upcase',
      'strip',
      'truncate: 20',
      'append: y',
      'prepend: y',
      'replace: "a", y',
      'remove: y',
      'default: y',
      'slice: 1, 9',
      'split: "" | join: y',
      'url_encode',
      'json',
      'digest',
    ),
    { maxLength: 4 },
  )
  .map((names) => names.map((name) => ` | ${name}`).join(''));

const FORMS = [
  (value: string) => `{{ ${value} }}`,
  (value: string) => `{% echo ${value} %}`,
  (value: string) => `{% assign v = ${value} %}{{ v }}`,
  (value: string) => `{% capture v %}{{ ${value} }}{% endcapture %}{{ v }}{{ v | append: y }}`,
  (value: string) => `{% for v in list %}{{ v | append: y }}{% endfor %}{{ ${value} }}`,
];

describe('escaping of random hostile values', () => {
  it.each<TextMode>(['html', 'layout', 'feed'])(
    'lets no value create a tag or break out of an attribute in the mode %s',
    (mode) => {
      fc.assert(
        fc.property(hostile, hostile, filters, fc.constantFrom(...FORMS), (x, y, chain, form) => {
          const output = renderText(form(`x${chain}`), { x, y, list: [x, y] }, mode);
          // Only newline_to_br creates tags, and those are line breaks.
          const values = chain.includes('newline_to_br') ? output.replace(/<br \/>/gi, '') : output;
          expect(values).not.toMatch(mode === 'feed' ? /</ : /[<>"']/);
        }),
        { numRuns: runs(1_000, 200) },
      );
    },
  );
});

describe('composed messages with hostile values', () => {
  const renderer = new TemplateRenderer();
  afterAll(() => renderer.close());

  const document = (content: JsonObject[]): JsonObject => ({ type: 'doc', content });
  const paragraph = (...content: JsonObject[]): JsonObject => ({ type: 'paragraph', content });
  const variable = { type: 'variable', attrs: { id: 'payload.x' } };
  const link = { type: 'text', text: 'go', marks: [{ type: 'link', attrs: { href: '{{payload.x}}' } }] };
  const html = {
    type: 'htmlCodeBlock',
    content: [{ type: 'text', text: '<i title="{{payload.x}}">{{payload.x}}</i>' }],
  };

  const EMAILS: [string, JsonObject | string | undefined, JsonObject | string][] = [
    ['a body', undefined, '<p title="{{payload.x}}"><a href="{{payload.x}}">{{payload.x}}</a></p>'],
    ['a layout', '<div title="{{payload.x}}">{{payload.x}}{{content}}</div>', '<p>fixed</p>'],
    ['a document', undefined, document([paragraph(variable, link), html])],
    [
      'a document as a layout',
      document([paragraph(variable), html, paragraph({ type: 'variable', attrs: { id: 'content' } })]),
      '<p>f</p>',
    ],
    [
      'blocks',
      undefined,
      [
        { type: 'text', content: '{{payload.x}}' },
        { type: 'button', content: '{{payload.x}}', url: '{{payload.x}}' },
      ] as never,
    ],
  ];

  it.each(EMAILS)('keeps only the tags of the author in %s of an email', async (_name, layout, body) => {
    const values = [
      'https://fine.example',
      SCRIPT,
      BREAKOUT,
      'javascript:alert(1)',
      ...fc.sample(hostile, { numRuns: 60, seed: 7 }),
    ];
    for (const disableOutputSanitization of [false, true]) {
      const emails = await renderEmails(
        renderer,
        values.map((x) => ({
          environmentId: 'e',
          controls: { subject: '{{payload.x}}', body, disableOutputSanitization },
          variables: { payload: { x, secret: 'SECRET' } },
          layout,
        })),
      );
      const pages = emails.map((email) => (email.ok ? email.email.html : ''));
      expect(partsOf(pages[0]!).length).toBeGreaterThan(1);
      for (const [index, page] of pages.entries()) {
        expect({ value: values[index], added: addedTo(pages[0]!, page) }).toEqual({ value: values[index], added: [] });
      }
      for (const email of emails) expect(JSON.stringify(email)).not.toContain('SECRET');
      const script = emails[1]!;
      expect(script.ok && script.email.subject).toBe(SCRIPT);
    }
  });

  it('keeps only the tags of the author in an in-app message', async () => {
    const values = ['fine', SCRIPT, BREAKOUT, ...fc.sample(hostile, { numRuns: 100, seed: 8 })];
    for (const body of ['<b title="{{x}}">{{x}}</b>!', 'Hello {{x}}!', '{{x}}!']) {
      const messages = await renderInApps(
        renderer,
        values.map((x) => ({
          environmentId: 'e',
          controls: { subject: 'S {{x}}', body, primaryAction: { label: 'L {{x}}' }, data: { x: '{{x}}' } },
          variables: { x },
        })),
      );
      const shown = messages.map((message) => (message.ok ? message.message : undefined)!);
      for (const [index, { subject, content, cta, data }] of shown.entries()) {
        expect(addedTo(shown[0]!.content, content)).toEqual([]);
        expect(partsOf(subject!)).toEqual([]);
        expect(JSON.stringify(cta)).not.toContain('<');
        expect(data).toEqual({ x: values[index] });
      }
    }
  });

  it('leaves values unescaped when the workflow disables escaping', async () => {
    const variables = { x: '<b>bold</b>' };
    const [email] = await renderEmails(renderer, [
      {
        environmentId: 'e',
        controls: { subject: 's', body: '<p>{{x}}</p>' },
        variables,
        layout: '<div>{{x}}{{content}}</div>',
        escapeHtml: false,
      },
    ]);
    expect(email).toMatchObject({ email: { html: '<div><b>bold</b><p><b>bold</b></p></div>' } });
    const [message] = await renderInApps(renderer, [
      { environmentId: 'e', controls: { body: '{{x}}' }, variables, escapeHtml: false },
    ]);
    expect(message).toMatchObject({ message: { content: '<b>bold</b>' } });
  });
});

type Node = { type: string; name?: string; attribs?: Record<string, string>; children?: Node[] };

/** The elements, their attribute names, and everything that is neither text nor a line break; sorted. */
function partsOf(html: string): string[] {
  const walk = (nodes: Node[]): string[] =>
    nodes.flatMap(({ type, name, attribs = {}, children = [] }) => {
      if (type === 'text' || name === 'br') return [];
      return [name ?? type, ...Object.keys(attribs).map((attribute) => `${name} ${attribute}`), ...walk(children)];
    });
  return walk(parseDocument(html).children as Node[]).sort();
}

/** What the second HTML contains beyond the first. A sanitizer may drop empty elements and disallowed links. */
function addedTo(known: string, html: string): string[] {
  const rest = partsOf(known);
  return partsOf(html).filter((part) => {
    const at = rest.indexOf(part);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
